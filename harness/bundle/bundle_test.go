package bundle

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/hosttest"
	"github.com/chiasmus/chiasmus/internal/longtest"
)

// prover is a Go program with an embedded file, a module and a made-up time that is longer at the second commit. It
// imports little, because the test compiles all of it.
const prover = `package main

import (
	_ "embed"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

//go:embed settings.txt
var settings string

func main() {
	version, number, _ := strings.Cut(strings.TrimSpace(settings), " ")
	if !semver.IsValid(version) {
		panic("not a version: " + version)
	}
	micros, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		panic(err)
	}
	seed, err := strconv.ParseUint(os.Args[3], 10, 64)
	if err != nil {
		panic(err)
	}
	taken := float64(micros+seed%1000) / 1e6
	time.Sleep(time.Duration(taken * 1e9))
	seconds := strconv.FormatFloat(taken, 'g', -1, 64)
	for name, text := range map[string]string{os.Args[1]: "proof", os.Args[2]: "{\"metrics\":{\"prove_seconds\":" + seconds + "}}"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			panic(err)
		}
	}
}
`

const bench = `version: 1
build:
  fetch: ["false"] # would fail: a bundle has nothing to fetch from
  command: [go, build, -trimpath, -o, prover, .]
  artifacts: [prover]
workloads:
  - name: demo
    process: ["{prover}", "{proof}", "{metrics}", "{seed}"]
    verify: [test, -s, "{proof}"]
plan: {settle: 0, pairs: 6, warmup: 0, seed: 3}
environment: {steal: 100%, others: 100%, memory_pressure: 100%, memory_growth: 100%, suspend: 10m}
`

func run(t *testing.T, directory string, words ...string) string {
	t.Helper()
	command := exec.Command(words[0], words[1:]...)
	command.Dir = directory
	command.Env = append(command.Environ(), "CGO_ENABLED=0")
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", words, err, output)
	}
	return strings.TrimSpace(string(output))
}

func write(t *testing.T, directory string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(directory, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// repository makes two commits of a Go module. The second takes 2.5 times as long, which is visible even on a busy
// machine, and imports one package more.
func repository(t *testing.T) (directory, base, head string) {
	t.Helper()
	directory = t.TempDir()
	sums, err := os.ReadFile(filepath.Join("..", "..", "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	commit := func(files map[string]string) string {
		write(t, directory, files)
		run(t, directory, "git", "add", ".")
		run(t, directory, "git", "-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "a commit")
		return run(t, directory, "git", "rev-parse", "HEAD")
	}
	run(t, directory, "git", "init", "-q", "-b", "main")
	base = commit(map[string]string{
		"go.mod":       "module example.org/prover\n\ngo 1.26.0\n\nrequire golang.org/x/mod v0.41.0\n",
		"go.sum":       string(sums),
		"main.go":      prover,
		"settings.txt": "v1.0.0 100000\n",
		"bench.yaml":   bench,
	})
	head = commit(map[string]string{
		"settings.txt": "v1.0.1 250000\n",
		"more.go":      "package main\n\nimport _ \"container/ring\"\n",
	})
	return directory, base, head
}

// A bundle builds and compares both revisions where there is no network, no Go, no git and no home.
func TestCompareWithoutNetwork(t *testing.T) {
	longtest.Only(t)
	hosttest.Isolates(t) // bubblewrap takes the network away
	directory, base, head := repository(t)
	folder := t.TempDir()
	program := filepath.Join(folder, "harness")
	run(t, ".", "go", "build", "-o", program, "../cmd/harness")
	file := filepath.Join(folder, "bundle.tar.gz")
	summary, err := Write(context.Background(), Options{
		Repository: directory,
		Config:     filepath.Join(directory, "bench.yaml"),
		Base:       base,
		Head:       head,
		Harness:    program,
		Limit:      60e6,
	}, file)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes: %s", summary.Bytes, summary)
	unpack(t, file, folder)
	inside := filepath.Join(folder, root)
	arguments := []string{"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--bind", folder,
		folder, "--unshare-net", "--unshare-pid", "--die-with-parent",
		"--clearenv", "--setenv", "PATH", "/usr/bin:/bin", "--setenv", "HOME", "/nonexistent", "--chdir", inside}
	for _, name := range []string{"go", "git"} {
		found, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if found, err = filepath.EvalSymlinks(found); err != nil {
			t.Fatal(err)
		}
		arguments = append(arguments, "--ro-bind", "/dev/null", found)
	}
	arguments = append(arguments, "./run", "harness", "--lock", filepath.Join(folder, "lock"), "compare", "base..head")
	output, err := exec.Command("bwrap", arguments...).CombinedOutput()
	// The verdict is about wall time, in which a busy host can hide a regression: then there is no exit status 1.
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) {
		t.Fatalf("%v, want exit status 0 or 1\n%s", err, output)
	}
	for _, want := range []string{base, head} {
		if !strings.Contains(string(output), want) {
			t.Errorf("%s is not in the output:\n%s", want, output)
		}
	}
	// The programs report the times of their own seeds.
	if reported := regexp.MustCompile(`prove_seconds +100\.\d ms +250\.\d ms .* worse`); !reported.Match(output) {
		t.Errorf("no line %v in the output:\n%s", reported, output)
	}
	if strings.Contains(string(output), "changed files") {
		t.Errorf("the empty work tree counts as changed:\n%s", output)
	}
}

func unpack(t *testing.T, file, into string) {
	t.Helper()
	opened, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	compressed, err := gzip.NewReader(opened)
	if err != nil {
		t.Fatal(err)
	}
	for archive := tar.NewReader(compressed); ; {
		header, err := archive.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(header.Name, "_test.go") || !filepath.IsLocal(header.Name) {
			t.Errorf("%s is in the bundle", header.Name)
		}
		name := filepath.Join(into, header.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, os.FileMode(header.Mode)); err != nil {
			t.Fatal(err)
		}
	}
}

// If something cannot be packed, the error says so, and nothing is written.
func TestRefusals(t *testing.T) {
	longtest.Only(t)
	directory, base, head := repository(t)
	out := filepath.Join(t.TempDir(), "bundle.tar.gz")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	options := Options{
		Repository: directory,
		Config:     filepath.Join(directory, "bench.yaml"),
		Base:       base,
		Head:       head,
		Harness:    program,
	}
	for name, change := range map[string]func(*Options){
		"at most 0.1 MB":      func(o *Options) { o.Limit = 1e5 },
		"no such file":        func(o *Options) { o.Programs = []string{filepath.Join(directory, "none")} },
		"bad magic number":    func(o *Options) { o.Programs = []string{filepath.Join(directory, "go.mod")} },
		"cannot be fetched":   func(o *Options) { o.Head = strings.Repeat("1", 40) },
		"needs the shared li": func(o *Options) { o.Programs = []string{dynamicProgram(t)} },
	} {
		changed := options
		change(&changed)
		if _, err := Write(context.Background(), changed, out); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want %q, got %v", name, err)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(filepath.Dir(out), "*")); len(files) > 0 {
		t.Errorf("a refused bundle leaves %v", files)
	}
}

// dynamicProgram is git if git needs more shared libraries than libc, as on Debian.
func dynamicProgram(t *testing.T) string {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	return git
}

func TestWithoutFetch(t *testing.T) {
	got, err := withoutFetch([]byte(bench))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(got), "fetch") ||
		!strings.Contains(string(got), "command: [go, build, -trimpath, -o, prover, .]") ||
		!strings.Contains(string(got), "suspend: 10m") {
		t.Errorf("%s", got)
	}
	plain := strings.Replace(bench, "  fetch: [\"false\"] # would fail: a bundle has nothing to fetch from\n", "", 1)
	if got, err := withoutFetch([]byte(plain)); err != nil || string(got) != plain {
		t.Errorf("%v: without a fetch the file changes:\n%s", err, got)
	}
}
