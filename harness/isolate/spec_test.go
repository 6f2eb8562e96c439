package isolate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	good := Spec{Worktree: dir, Home: dir, Env: []string{"A=1"}}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*Spec){
		"needs a worktree":        func(s *Spec) { s.Worktree = "" },
		"not an absolute path":    func(s *Spec) { s.Mounts = []Mount{{Source: "x"}} },
		"no such file":            func(s *Spec) { s.Home = filepath.Join(dir, "nothing") },
		"which is hidden":         func(s *Spec) { s.Hidden = []string{filepath.Join(dir, "cache")} },
		"no environment variable": func(s *Spec) { s.Env = []string{"A"} },
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
		"PATH=/usr/bin:/home/u/.cargo/bin", "HOME=/home/u", "LC_ALL=C", "GITHUB_TOKEN=secret", "AWS_SECRET_ACCESS_KEY=secret", "CUDA_VISIBLE_DEVICES=1",
		"GOPROXY=https://user:secret@proxy.example.org,direct", "GOFLAGS=-mod=mod", "SSH_AUTH_SOCK=/tmp/agent", "MALFORMED",
	}, map[string]string{"GOFLAGS": "-mod=vendor", "MINE": "https://a@b/"})
	want := []string{"CUDA_VISIBLE_DEVICES=1", "GOFLAGS=-mod=vendor", "LC_ALL=C", "MINE=https://a@b/", "PATH=/usr/bin:/home/u/.cargo/bin", "RUSTUP_HOME=/home/u/.rustup"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if plain := Environment([]string{"GOPROXY=https://proxy.example.org/x@v1,direct"}, nil); len(plain) != 1 {
		t.Errorf("an address without a password stayed out: %q", plain)
	}
}

func TestWrapOrdersMounts(t *testing.T) {
	argv := Wrap(Spec{Worktree: "/tmp/c/w", Home: "/tmp/c/h", Tmp: "/var/own", Hidden: []string{"/tmp/c"}, Env: []string{"HOME=/evil", "A=b=c"}}, []string{"prog", "--network"})
	line := strings.Join(argv, " ")
	position := func(text string) int {
		t.Helper()
		i := strings.Index(line, text)
		if i < 0 {
			t.Errorf("%q is not in %s", text, line)
		}
		return i
	}
	// A folder comes before what lies in it.
	order := []int{position("--tmpfs /tmp/c"), position("--bind /var/own /tmp"), position("--bind /tmp/c/w /tmp/c/w"), position("--remount-ro /")}
	if !slices.IsSorted(order) {
		t.Errorf("order %v in %s", order, line)
	}
	if strings.Contains(line, "/evil") || !strings.Contains(line, "--setenv A b=c") || !strings.HasSuffix(line, "-- prog --network") || !strings.Contains(line, "--unshare-net") {
		t.Error(line)
	}
	if with := Wrap(Spec{Worktree: "/w", Home: "/h", Network: true}, nil); slices.Contains(with, "--unshare-net") {
		t.Error("the network was asked for")
	}
}

func TestGoRoot(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"go/bin", "go/src/runtime", "links", "other/bin"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"go/bin/go", "other/bin/go"} {
		if err := os.WriteFile(filepath.Join(root, file), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(root, "go/bin/go"), filepath.Join(root, "links/go")); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{"links": filepath.Join(real, "go"), "go/bin": filepath.Join(real, "go"), "other/bin": "", "nothing": ""} {
		if got := goRoot(filepath.Join(root, dir)); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}
