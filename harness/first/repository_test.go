package first

import (
	"os/exec"
	"strings"
	"testing"
)

// repository is a git repository with the files in its last commit; earlier are tags of empty commits before it.
func repository(t *testing.T, files map[string]string, earlier ...string) string {
	t.Helper()
	directory := folder(t, files)
	run := func(arguments ...string) {
		t.Helper()
		arguments = append([]string{"-C", directory, "-c", "user.name=x", "-c", "user.email=x@example.org"}, arguments...)
		if out, err := exec.Command("git", arguments...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	run("init", "-q")
	for _, tag := range earlier {
		run("commit", "-q", "--allow-empty", "-m", tag)
		run("tag", tag)
	}
	run("add", ".")
	run("commit", "-q", "-m", "files")
	return directory
}

// The next step compares the last two releases of one name, or the last two commits.
func TestNext(t *testing.T) {
	files := map[string]string{"Makefile": "x: y\n\tcc -o x y\n"}
	for want, tags := range map[string][]string{
		"v1.0.2..v1.1.0":       {"v1.0.2", "other-2.0.0", "v1.1.0", "other-2.1.0"},
		"zk-0.2.0..zk-0.3.0-1": {"zk-0.2.0", "lib-0.9.0", "zk-0.3.0-1"},
		"HEAD~1..HEAD":         {"v1", "nightly"},
	} {
		made, err := Suggest(repository(t, files, tags...), Choice{})
		if err != nil || made.Next != want {
			t.Errorf("%q: %s, %v", tags, made.Next, err)
		}
	}
}

// --locked is used only if every compared revision has a lock file. A compiler that a release chooses has to be
// installed.
func TestRustReleases(t *testing.T) {
	files := map[string]string{"Cargo.toml": "[package]\nname = \"zk\"\n", "src/main.rs": "", "Cargo.lock": "",
		"rust-toolchain": "1.2.3\n"}
	for _, c := range []struct {
		earlier []string
		locked  bool
		left    string
	}{
		{nil, true, "rust-toolchain chooses the compiler 1.2.3, which is not installed: rustup toolchain install 1.2.3"},
		{[]string{"v1.0", "v2.0"}, false, "Cargo.lock is not in v1.0"},
	} {
		directory := repository(t, files, c.earlier...)
		p := open(directory)
		p.toolchains = func() ([]string, bool) { return []string{"1.2.30-x", "stable-x (default)"}, true }
		r, err := cargo(p)
		if err != nil {
			t.Fatal(err)
		}
		text := r.file(r.programs).Text
		if strings.Contains(text, "--locked") != c.locked || strings.Contains(text, "RUSTUP_TOOLCHAIN: stable") == c.locked ||
			len(r.left) != 1 || !strings.HasPrefix(r.left[0], c.left) {
			t.Errorf("%q: %q\n%s", c.earlier, r.left, text)
		}
	}
	p := open(repository(t, files))
	p.toolchains = func() ([]string, bool) { return []string{"1.2.3-x"}, true }
	if r, err := cargo(p); err != nil || len(r.left) != 0 {
		t.Errorf("an installed compiler: %q, %v", r.left, err)
	}
}
