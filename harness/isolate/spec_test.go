package isolate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/egress"
)

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	good := Spec{Program: Program{Path: "/usr/bin/bwrap"}, Worktree: dir, Home: dir, Env: []string{"A=1"}}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*Spec){
		"the program \"bwrap\"":       func(s *Spec) { s.Program.Path = "bwrap" },
		"needs a worktree":            func(s *Spec) { s.Worktree = "" },
		"not an absolute path":        func(s *Spec) { s.Mounts = []Mount{{Source: "x"}} },
		"no such file":                func(s *Spec) { s.Home = filepath.Join(dir, "nothing") },
		"which is hidden":             func(s *Spec) { s.Hidden = []string{filepath.Join(dir, "cache")} },
		"not an environment variable": func(s *Spec) { s.Env = []string{"A"} },
	} {
		s := good.Clone()
		change(&s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	got := Environment([]string{
		"PATH=/usr/bin:/home/u/.cargo/bin", "HOME=/home/u", "LC_ALL=C", "GITHUB_TOKEN=secret", "AWS_SECRET_ACCESS_KEY=secret",
		"CUDA_VISIBLE_DEVICES=1",
		"GOPROXY=https://user:secret@proxy.example.org,direct", "GOFLAGS=-mod=mod", "SSH_AUTH_SOCK=/tmp/agent", "MALFORMED",
	}, map[string]string{"GOFLAGS": "-mod=vendor", "MINE": "https://a@b/"})
	want := []string{"CUDA_VISIBLE_DEVICES=1", "GOFLAGS=-mod=vendor", "LC_ALL=C", "MINE=https://a@b/",
		"PATH=/usr/bin:/home/u/.cargo/bin", "RUSTUP_HOME=/home/u/.rustup"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if plain := Environment([]string{"GOPROXY=https://proxy.example.org/x@v1,direct"}, nil); len(plain) != 1 {
		t.Errorf("an address without a password stayed out: %q", plain)
	}
}

func TestWrapOrdersMounts(t *testing.T) {
	argv := Wrap(Spec{
		Worktree: "/tmp/c/w",
		Home:     "/tmp/c/h",
		Tmp:      "/var/own",
		Hidden:   []string{"/tmp/c"},
		Env:      []string{"HOME=/evil", "A=b=c"},
	}, []string{"prog", "--network"})
	line := strings.Join(argv, " ")
	position := func(text string) int {
		t.Helper()
		i := strings.Index(line, text)
		if i < 0 {
			t.Errorf("%q is not in %s", text, line)
		}
		return i
	}
	// A folder comes before its contents.
	order := []int{position("--tmpfs /tmp/c"), position("--bind /var/own /tmp"), position("--bind /tmp/c/w /tmp/c/w"),
		position("--remount-ro /")}
	if !slices.IsSorted(order) {
		t.Errorf("order %v in %s", order, line)
	}
	if strings.Contains(line, "/evil") || !strings.Contains(line, "--setenv A b=c") ||
		!strings.HasSuffix(line, "-- prog --network") || !strings.Contains(line, "--unshare-net") {
		t.Error(line)
	}
	with := strings.Join(Wrap(Spec{
		Worktree: "/w",
		Home:     "/h",
		Gateway:  &egress.Gateway{Socket: "/tmp/e/gateway", Program: "/opt/harness"},
	}, []string{"go"}), " ")
	if !strings.Contains(with, "--unshare-net") ||
		!strings.HasSuffix(with, "-- /run/egress/harness egress-bridge /run/egress/gateway go") {
		t.Errorf("with a gateway: %s", with)
	}
}

// A toolchain is shown whole if a file marks it as a toolchain, and otherwise not.
func TestToolchainRoots(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(path string) string { return filepath.Join(root, path) }
	for _, file := range []string{
		"go/bin/go", "go/src/runtime/proc.go", "other/bin/go", "cuda/bin/nvcc", "cuda/nvvm/bin/cicc",
		"python/bin/python3.12", "python/lib/python3.12/os.py", "venv/pyvenv.cfg", "pyenv/shims/python3",
		"pyenv/libexec/pyenv",
		"node/bin/node", "node/include/node/node.h", "home/bin/node", "home/include/node/node.h", "home/.ssh/id",
		"home/.local/bin/python3", "home/.local/lib/python3.12/os.py", "home/tools/go/bin/go",
		"home/tools/go/src/runtime/proc.go",
	} {
		if err := os.MkdirAll(filepath.Dir(at(file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(file), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"links/go":           "go/bin/go",
		"python/bin/python3": "python/bin/python3.12",
		"venv/bin/python3":   "python/bin/python3",
	} {
		if err := os.MkdirAll(filepath.Dir(at(link)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(at(target), at(link)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", at("home"))
	for dir, want := range map[string][]string{
		"links":       {"links", "go"},
		"go/bin":      {"go/bin", "go"},
		"other/bin":   {"other/bin"},
		"cuda/bin":    {"cuda/bin", "cuda"},
		"nothing":     nil,
		"python/bin":  {"python/bin", "python"},
		"venv/bin":    {"venv/bin", "python", "venv"},
		"pyenv/shims": {"pyenv/shims", "pyenv"},
		"node/bin":    {"node/bin", "node"},
		// The user's own files are not a toolchain, whatever is next to them.
		"home/bin":          {"home/bin"},
		"home/.local/bin":   {"home/.local/bin"},
		"home":              nil,
		".":                 nil,
		"home/tools/go/bin": {"home/tools/go/bin", "home/tools/go"},
	} {
		var absolute []string
		for _, path := range want {
			absolute = append(absolute, at(path))
		}
		if got := toolchains([]string{"PATH=" + at(dir)}); !slices.Equal(got, absolute) {
			t.Errorf("%s: %q, want %q", dir, got, absolute)
		}
	}
}
