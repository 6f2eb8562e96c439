package workflows

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A bundle of two commits with different submodules, one of them nested, opens to the same trees.
func TestFetchAndOpen(t *testing.T) {
	world := newWorld(t)
	root := t.TempDir()
	inner, outer, repository := filepath.Join(root, "inner"), filepath.Join(root, "outer"),
		filepath.Join(root, "repository")
	for _, directory := range []string{inner, outer, repository} {
		world.git(root, "init", "-q", "-b", "main", directory)
	}
	world.commit(inner, "inner", "inner")
	world.git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../inner", "deep/inner")
	first := world.commit(outer, "outer one", "1")
	world.git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", outer, "modules/outer")
	base := world.commit(repository, "base", "b")
	second := world.commit(outer, "outer two", "2")
	world.git(filepath.Join(repository, "modules/outer"), "fetch", "-q")
	world.git(filepath.Join(repository, "modules/outer"), "checkout", "-q", second)
	head := world.commit(repository, "head", "h")
	config := filepath.Join(root, "bench.yaml")
	if err := os.WriteFile(filepath.Join(root, "input.txt"), []byte("input"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte(demoConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	commits := []string{base, head}
	bundle, opened := filepath.Join(root, "bundle"), filepath.Join(root, "opened")
	options := FetchOptions{Repository: repository, Config: config, Local: true}
	if err := Fetch(context.Background(), commits, options, bundle); err != nil {
		t.Fatal(err)
	}
	for _, directory := range []string{inner, outer, repository} { // the bundle must not need them
		if err := os.RemoveAll(directory); err != nil {
			t.Fatal(err)
		}
	}
	if err := OpenBundle(context.Background(), bundle, opened, commits); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(bundle, "config", "input.txt")); err != nil || string(data) != "input" {
		t.Errorf("the input did not travel: %q %v", data, err)
	}
	if got := world.git(opened, "show", head+":file"); got != "h" {
		t.Errorf("head's file is %q", got)
	}
	module := filepath.Join(opened, ".git/modules/modules/outer")
	for commit, content := range map[string]string{first: "1", second: "2"} {
		if got := world.git(module, "show", commit+":file"); got != content {
			t.Errorf("the submodule's file is %q, want %q", got, content)
		}
	}
	if got := world.git(filepath.Join(module, "modules/deep/inner"), "log", "--all", "--format=%s"); got != "inner" {
		t.Errorf("the submodule's submodule has %q", got)
	}
	if err := OpenBundle(context.Background(), bundle, filepath.Join(root, "other"), []string{head, base}); err == nil {
		t.Error("a bundle of another plan was opened")
	}
}

// Nothing is fetched for a head whose .gitmodules names a file, a program or a path with "..".
func TestFetchRefusesModules(t *testing.T) {
	for name, test := range map[string]struct{ module, want string }{
		"a file":                   {"[submodule \"m\"]\n\tpath = m\n\turl = /etc\n", "not an https address"},
		"a program":                {"[submodule \"m\"]\n\tpath = m\n\turl = ext::sh -c id\n", "not an https address"},
		"an option":                {"[submodule \"m\"]\n\tpath = m\n\turl = --upload-pack=id\n", "read as an option"},
		"plain http":               {"[submodule \"m\"]\n\tpath = m\n\turl = http://example.org/m\n", "not an https address"},
		"a path that is an option": {"[submodule \"m\"]\n\tpath = -m\n\turl = https://example.org/m\n", ".gitmodules"},
		"a climbing name": {"[submodule \"../../x\"]\n\tpath = m\n\turl = https://example.org/m\n",
			"is not a clean relative path"},
	} {
		t.Run(name, func(t *testing.T) {
			world := newWorld(t)
			directory := t.TempDir()
			world.git(directory, "init", "-q", "-b", "main")
			if err := os.WriteFile(filepath.Join(directory, ".gitmodules"), []byte(test.module), 0o600); err != nil {
				t.Fatal(err)
			}
			world.git(directory, "update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",m")
			world.git(directory, "add", ".gitmodules")
			world.git(directory, "commit", "-q", "-m", "hostile")
			head := world.git(directory, "rev-parse", "HEAD")
			world.git(directory, "remote", "add", "origin", "https://example.org/repository")
			err := Fetch(context.Background(), []string{head}, FetchOptions{Repository: directory, Config: demoConfigFile(t)},
				t.TempDir())
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

// A .gitmodules that names no submodule is treated as a missing one.
func TestFetchEmptyModules(t *testing.T) {
	world := newWorld(t)
	directory := t.TempDir()
	world.git(directory, "init", "-q", "-b", "main")
	for i, text := range []string{"", "[other]\n\tpath = x\n"} {
		if err := os.WriteFile(filepath.Join(directory, ".gitmodules"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		head := world.commit(directory, fmt.Sprint(i), fmt.Sprint(i))
		if err := Fetch(context.Background(), []string{head}, FetchOptions{
			Repository: directory,
			Config:     demoConfigFile(t),
			Local:      true,
		}, t.TempDir()); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Files of an earlier job are not used for this job.
func TestMeasureWantsAnEmptyFolder(t *testing.T) {
	out := t.TempDir()
	if err := os.WriteFile(filepath.Join(out, ResultFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Measure(context.Background(), &Plan{}, MeasureOptions{Out: out}); err == nil ||
		!strings.Contains(err.Error(), "is not empty") {
		t.Errorf("error %v", err)
	}
}

// The token is in no argument and in no file of the bundle.
func TestFetchHidesToken(t *testing.T) {
	world := newWorld(t)
	bundle := t.TempDir()
	options := FetchOptions{
		Repository: world.GitDir,
		Config:     demoConfigFile(t),
		Local:      true,
		Token:      "sesame-open",
		Server:     "https://github.example",
	}
	if err := Fetch(context.Background(), []string{world.first, world.change}, options, bundle); err != nil {
		t.Fatal(err)
	}
	if output, _ := exec.Command("grep", "-ra", "sesame", bundle, world.GitDir).Output(); len(output) != 0 {
		t.Errorf("the token was written: %s", output)
	}
}

// demoConfig is a bench.yaml of a prover that is a shell script.
const demoConfig = `version: 1
build:
  command: [cp, prover.sh, prover]
  artifacts: [prover]
workloads:
  - name: keccak
    process: ["{prover}", prove, "{proof}", "{metrics}", "{input:input.txt}"]
    verify: ["{prover}", verify, "{proof}"]
`

func demoConfigFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bench.yaml")
	if err := os.WriteFile(path, []byte(demoConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "input.txt"), []byte("input"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
