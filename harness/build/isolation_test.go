package build

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/egress"
	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/internal/hosttest"
)

func TestMain(m *testing.M) {
	if code, bridge := egress.Main(os.Args[1:], os.Stdout, os.Stderr); bridge {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// Builds a hostile head next to base. Every attack in head's script has to fail, and head must still build.
func TestIsolatedBuild(t *testing.T) {
	isolation := hosttest.Isolates(t)
	f := newFixture(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	// The repository's configuration contains a token, as in a CI checkout.
	f.git("config", "http.extraheader", "AUTHORIZATION: hunter2")
	t.Setenv("DEPLOY_TOKEN", "hunter3")
	dial := fmt.Sprintf("bash -c 'exec 3<>/dev/tcp/127.0.0.1/%s'", port)

	f.counter = "built" // inside the worktree: nothing else can be written
	base := f.commit(simple)
	f.git("tag", "v1")
	req := f.request(base)
	req.Isolation = &isolate.Spec{Program: isolation}
	baseResult := f.build(req)

	attempts := []string{
		"cat " + baseResult.Artifacts["bin/prover"],
		"echo evil >" + baseResult.Artifacts["bin/prover"],
		"cat " + filepath.Join(filepath.Dir(baseResult.Worktree), "provenance.json"),
		"rm -r " + f.cache.dir + "/*/worktree/bin.base",
		"cat " + filepath.Join(f.dir, "build.sh"),
		"echo evil >" + filepath.Join(f.dir, ".git", "refs", "heads", "evil"),
		"test -n \"$(ls " + filepath.Join(f.dir, ".git", "hooks") + ")\"",
		"kill -0 " + fmt.Sprint(os.Getpid()),
		"env | grep hunter",
		"git config --list | grep hunter",
		"grep -r hunter " + filepath.Join(f.dir, ".git"),
		dial,
	}
	var script strings.Builder
	for i, a := range attempts {
		fmt.Fprintf(&script, "if (%s) >>tried.log 2>&1; then echo %d >>worked; fi\n", a, i)
	}
	script.WriteString("git describe --tags >described\n" + simple)
	head := f.commit(script.String())
	req = f.request(head)
	req.Isolation = &isolate.Spec{Program: isolation}
	req.Build.Fetch = []string{"sh", "-c",
		"if " + dial + "; then exit 1; fi; test -n \"$https_proxy\" && echo \"a way out\" >fetched && echo cached " +
			">$HOME/cache"}
	r := f.build(req)

	if worked, err := os.ReadFile(filepath.Join(r.Worktree, "worked")); err == nil {
		for _, i := range strings.Fields(string(worked)) {
			var n int
			if _, err := fmt.Sscan(i, &n); err != nil {
				t.Fatal(err)
			}
			t.Errorf("inside the isolation this works: %s", attempts[n])
		}
	}
	read := func(name string) string {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(r.Worktree, name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(data))
	}
	if read("fetched") != "a way out" {
		t.Error("build.fetch has no way out")
	}
	if got := read("described"); !strings.HasPrefix(got, "v1-1-g") {
		t.Errorf("git describe says %q", got)
	}
	if f.content(baseResult) != "prover" || f.content(r) != "prover" || !r.Provenance.Isolated {
		t.Errorf("base %q, head %q, %+v", f.content(baseResult), f.content(r), r.Provenance)
	}
	if again := f.build(req); !again.Cached {
		t.Error("an isolated build is not cached")
	}
	plain := f.request(base)
	if p := f.build(plain); p.Cached {
		t.Error("a build without isolation took the isolated one's entry")
	}
	// The build's programs run under the isolation that the result reports, with the home that fetch filled.
	spec := r.Isolation.Clone()
	if spec.Gateway != nil {
		t.Error("sessions get the network")
	}
	argv := isolate.Wrap(spec, []string{"sh", "-c", "cat $HOME/cache bin/prover"})
	if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil || string(out) != "cached\nprover\n" {
		t.Errorf("%s, %v", out, err)
	}
}

// A build that takes over its worktree's .git gains no control over the harness.
func TestIsolatedBuildCannotTakeOverGit(t *testing.T) {
	isolation := hosttest.Isolates(t)
	f := newFixture(t)
	f.counter = "built"
	f.writeFile(filepath.Join(f.dir, ".gitattributes"), "* filter=evil\n")
	rev := f.commit(simple + `
rm .git; git init --quiet .
git config core.fsmonitor "echo ran >>$PWD/ran"; git config filter.evil.clean "echo ran >>$PWD/ran; cat"
git add -A; echo '# changed' >>build.sh`)
	req := f.request(rev)
	req.Isolation = &isolate.Spec{Program: isolation}
	r := f.build(req)
	ran := filepath.Join(r.Worktree, "ran")
	before, _ := os.ReadFile(ran) // if the build itself ran nothing, there is none
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if again := f.build(req); !again.Cached {
		t.Error("built again")
	} else if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	// The build may run any program; the harness may not run them afterwards.
	if after, err := os.ReadFile(ran); string(after) != string(before) {
		t.Errorf("the harness ran a command of the revision: %q, before it %q, %v", after, before, err)
	}
	entries, err := f.cache.Entries()
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v, %v", entries, err)
	}
	if err := f.cache.Remove(t.Context(), entries[0].Key); err != nil {
		t.Error(err)
	}
}
