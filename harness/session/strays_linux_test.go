package session_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/chiasmus/chiasmus/harness/session"
)

// sleepers lists the programs called sleep that work in a folder.
func sleepers(t *testing.T, dir string) (found []string) {
	t.Helper()
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range processes {
		at, _ := os.Readlink(filepath.Join(process, "cwd"))
		name, _ := os.ReadFile(filepath.Join(process, "comm"))
		if at == dir && strings.TrimSpace(string(name)) == "sleep" {
			found = append(found, process)
		}
	}
	return found
}

// A daemon lives only as long as the session that started it. Other children of this process are not touched.
func TestDaemonsAreKilled(t *testing.T) {
	other := exec.Command("sleep", "3600")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Process.Kill(); _ = other.Wait() }()

	var left []string
	c := command(t, "fault=daemon", "session")
	c.Left = func(programs []string) { left = append(left, programs...) }
	s, err := session.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for id := int64(1); id <= 2; id++ {
		if _, err := s.Prove(t.Context(), request(t, id)); err != nil {
			t.Fatal(err)
		}
	}
	if got := sleepers(t, c.Dir); len(got) != 2 || left != nil {
		t.Fatalf("two daemons were started; %v run, %v were reported", got, left)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := sleepers(t, c.Dir); len(got) != 0 || !slices.Equal(left, []string{"sleep"}) {
		t.Errorf("after the session: %v run, %v were reported", got, left)
	}

	left = nil
	c = command(t, "fault=daemon", "prove")
	c.Left = func(programs []string) { left = append(left, programs...) }
	p := session.NewProcess(c, func(r session.Request) ([]string, error) {
		return append(c.Argv, "--seed", "1", "--proof", r.Proof), nil
	})
	if _, err := p.Prove(t.Context(), request(t, 3)); err != nil {
		t.Fatal(err)
	}
	if got := sleepers(t, c.Dir); len(got) != 0 || !slices.Equal(left, []string{"sleep"}) {
		t.Errorf("after the process: %v run, %v were reported", got, left)
	}
	if err := other.Process.Signal(unix.Signal(0)); err != nil {
		t.Errorf("a child of somebody else was killed: %v", err)
	}
}
