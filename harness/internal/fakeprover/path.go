package fakeprover

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Program is the name of the program in the PATH of tests that InPath runs.
const Program = "fakeprover"

// A Runner runs tests, as *testing.M does.
type Runner interface{ Run() int }

// InPath wraps tests so that they run with the program first in their PATH. The Go tool builds the program, because a
// test binary that runs under another name would start ten times as slowly, thousands of times.
func InPath(tests Runner) Runner { return inPath{tests} }

type inPath struct{ tests Runner }

func (p inPath) Run() int {
	folder, err := os.MkdirTemp("", "fakeprover-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "fakeprover:", err)
		return 1
	}
	defer os.RemoveAll(folder)
	const source = "github.com/chiasmus/chiasmus/harness/internal/fakeprover/fakeprover"
	build := exec.Command("go", "build", "-o", filepath.Join(folder, Program), source)
	if output, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v: %v\n%s", build, err, output)
		return 1
	}
	if err := os.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH")); err != nil {
		fmt.Fprintln(os.Stderr, "fakeprover:", err)
		return 1
	}
	return p.tests.Run()
}

// expanded replaces $NAME by a variable of the environment.
func expanded(text string) string { return os.ExpandEnv(text) }
