package sampling

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/flame"
)

// perf finds the program and its time. It names no function of a Go program without a symbol table, as a test's may be.
func TestPerf(t *testing.T) {
	p, err := FindPerf(t.Context(), t.TempDir(), false)
	if err != nil {
		t.Skip("skipped only where perf is missing or refused: " + err.Error())
	}
	t.Setenv(roundsVariable, "2000000")
	t.Setenv("GOMAXPROCS", "1")
	if err := p.While(func() error {
		argv := append(p.Wrap(), os.Args[0])
		said, err := exec.Command(argv[0], argv[1:]...).CombinedOutput()
		if err != nil {
			return errors.New(string(said))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	stacks, err := p.Close(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	changes := flame.Changes(flame.Side{}, flame.Side{Stacks: stacks})
	if len(changes) == 0 || changes[0].HeadSeconds < 0.02 || changes[0].Function != inBrackets(os.Args[0]) &&
		!strings.HasSuffix(changes[0].Function, "sampling.changedWork") {
		t.Errorf("the first of %d functions: %+v", len(changes), changes[:min(1, len(changes))])
	}
}
