package gpu

import (
	"bytes"
	"testing"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// The proof of a program that calls every accelerator is the CPU's. TestTracesOfGuests compares its traces on every
// device.
func TestProofOfCallsIsTheCPUs(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole proof of a program: 15 s of processor time on the software device")
	}
	once := map[*accelerator.Kind]int{}
	for _, kind := range all.Kinds() {
		once[kind] = 1
	}
	program, execution := guestRun(t, callingOften(once))
	m, params := program.Machine(), testParams(t)
	want, _, err := prove(m, params, cpu.New(parallel.New(0)), execution)
	if err != nil {
		t.Fatal(err)
	}
	b := openBackend(t, Options{Seed: 9})
	got, _, err := prove(m, params, b, execution)
	if err != nil {
		t.Fatal(err, b.Finding())
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the device's proof differs from the CPU's from byte %d on", firstDifference(got, want))
	}
	if _, err := prover.Verify(got, prover.VerifyOptions{MinBits: prover.AnyBits, Program: program}); err != nil {
		t.Error(err)
	}
}
