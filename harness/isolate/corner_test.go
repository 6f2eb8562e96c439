package isolate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Missing and contradictory parts of a specification are reported before anything runs.
func TestCheckOfCorners(t *testing.T) {
	dir := t.TempDir()
	for want, change := range map[string]func(*Spec){
		"needs a worktree and a home":         func(s *Spec) { s.Home = "" },
		dir + " is not an absolute path":      func(s *Spec) { s.Mounts = []Mount{{Source: dir, Target: "inside"}} },
		`"A=\x00" is not an environment`:      func(s *Spec) { s.Env = []string{"A=\x00"} },
		`"=1" is not an environment variable`: func(s *Spec) { s.Env = []string{"=1"} },
		"which is hidden":                     func(s *Spec) { s.Hidden = []string{dir} },
		filepath.Join(dir, "none") + ": no ":  func(s *Spec) { s.Mounts = []Mount{{Source: filepath.Join(dir, "none")}} },
	} {
		s := Spec{Program: Program{Path: "/usr/bin/bwrap"}, Worktree: dir, Home: dir, Env: []string{"A=1"}}
		change(&s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// Every restricting flag is present, and the paths passed to the programs inside are right for any environment.
func TestWrapTakesAway(t *testing.T) {
	argv := Wrap(Spec{Worktree: "/w", Home: "/h", Env: []string{"PWD=/evil", "TMPDIR=/evil", "HOME=/evil", "A=1"}},
		[]string{"prog"})
	for _, flag := range []string{"--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--new-session",
		"--die-with-parent", "--clearenv"} {
		if !slices.Contains(argv, flag) {
			t.Errorf("%s is missing in %q", flag, argv)
		}
	}
	line := strings.Join(argv, " ")
	for _, want := range []string{"--cap-drop ALL", "--setenv HOME /h", "--setenv TMPDIR /tmp", "--setenv PWD /w",
		"--setenv A 1", "--chdir /w", "--remount-ro /"} {
		if strings.Count(line, want) != 1 {
			t.Errorf("%q is not once in %s", want, line)
		}
	}
	if strings.Contains(line, "evil") {
		t.Errorf("the environment says where: %s", line)
	}
}

// A copy has its own lists.
func TestCloneIsApart(t *testing.T) {
	s := Spec{Mounts: make([]Mount, 0, 4), Hidden: make([]string, 0, 4), Env: make([]string, 0, 4)}
	one, two := s.Clone(), s.Clone()
	one.Mounts, one.Hidden = append(one.Mounts, Mount{Source: "1"}), append(one.Hidden, "1")
	one.Env = append(one.Env, "1")
	two.Mounts, two.Hidden = append(two.Mounts, Mount{Source: "2"}), append(two.Hidden, "2")
	two.Env = append(two.Env, "2")
	if one.Mounts[0].Source != "1" || one.Hidden[0] != "1" || one.Env[0] != "1" {
		t.Errorf("%+v and %+v", one, two)
	}
	s = Spec{Mounts: make([]Mount, 1), Hidden: make([]string, 1), Env: make([]string, 1)}
	one = s.Clone()
	one.Mounts[0].Source, one.Hidden[0], one.Env[0] = "1", "1", "1"
	if s.Mounts[0].Source != "" || s.Hidden[0] != "" || s.Env[0] != "" {
		t.Errorf("%+v", s)
	}
}

// An address with a password is found at any position in a value.
func TestPasswordsInLists(t *testing.T) {
	for value, want := range map[string]bool{
		"https://u:p@a/": true, "direct,https://u:p@a": true, "direct|https://u:p@a": true, "-x https://u:p@a": true,
		"https://a,https://u:p@b": true, "https://a|https://u:p@b": true, "-x https://a https://u:p@b": true,
		"https://a/u@b": false, "off": false, "u@a": false, "://u@a": false,
	} {
		if holdsPassword(value) != want {
			t.Errorf("%q holds a password: %v", value, !want)
		}
	}
}

// A link is kept as a link if its target is visible anyway; otherwise it is followed. The root folder is no toolchain.
func TestLinksThatAreFollowed(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file, link := filepath.Join(root, "file"), filepath.Join(root, "link")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	if got, want := sameOrLink(link), []string{"--ro-bind", file, link}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := sameOrLink(filepath.Join(root, "none")); got != nil {
		t.Errorf("what is not there: %q", got)
	}
	t.Setenv("HOME", "") // the user's own folder is never one
	if got := toolchains([]string{"PATH=/", "GOROOT=/"}); len(got) != 0 {
		t.Errorf("toolchains %q", got)
	}
}
