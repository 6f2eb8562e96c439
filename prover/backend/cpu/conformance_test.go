package cpu_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/backendtest"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/fib"
	"github.com/chiasmus/chiasmus/prover/machine/keccak"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
)

// Three workers compute the same as one worker, and so do a backend for one proof and one that compiled a machine in
// advance, whether or not it is the machine to prove.
func TestConformance(t *testing.T) {
	preset, err := protocol.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	walk, errTour := tour.New(tour.Sample())
	sequence, errFib := fib.Program()
	other, errKeccak := keccak.Program()
	if errTour != nil || errFib != nil || errKeccak != nil {
		t.Fatal(errTour, errFib, errKeccak)
	}
	for _, tc := range []struct {
		program run.Program
		sizes   [2]int
	}{{walk, [2]int{40, 150}}, {sequence, [2]int{32, 256}}} { // fib has no buses
		prepared, misled := cpu.NewOnce(parallel.New(2)), cpu.New(parallel.New(2))
		prepared.Prepare(tc.program.Machine())
		misled.Prepare(other.Machine())
		for kind, b := range map[string]backend.Backend{"three workers": cpu.New(parallel.New(3)),
			"for one proof": cpu.NewOnce(parallel.New(2)), "prepared": prepared, "prepared for another": misled} {
			t.Run(tc.program.Machine().Name+"/"+kind, func(t *testing.T) {
				backendtest.Run(t, backendtest.Case{Backend: b, Reference: cpu.New(parallel.New(1)),
					Fillers: tc.program.Fillers(), Sizes: tc.sizes, Params: preset.Params,
					Execute: func(size int) (machine.Execution, error) {
						return run.Execute(t.Context(), tc.program, run.Input{Size: size, Seed: 7,
							MinLogHeight: preset.Params.MinLogHeight, Pool: parallel.New(1)})
					}})
			})
		}
	}
}
