package cli

import (
	"errors"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
)

// The error of a program's run names the program's file, and the error of a cluster does not.
func TestFailedRunsNameTheProgram(t *testing.T) {
	work := new(workload)
	work.guest.elfPath = "fib.elf"
	for _, tc := range []struct {
		err  error
		want string
	}{
		{&emulator.LimitError{Limit: 5}, "fib.elf: the program had not ended after 5 cycles"},
		{&emulator.Trap{Cycle: 7}, "fib.elf: trap in cycle 7"},
		{errors.New("no answer"), "no answer"},
	} {
		if got := work.failedRun(tc.err).Error(); len(got) < len(tc.want) || got[:len(tc.want)] != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}
