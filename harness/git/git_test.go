package git_test

import (
	"context"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chiasmus/chiasmus/harness/git"
)

// plain runs the machine's git with the test author's defaults.
func plain(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git",
		append([]string{"-C", dir, "-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"},
			args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// An alarm is a program that records that it was run, and by which setting.
type alarm struct{ program, marks string }

func newAlarm(t *testing.T) alarm {
	t.Helper()
	dir := t.TempDir()
	a := alarm{filepath.Join(dir, "program"), filepath.Join(dir, "marks")}
	write(t, a.program, "#!/bin/sh\necho \"$0 $*\" >>"+a.marks+"\ncat\n", 0o755)
	return a
}

func (a alarm) rang() string { data, _ := os.ReadFile(a.marks); return string(data) }

// hooks fills a folder with hooks of every kind.
func (a alarm) hooks(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"post-checkout", "reference-transaction", "post-index-change", "fsmonitor-watchman",
		"pre-auto-gc", "post-merge"} {
		write(t, filepath.Join(dir, name), "#!/bin/sh\nexec "+a.program+" "+name+"\n", 0o755)
	}
}

// configuration names the alarm in every setting of git that can name a program.
func (a alarm) configuration() string {
	return strings.ReplaceAll(`[core]
	hooksPath = PROGRAM.hooks
	fsmonitor = PROGRAM
	sshCommand = PROGRAM
	askPass = PROGRAM
	attributesFile = PROGRAM.attributes
	pager = PROGRAM
[credential]
	helper = !PROGRAM credential
[filter "x"]
	smudge = PROGRAM smudge
	clean = PROGRAM clean
	process = PROGRAM process
	required = true
[diff "x"]
	textconv = PROGRAM textconv
[diff]
	external = PROGRAM
[url "https://127.0.0.1:1/"]
	insteadOf = https://
[uploadpack]
	packObjectsHook = PROGRAM
[init]
	templateDir = PROGRAM.template
[protocol]
	allow = always
`, "PROGRAM", a.program)
}

// host fills the configuration and the environment of this host with alarms.
func (a alarm) host(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	write(t, filepath.Join(home, ".gitconfig"), a.configuration(), 0o644)
	write(t, filepath.Join(home, "system"), a.configuration(), 0o644)
	write(t, a.program+".attributes", "* filter=x diff=x\n", 0o644)
	a.hooks(t, a.program+".hooks")
	a.hooks(t, filepath.Join(a.program+".template", "hooks"))
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, ".gitconfig"))
	t.Setenv("GIT_CONFIG_SYSTEM", filepath.Join(home, "system"))
	for _, name := range []string{"GIT_ASKPASS", "SSH_ASKPASS", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_EXTERNAL_DIFF",
		"GIT_PAGER", "GIT_PROXY_COMMAND"} {
		t.Setenv(name, a.program)
	}
	t.Setenv("GIT_TEMPLATE_DIR", a.program+".template")
	t.Setenv("GIT_CONFIG_PARAMETERS", "'core.fsmonitor'='"+a.program+"'")
	t.Setenv("GIT_ALLOW_PROTOCOL", "ext:file:http:https:ssh:git")
}

// repository has one commit with a file that a filter would apply to.
func repository(t *testing.T) (dir, commit string) {
	t.Helper()
	dir = t.TempDir()
	plain(t, dir, "init", "-q")
	write(t, filepath.Join(dir, "file"), "content\n", 0o644)
	write(t, filepath.Join(dir, ".gitattributes"), "* filter=x diff=x\n", 0o644)
	plain(t, dir, "add", ".")
	plain(t, dir, "commit", "-q", "-m", "one")
	return dir, plain(t, dir, "rev-parse", "HEAD")
}

// On the executor neither the host's configuration, nor a revision, nor a hook starts anything.
func TestExecutorRunsNoProgramOfAnybody(t *testing.T) {
	source, commit := repository(t)
	a := newAlarm(t)
	a.host(t)
	target, tree := filepath.Join(t.TempDir(), "target"), filepath.Join(t.TempDir(), "tree")
	for _, call := range []git.Call{
		{Dir: ".", Args: []string{"init", "-q", target}},
		{Dir: target, Args: []string{"fetch", "-q", source, commit + ":refs/heads/x"}, Protocols: []string{"file"}},
		{Dir: target, Args: []string{"worktree", "add", "-q", "--detach", tree, commit}},
		{Dir: tree, Args: []string{"diff", commit}},
		{Dir: tree, Args: []string{"status", "--porcelain"}},
		{Dir: tree, Args: []string{"log", "-p"}},
		{Dir: target, Args: []string{"update-ref", "refs/heads/y", commit}},
	} {
		if _, err := git.Executor.Run(context.Background(), call); err != nil {
			t.Errorf("git %q: %v", call.Args, err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(tree, "file")); string(text) != "content\n" {
		t.Errorf("checked out %q %v", text, err)
	}
	if hooks, _ := filepath.Glob(filepath.Join(target, ".git", "hooks", "*")); len(hooks) > 0 {
		t.Errorf("the template of this host was used: %q", hooks)
	}
	if rang := a.rang(); rang != "" {
		t.Errorf("programs were run:\n%s", rang)
	}
	// The alarms work: plain git triggers them.
	out, err := exec.Command("git", "-C", target, "worktree", "add", "-q", "--detach", tree+"2", commit).CombinedOutput()
	if a.rang() == "" {
		t.Errorf("git as it comes rang no alarm: %v\n%s", err, out)
	}
}

// Hooks are also disabled outside CI, in every configuration.
func TestNoHooksAtADesk(t *testing.T) {
	dir, commit := repository(t)
	a := newAlarm(t)
	a.hooks(t, filepath.Join(dir, ".git", "hooks"))
	if _, err := git.Desk.Run(context.Background(), git.Call{
		Dir:  dir,
		Args: []string{"worktree", "add", "-q", "--detach", filepath.Join(t.TempDir(), "tree"), commit},
	}); err != nil {
		t.Fatal(err)
	}
	if rang := a.rang(); rang != "" {
		t.Errorf("hooks were run:\n%s", rang)
	}
}

// The executor opens no connection for any address, and neither does a call that names no protocol.
func TestExecutorContactsNoServer(t *testing.T) {
	dir, _ := repository(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	var mu sync.Mutex
	connections := 0
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			connections++
			mu.Unlock()
			connection.Close()
		}
	}()
	marker := filepath.Join(t.TempDir(), "marker")
	at := listener.Addr().String()
	controller, err := git.Controller("https://github.com", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"http://" + at + "/x", "https://" + at + "/x", "git://" + at + "/x",
		"ssh://git@" + at + "/x", "git@127.0.0.1:x", "ftp://" + at + "/x", "ext::sh -c touch% " + marker} {
		for name, one := range map[string]struct {
			git       git.Git
			protocols []string
		}{
			"executor":             {git.Executor, nil},
			"executor, with files": {git.Executor, []string{"file"}},
			"executor, all":        {git.Executor, []string{"file", "https", "http", "ssh", "git", "ext"}},
			"controller":           {controller, nil},
			"controller, files":    {controller, []string{"file"}},
			"controller, plain":    {controller, []string{"http"}},
		} {
			if _, err := one.git.Run(context.Background(), git.Call{
				Dir:       dir,
				Args:      []string{"ls-remote", address},
				Protocols: one.protocols,
			}); err == nil {
				t.Errorf("%s spoke to %s", name, address)
			}
		}
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("an address ran a program")
	}
	mu.Lock()
	defer mu.Unlock()
	if connections > 0 {
		t.Errorf("%d connections were opened", connections)
	}
}

// A seen server answers git's first request and records the credentials that it received.
type seen struct {
	*httptest.Server
	mu      sync.Mutex
	headers []string
}

func server(t *testing.T, redirect func() string) *seen {
	t.Helper()
	s := &seen{}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.headers = append(s.headers, r.Header.Get("Authorization"))
		s.mu.Unlock()
		if to := redirect(); to != "" {
			http.Redirect(w, r, to+r.URL.RequestURI(), http.StatusMovedPermanently)
			return
		}
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		fmt.Fprintf(w, "001e# service=git-upload-pack\n0000%s0000", packet(strings.Repeat("1", 40)+" refs/heads/main\x00\n"))
	}))
	t.Cleanup(s.Close)
	return s
}

func packet(text string) string { return fmt.Sprintf("%04x%s", len(text)+4, text) }

func (s *seen) took() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.headers...)
}

// The token is sent only to its own server: not to another server that an address names, not to the target of a
// redirect, and not to an address that has the server's as a prefix.
func TestTokenGoesToItsServerAlone(t *testing.T) {
	foreign := server(t, func() string { return "" })
	moved := ""
	own := server(t, func() string { return moved })
	authorities := filepath.Join(t.TempDir(), "ca.pem")
	var pems []byte
	for _, s := range []*seen{own, foreign} {
		pems = append(pems, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})...)
	}
	write(t, authorities, string(pems), 0o644)
	t.Setenv("GIT_SSL_CAINFO", authorities)
	runner, err := git.Controller(own.URL, "sesame")
	if err != nil {
		t.Fatal(err)
	}
	ask := func(address string, token bool) error {
		_, err := runner.Run(context.Background(), git.Call{
			Dir:       t.TempDir(),
			Args:      []string{"ls-remote", address},
			Protocols: []string{"https"},
			Token:     token,
		})
		return err
	}
	if err := ask(own.URL+"/a/b", true); err != nil {
		t.Fatal(err)
	}
	if took := own.took(); len(took) == 0 || !strings.HasPrefix(took[0], "Basic ") {
		t.Errorf("its own server got %q", took)
	}
	if err := ask(foreign.URL+"/a/b", true); err != nil {
		t.Fatal(err)
	}
	before := len(own.took())
	if err := ask(own.URL+"/a/b", false); err != nil {
		t.Fatal(err)
	}
	if took := own.took()[before:]; strings.Join(took, "") != "" {
		t.Errorf("a call without the token sent %q", took)
	}
	moved = foreign.URL
	if err := ask(own.URL+"/a/b", true); err == nil {
		t.Error("a redirect was followed with the token")
	}
	if err := ask(own.URL+"/a/b", false); err != nil {
		t.Errorf("without the token a redirect is followed: %v", err)
	}
	if took := strings.Join(foreign.took(), ""); took != "" {
		t.Errorf("another server got %q", took)
	}
	for _, server := range []string{"http://github.example", "", "github.example", "https://user@github.example"} {
		if _, err := git.Controller(server, "sesame"); err == nil {
			t.Errorf("a token for the server %q was taken", server)
		}
	}
}
