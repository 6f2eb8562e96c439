package group_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// A descriptor of a folder that a library or the harness's parent opened gives no way out.
func TestNoDescriptorIsInherited(t *testing.T) {
	folder, err := unix.Open("/", unix.O_RDONLY|unix.O_DIRECTORY, 0) // without O_CLOEXEC
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(folder)
	list := fmt.Sprintf("[ -e /proc/$$/fd/%d ] && echo inherited || echo none", folder)
	inherited, err := exec.Command("sh", "-c", list).Output()
	if err != nil || string(inherited) != "inherited\n" {
		t.Fatalf("the test shows nothing: %q, %v", inherited, err)
	}
	cmd := exec.Command("sh", "-c", list)
	group.Own(cmd)
	if out, err := cmd.Output(); err != nil || string(out) != "none\n" {
		t.Errorf("%q, %v", out, err)
	}
}

// start starts a script for a run and waits until it says that it is ready.
func start(t *testing.T, run, script string) (*exec.Cmd, *group.Child) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd := exec.Command("sh", "-c", script)
	cmd.Env, cmd.Stdout = os.Environ(), write
	child, err := group.Start(run, cmd)
	write.Close()
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(read).ReadString('\n'); line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return cmd, child
}

// Daemons keep only the environment of the script, or not even that. The script waits until a daemon has its own name.
const (
	alone  = `setsid sleep 3600 >/dev/null 2>&1 & ` + untilSleeps
	hidden = `setsid env -i sleep 3600 >/dev/null 2>&1 & ` + untilSleeps

	untilSleeps = `until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done; echo ready; `
)

func of(run string) (found []group.Process) {
	for _, p := range group.Left() {
		if p.Of(run) {
			found = append(found, p)
		}
	}
	return found
}

func running(run string) (programs []string) {
	for _, p := range of(run) {
		programs = append(programs, p.Program)
	}
	return programs
}

// The size of the environment moves the stack, so it is equal for all runs.
func TestMarksHaveOneLength(t *testing.T) {
	var lengths []int
	for _, run := range []string{"", "a", "a run with a longer name"} {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("env")
		cmd.Env, cmd.Stdout = []string{"A=1"}, write
		child, err := group.Start(run, cmd)
		write.Close()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(read)
		if err != nil || !strings.HasPrefix(string(text), "A=1\nCHIASMUS_CHILD=") {
			t.Errorf("%q, %v", text, err)
		}
		lengths = append(lengths, len(text))
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		child.End()
	}
	if slices.Min(lengths) != slices.Max(lengths) {
		t.Errorf("lengths %v", lengths)
	}
}

// Processes that left the group of a child end with that child, and with no other child.
func TestEndFindsWhatLeftTheGroup(t *testing.T) {
	dir := t.TempDir() // only this test's processes
	others := group.Children(os.Getpid())
	firstLeader, first := start(t, dir+"one", alone)
	secondLeader, second := start(t, dir+"two", alone)
	for _, cmd := range []*exec.Cmd{firstLeader, secondLeader} {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	if got := running(dir + "one"); !slices.Equal(got, []string{"sleep"}) {
		t.Errorf("of the first run %q", got)
	}
	if left := first.End(); !slices.Equal(left, []string{"sleep"}) {
		t.Errorf("left %q", left)
	}
	if a, b := running(dir+"one"), running(dir+"two"); len(a) != 0 || len(b) != 1 {
		t.Errorf("after the end of the first, %q and %q run", a, b)
	}
	second.End()
	for _, child := range group.Children(os.Getpid()) {
		if !slices.Contains(others, child) {
			t.Errorf("child %d is left", child)
		}
	}
}

// cgroupOf is the folder of a process's cgroup, if this host allows creating cgroups below the test's own.
func cgroupOf(t *testing.T, pid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::")
		for _, mount := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/unified"} {
			if _, err := os.Stat(mount + path + "/cgroup.procs"); ok && err == nil && strings.Contains(path, "chiasmus-") {
				return mount + path
			}
		}
	}
	t.Skip("no cgroup of version 2 may be made here")
	return ""
}

// A program that erases its environment is found by its cgroup, even in a nested cgroup that it made: by the process
// that started it, or by its run if that process was killed.
func TestWhatHidesItsMarkIsFound(t *testing.T) {
	for _, deeper := range []bool{false, true} {
		run := t.TempDir()
		leader, child := start(t, run, hidden+"exec sleep 3600")
		dir := cgroupOf(t, leader.Process.Pid)
		other, second := start(t, run+"other", hidden)
		daemons := of(run)
		if len(daemons) != 2 { // the script, and what it started
			t.Fatalf("of the run: %+v", daemons)
		}
		if deeper {
			dir = filepath.Join(dir, "deeper")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			for _, p := range daemons {
				if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(p.PID)), 0); err != nil {
					t.Fatal(err)
				}
			}
		}
		group.Kill(leader.Process.Pid)
		_ = leader.Wait()
		if got := running(run); !slices.Equal(got, []string{"sleep"}) {
			t.Errorf("deeper %v: of the run %q", deeper, got)
		}
		if left := child.End(); !slices.Equal(left, []string{"sleep"}) {
			t.Errorf("deeper %v: left %q", deeper, left)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s stays", dir)
		}
		if err := other.Wait(); err != nil {
			t.Error(err)
		}
		found := of(run + "other")
		if len(found) != 1 || found[0].Program != "sleep" {
			t.Fatalf("of the other run %+v", found)
		}
		if err := found[0].Kill(); err != nil {
			t.Error(err)
		}
		if left := running(run + "other"); len(left) != 0 {
			t.Errorf("killed, and %q runs", left)
		}
		second.End()
	}
}

// A sandbox ends with the child. If it ends a moment later it is killed, but not reported as a leftover.
func TestASandboxIsNotLeftBehind(t *testing.T) {
	if err := exec.Command("unshare", "--pid", "--fork", "true").Run(); err != nil {
		t.Skip("no PID namespace may be made here: ", err)
	}
	run := t.TempDir()
	leader, child := start(t, run, "exec unshare --pid --fork setsid env -i sh -c 'echo ready; exec sleep 3600'")
	cgroupOf(t, leader.Process.Pid)
	group.Kill(leader.Process.Pid)
	_ = leader.Wait()
	if got := running(run); !slices.Equal(got, []string{"sleep"}) && !slices.Equal(got, []string{"sh"}) {
		t.Fatalf("the test shows nothing: of the run %q", got)
	}
	if left := child.End(); len(left) != 0 {
		t.Errorf("left %q", left)
	}
	if got := running(run); len(got) != 0 {
		t.Errorf("of the run %q", got)
	}
}

// A process that moves itself out of its cgroup is found by its mark.
func TestWhatLeavesItsCgroupIsFound(t *testing.T) {
	run := t.TempDir()
	leader, child := start(t, run, alone+"exec sleep 3600")
	above := filepath.Join(filepath.Dir(cgroupOf(t, leader.Process.Pid)), "cgroup.procs")
	for _, p := range of(run) {
		if err := os.WriteFile(above, []byte(strconv.Itoa(p.PID)), 0); err != nil {
			t.Fatal(err)
		}
	}
	group.Kill(leader.Process.Pid)
	_ = leader.Wait()
	if got := running(run); !slices.Equal(got, []string{"sleep"}) {
		t.Errorf("of the run %q", got)
	}
	if left := child.End(); !slices.Equal(left, []string{"sleep"}) {
		t.Errorf("left %q", left)
	}
}

// A command that cannot be started leaves nothing behind, and reports the same error as without a cgroup.
func TestStartFails(t *testing.T) {
	cmd := exec.Command("/nowhere/program")
	_, err := group.Start("run", cmd)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	leader, child := start(t, "run", "echo ready; exec sleep 3600")
	defer func() { group.Kill(leader.Process.Pid); _ = leader.Wait(); child.End() }()
	dir := cgroupOf(t, leader.Process.Pid)
	left, err := filepath.Glob(filepath.Join(filepath.Dir(dir), fmt.Sprintf("chiasmus-*-%d-*", os.Getpid())))
	if err != nil || !slices.Equal(left, []string{dir}) {
		t.Errorf("cgroups %q, want %s alone", left, dir)
	}
}

// A process whose parent is gone is found by its run. Its id may have been reused since.
func TestProcessesOfARunCanBeKilled(t *testing.T) {
	run := t.TempDir()
	cmd, child := start(t, run, "echo ready; sleep 3600 & wait; true")
	defer child.End()
	found := slices.DeleteFunc(of(run), func(p group.Process) bool { return p.PID != cmd.Process.Pid })
	if len(found) != 1 || found[0].Program != "sh" {
		t.Fatalf("found %+v", of(run))
	}
	if found[0].Of("other") || found[0].Of("") {
		t.Errorf("%+v also belongs to another run", found[0])
	}
	impostor := found[0]
	impostor.PID = os.Getpid()
	if err := impostor.Kill(); err != nil { // this process continues
		t.Error(err)
	}
	if err := found[0].Kill(); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("it ended with %v", err)
	}
	if err := found[0].Kill(); err != nil {
		t.Errorf("killed again: %v", err)
	}
}
