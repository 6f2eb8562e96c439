package gpu

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// The proof of a program that calls every accelerator equals the CPU's while the run is streaming, and takes the
// predicted memory. TestTracesOfGuests compares its traces on every device.
func TestProofOfCallsIsTheCPUs(t *testing.T) {
	longtest.Only(t)
	once := map[*accelerator.Kind]int{}
	for _, kind := range all.Kinds() {
		once[kind] = 1
	}
	p := riscvtest.NewProgram(riscvtest.RandomData(rand.New(rand.NewPCG(3, 4))))
	callAll(p, once)
	p.Op(instruction.LUI, 7, 0, 0, 20<<10) // cycles for several instances
	p.Op(instruction.ADDI, 7, 7, 0, -1)
	p.Op(instruction.BNE, 0, 7, 0, -4)
	g := guest{file: p.ELF(false)}
	program, execution := guestRun(t, g)
	fillers, params := program.Fillers(), testParams(t)
	want, _, err := proofOf(fillers, params, cpu.New(parallel.New(0)), execution)
	if err != nil {
		t.Fatal(err)
	}
	program.PartsFrom(1)
	if execution, err = run.Execute(t.Context(), program, run.Input{Data: []byte{}, MinLogHeight: 8}); err != nil {
		t.Fatal(err)
	}
	b := openBackend(t, Options{Seed: 9})
	on, err := prover.New(fillers, params, b, prover.Options{})
	if err != nil {
		t.Fatal(err)
	}
	proof, _, err := on.Prove(t.Context(), whole(execution), nil)
	figures, _ := b.Report()
	if err = errors.Join(err, on.Close()); err != nil {
		t.Fatal(err, b.Finding())
	}
	got, err := proof.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the device's proof differs from the CPU's from byte %d on", firstDifference(got, want))
	}
	if figures["peak_device_bytes"] != figures["predicted_peak_device_bytes"] {
		t.Errorf("a peak of %.0f bytes, %.0f predicted", figures["peak_device_bytes"], figures["predicted_peak_device_bytes"])
	}
	options := prover.VerifyOptions{MinBits: prover.AnyBits, Program: program}
	if _, err := prover.Verify(t.Context(), got, options); err != nil {
		t.Error(err)
	}
}
