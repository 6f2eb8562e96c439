package gpu

import (
	"bytes"
	"flag"
	"testing"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

var proveCalls = flag.Bool("calls", false,
	"prove a program that calls accelerators on the software device too: a minute, most of it for the fixed tables")

// The proof of a program that calls every accelerator is the CPU's. TestTracesOfGuests compares its traces everywhere.
func TestProofOfCallsIsTheCPUs(t *testing.T) {
	if !onGPU() && !*proveCalls {
		t.Skip("the software device takes a minute: -calls has it prove")
	}
	program, execution := guestRun(t, callingGuest())
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
