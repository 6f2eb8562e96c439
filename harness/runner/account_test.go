//go:build linux

package runner

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// run runs one job and returns its output.
func run(t *testing.T, options Options) (string, error) {
	t.Helper()
	var log bytes.Buffer
	options.Log = &log
	err := Serve(t.Context(), options)
	return log.String(), err
}

// A job has the account's groups and a home that no other user can read.
func TestWhatAJobIsGiven(t *testing.T) {
	options, _ := world(t, `echo "groups $(id -G) mode $(stat -c %a "$HOME") owner $(stat -c %u:%g "$HOME" run.sh)"`)
	options.Account.Groups = []uint32{64200, 64201}
	said, err := run(t, options)
	if err != nil || !strings.Contains(said, "groups 64123 64200 64201 mode 700 owner 64123:64123") {
		t.Errorf("%v\n%s", err, said)
	}
}

// The target of a link in the runner's software remains root's.
func TestLinksInTheSoftware(t *testing.T) {
	options, common := world(t, "")
	secret := filepath.Join(filepath.Dir(common), "secret")
	if err := errors.Join(os.WriteFile(secret, nil, 0o600),
		os.Symlink(secret, filepath.Join(options.Software, "link"))); err != nil {
		t.Fatal(err)
	}
	if said, err := run(t, options); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if info, err := os.Stat(secret); err != nil || info.Sys().(*syscall.Stat_t).Uid != 0 {
		t.Errorf("the account owns what a link leads to: %v, %v", info.Sys(), err)
	}
}

// The one job of Once reports how it ended. A job that was asked to end is no failure.
func TestHowAJobEnds(t *testing.T) {
	options, _ := world(t, "exit 3")
	if _, err := run(t, options); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("a job that failed: %v", err)
	}
	options, common := world(t, `: >$shared/up; while :; do sleep 1; done`)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for _, err := os.Stat(common + "/up"); err != nil; _, err = os.Stat(common + "/up") {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	options.Log = &bytes.Buffer{}
	if err := Serve(ctx, options); err != nil {
		t.Errorf("a job that was told to end: %v", err)
	}
}

// Pauses double up to five minutes.
func TestPausesAreBounded(t *testing.T) {
	pause := time.Second
	for _, want := range []time.Duration{2, 4, 8, 16, 32, 64, 128, 256, 300, 300} {
		if pause = longer(pause); pause != want*time.Second {
			t.Errorf("a pause of %v, want %v", pause, want*time.Second)
		}
	}
}

// A process belongs to the account by any of its user ids, because it could switch to any of them.
func TestProcessesByAnyNumber(t *testing.T) {
	world(t, "")
	if _, err := exec.LookPath("setpriv"); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command("setpriv", "--euid", "64123", "sleep", "3600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		pids, err := somebody.processes()
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(pids, cmd.Process.Pid) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d is not among the account's processes %v", cmd.Process.Pid, pids)
		}
	}
}

// Files of the account are deleted, but not files of its group.
func TestSweepGoesByTheOwner(t *testing.T) {
	_, common := world(t, "")
	for name, owner := range map[string][2]int{"own": {64123, 0}, "group": {0, 64123}, "other": {0, 0}} {
		path := filepath.Join(common, name)
		if err := errors.Join(os.WriteFile(path, nil, 0o644), os.Lchown(path, owner[0], owner[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := somebody.sweep([]string{common, filepath.Join(common, "not there")}); err != nil {
		t.Error(err)
	}
	if left := glob(t, common+"/*"); len(left) != 2 || slices.Contains(left, filepath.Join(common, "own")) {
		t.Errorf("left: %q", left)
	}
}

// The account's rights on a file follow from its owner, else from its groups, else from the rest, as in the kernel.
func TestBits(t *testing.T) {
	_, common := world(t, "")
	account := Account{Name: "somebody", UID: 64123, GID: 64123, Groups: []uint32{64200}}
	if err := notWritable(account, common); err == nil {
		t.Error("a folder that every user may write to is called safe")
	}
	path := filepath.Join(common, "run.sh")
	for _, c := range []struct {
		uid, gid  int
		mode      fs.FileMode
		use, free bool // may read and write; cannot change
	}{
		{64123, 0, 0o600, true, false}, {64123, 0, 0o466, false, true}, {64123, 0, 0o200, false, false},
		{0, 64123, 0o660, true, false}, {0, 64123, 0o646, false, true}, {0, 64123, 0o606, false, true},
		{0, 64200, 0o660, true, false}, {0, 64200, 0o606, false, true},
		{0, 64201, 0o660, false, true}, {0, 64201, 0o606, true, false}, {0, 64201, 0o664, false, true},
	} {
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chown(path, c.uid, c.gid),
			os.Chmod(path, c.mode)); err != nil {
			t.Fatal(err)
		}
		if got := account.mayUse(path); got != c.use {
			t.Errorf("%d:%d %v: may be used %v", c.uid, c.gid, c.mode, got)
		}
		software := filepath.Join(common, "software")
		if err := os.MkdirAll(software, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path, filepath.Join(software, "run.sh")); err != nil {
			t.Fatal(err)
		}
		if err := notWritable(account, software); (err == nil) != c.free {
			t.Errorf("%d:%d %v: %v", c.uid, c.gid, c.mode, err)
		}
	}
}

// The numbers of an account come from /etc/passwd, each from its own field.
func TestLookupOfAnAccount(t *testing.T) {
	text, err := os.ReadFile("/etc/passwd")
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), ":")
		if len(fields) < 4 || fields[2] == fields[3] || fields[2] == "0" || fields[2] == strconv.Itoa(os.Getuid()) {
			continue
		}
		account, err := Lookup(fields[0])
		if err != nil || strconv.Itoa(int(account.UID)) != fields[2] || strconv.Itoa(int(account.GID)) != fields[3] ||
			!slices.Contains(account.Groups, account.GID) {
			t.Errorf("%s: %+v, %v", line, account, err)
		}
		return
	}
	t.Skip("no account has a user's number that is not its group's")
}

// ownVariable makes the test program check, as the account, whether it may run jobs as itself.
const ownVariable = "CHIASMUS_RUNNER_OWN"

// The user that starts jobs cannot be the jobs' account, even if that user is not root.
func TestOwnAccountIsNone(t *testing.T) {
	if os.Getenv(ownVariable) != "" {
		if err := somebody.check(); err == nil {
			t.Error("jobs run as the user that starts them")
		}
		if err := (Account{Name: "another", UID: 64124}).check(); err != nil {
			t.Error(err)
		}
		return
	}
	options, _ := world(t, "")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(options.Software, "test") // the go command's own folder is not readable for others
	if err := os.WriteFile(copied, program, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := somebody.command("/", []string{ownVariable + "=1"}, copied, "-test.run=^TestOwnAccountIsNone$")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS") {
		t.Errorf("%s%v", out, err)
	}
}
