//go:build linux

package runner

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/internal/group"
	"github.com/chiasmus/chiasmus/internal/hosttest"
	"github.com/chiasmus/chiasmus/workflows"
)

// somebody is an unused user id, so that no existing user's files are deleted.
var somebody = Account{Name: "somebody", UID: 64123, GID: 64123}

// world is a folder for software and work that the account can reach, and a shared folder.
func world(t *testing.T, script string) (Options, string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can start programs as another user")
	}
	top, err := os.MkdirTemp("/var/tmp", "runner-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(top) })
	software, common := filepath.Join(top, "software"), filepath.Join(top, "shared")
	for _, folder := range []string{top, software, common} {
		if err := errors.Join(os.MkdirAll(folder, 0o755), os.Chmod(folder, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(common, 0o1777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(software, "run.sh"), []byte("#!/bin/sh\nshared="+common+"\n"+script),
		0o755); err != nil {
		t.Fatal(err)
	}
	return Options{
		Account:  somebody,
		Software: software,
		Work:     filepath.Join(top, "work"),
		Once:     true,
		shared:   []string{common},
		Register: func(context.Context, string) (string, error) { return "registration", nil },
	}, common
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// A job runs as the account without any of root's rights, and leaves nothing: no process, no file, no folder.
func TestOneJobLeavesNothing(t *testing.T) {
	options, common := world(t, `
echo "uid $(id -u) groups $(id -G) home $HOME token $GITHUB_TOKEN registration $ACTIONS_RUNNER_INPUT_JITCONFIG"
cat `+"`command -v run.sh`"+` "$0" >/dev/null || exit 9
echo "# changed" >>run.sh || exit 8
echo poison >$HOME/.bashrc; echo poison >$shared/left; mkdir -p $shared/deep/er; chmod 0 $shared/deep; mkfifo $shared/pipe
setsid sh -c 'trap "" TERM HUP; echo up >'$shared'/daemon; while :; do sleep 1; done' >/dev/null 2>&1 &
while ! test -e $shared/daemon; do :; done
`)
	t.Setenv("GITHUB_TOKEN", "sesame")
	var log bytes.Buffer
	options.Log = &log
	mine := filepath.Join(common, "of-root")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Serve(context.Background(), options); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	if text := log.String(); !strings.Contains(text, "uid 64123 groups 64123 home "+options.Work) ||
		strings.Contains(text, "sesame") || !strings.Contains(text, "registration registration") {
		t.Errorf("the job said:\n%s", text)
	}
	if pids, err := somebody.processes(); err != nil || len(pids) > 0 {
		t.Errorf("processes %v stay, %v", pids, err)
	}
	if left := glob(t, options.Work+"/*"); len(left) > 0 {
		t.Errorf("folders stay: %q", left)
	}
	if left := glob(t, common+"/*"); len(left) != 1 || left[0] != mine {
		t.Errorf("shared files: %q, want those of others alone", left)
	}
	software, err := os.ReadFile(filepath.Join(options.Software, "run.sh"))
	if err != nil || strings.Contains(string(software), "\n# changed") {
		t.Errorf("the job changed the software of the next: %v", err)
	}
}

// Files left by a job when the host went down are deleted before the next job begins.
func TestNextJobFindsNothing(t *testing.T) {
	options, common := world(t, `ls -A "$HOME" "$(dirname $HOME)/.." "$shared"; test -z "$(ls -A $HOME)" || exit 7`)
	left := filepath.Join(options.Work, "job-LEFT", "home", "x")
	for _, path := range []string{left, filepath.Join(common, "left")} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o644),
			os.Lchown(path, 64123, 64123)); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	options.Log = &log
	if err := Serve(context.Background(), options); err != nil || strings.Contains(strings.ToLower(log.String()), "left") {
		t.Errorf("%v\n%s", err, log.String())
	}
}

// The user of jobs is neither root nor the user who starts them.
func TestAccountIsUnshared(t *testing.T) {
	for _, account := range []Account{{Name: "root"}, {Name: "me", UID: uint32(os.Getuid())}} {
		if err := Serve(context.Background(), Options{
			Account: account,
			Work:    t.TempDir(),
			Log:     &bytes.Buffer{},
		}); err == nil {
			t.Errorf("jobs run as %s", account.Name)
		}
		if err := account.killAll(); err == nil {
			t.Errorf("all processes of %s would be ended", account.Name)
		}
	}
	if _, err := Lookup("root"); err == nil {
		t.Error("root is looked up")
	}
	if _, err := Lookup("nobody-of-that-name"); err == nil || !strings.Contains(err.Error(), "useradd") {
		t.Errorf("%v", err)
	}
}

func TestCheckOfTheHost(t *testing.T) {
	options, _ := world(t, "")
	hosttest.Isolates(t)
	said := func(what string) (workflows.Health, bool) {
		for _, finding := range Check(options.Account, options.Software) {
			if strings.Contains(finding.What, what) {
				return finding.Health, true
			}
		}
		return "", false
	}
	if health, ok := said("the account cannot change it"); !ok || health != workflows.Fine {
		t.Errorf("%v", Check(options.Account, options.Software))
	}
	if health, ok := said("bubblewrap isolates"); !ok || health != workflows.Fine {
		t.Errorf("%v", Check(options.Account, options.Software))
	}
	hosttest.With(t, "bwrap", "echo no permission; exit 1")
	if health, ok := said("jobs of somebody will refuse to run"); !ok || health != workflows.Wrong {
		t.Errorf("without user namespaces: %v", Check(options.Account, options.Software))
	}
	hosttest.Without(t, "bwrap")
	if health, ok := said("install the package bubblewrap"); !ok || health != workflows.Wrong {
		t.Errorf("without bubblewrap: %v", Check(options.Account, options.Software))
	}
	if err := os.Chown(filepath.Join(options.Software, "run.sh"), 64123, 64123); err != nil {
		t.Fatal(err)
	}
	if health, ok := said("the account can change"); !ok || health != workflows.Wrong {
		t.Errorf("software of the account's own passes: %v", Check(options.Account, options.Software))
	}
}

// A job has its own cgroup, in which it may create others, and which is deleted with it.
func TestAJobHasACgroup(t *testing.T) {
	options, _ := world(t, "grep ^0:: /proc/self/cgroup\n")
	if why := group.Uncounted(); why != "" {
		t.Skip(why)
	}
	if err := counts(options.Account); err != nil {
		t.Error(err)
	}
	var log bytes.Buffer
	options.Log = &log
	if err := Serve(t.Context(), options); err != nil || !strings.Contains(log.String(), "/chiasmus-") {
		t.Errorf("%v\n%s", err, log.String())
	}
	health := workflows.Wrong
	for _, finding := range Check(options.Account, "") {
		if strings.Contains(finding.What, "a cgroup for each job") {
			health = finding.Health
		}
	}
	if health != workflows.Fine {
		t.Errorf("%v", Check(options.Account, ""))
	}
}
