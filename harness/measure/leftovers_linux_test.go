package measure

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/group"
	"github.com/chiasmus/chiasmus/harness/journal"
)

// A program of a run without a harness is a leftover, unless it has ended since programs were listed: then a harness
// has just finished the run.
func TestLeftoversLive(t *testing.T) {
	// The process number keeps this run apart from those of tests that run at the same time.
	id := fmt.Sprintf("20261123T120000.000Z-%07x-89abcde", os.Getpid())
	run := journal.Directory(filepath.Join(t.TempDir(), id))
	token := sha256.Sum256([]byte(run.ID()))
	program := exec.Command("sleep", "3600")
	program.Env = []string{fmt.Sprintf("CHIASMUS_CHILD=%x.%016x", token[:8], 1)}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	// Start returns before the kernel has laid out the program's environment.
	listed := group.Left()
	for !slices.ContainsFunc(listed, func(p group.Process) bool { return p.PID == program.Process.Pid }) {
		if t.Context().Err() != nil {
			t.Fatal("the program is never listed")
		}
		time.Sleep(time.Millisecond)
		listed = group.Left()
	}
	for _, ended := range []bool{false, true} {
		if ended {
			_ = program.Process.Kill()
			_ = program.Wait()
		}
		if found := leftoversAmong(listed, []journal.Directory{run}); (len(found) == 1) == ended {
			t.Errorf("ended %v: %d programs are left behind", ended, len(found))
		}
	}
}
