package group_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// A descriptor of a folder that somebody else opened, as a library does or whoever started the harness, is no way out.
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

// start runs a script with a mark and waits until it says that it is ready.
func start(t *testing.T, mark, script string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.Env = append(os.Environ(), mark)
	group.Own(cmd)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return cmd
}

// alone starts a daemon that keeps nothing of the script but its environment, and waits until it has its own name.
const alone = `setsid sleep 3600 >/dev/null 2>&1 & until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done; echo ready; `

func running(run string) (programs []string) {
	for _, p := range group.Marked() {
		if p.Of(run) {
			programs = append(programs, p.Program)
		}
	}
	return programs
}

// What left the group of a child ends with the child, and with no other.
func TestEndFindsWhatLeftTheGroup(t *testing.T) {
	dir := t.TempDir() // of this test alone, whatever another one left
	one, two := group.NewMark(dir+"one"), group.NewMark(dir+"two")
	if len(one) != len(two) || len(one) != len(group.NewMark("a run with a longer name")) {
		t.Error("marks have different lengths")
	}
	first, second := start(t, one, alone), start(t, two, alone)
	for _, cmd := range []*exec.Cmd{first, second} {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	if got := running(dir + "one"); !slices.Equal(got, []string{"sleep"}) {
		t.Errorf("of the first run %q", got)
	}
	if left := group.End(first.Process.Pid, one); !slices.Equal(left, []string{"sleep"}) {
		t.Errorf("left %q", left)
	}
	if a, b := running(dir+"one"), running(dir+"two"); len(a) != 0 || len(b) != 1 {
		t.Errorf("after the end of the first, %q and %q run", a, b)
	}
	group.End(second.Process.Pid, two)
	if left := group.Children(os.Getpid()); len(left) != 0 {
		t.Errorf("children %v are left", left)
	}
}

// One whose starter is gone is found by its run. Its number may have come to another since.
func TestMarkedProcessesCanBeKilled(t *testing.T) {
	run := t.TempDir()
	mark := group.NewMark(run)
	cmd := exec.Command("sh", "-c", "echo ready; read -r line")
	cmd.Env = append(os.Environ(), mark)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(stdout, make([]byte, len("ready\n"))); err != nil {
		t.Fatal(err)
	}
	var found []group.Process
	for _, p := range group.Marked() {
		if p.Of(run) {
			found = append(found, p)
		}
	}
	if len(found) != 1 || found[0].PID != cmd.Process.Pid || found[0].Program != "sh" {
		t.Fatalf("found %+v", found)
	}
	if found[0].Of("other") || found[0].Of("") {
		t.Errorf("%+v is of another run too", found[0])
	}
	impostor := found[0]
	impostor.PID = os.Getpid()
	if err := impostor.Kill(); err != nil { // this process goes on
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
