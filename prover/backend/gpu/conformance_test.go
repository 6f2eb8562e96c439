package gpu

import (
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/backend/backendtest"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// Records that grow while they are sent give the columns of the records that the host makes.
func TestGrowingRecordsArrive(t *testing.T) {
	checkRecords(t, programOf(t, "keccak"), run.Input{Size: 3, Seed: 7})
}

// Records that the device derives from a run that it replays give the columns of the records that the host makes.
func TestDerivedRecordsArrive(t *testing.T) {
	longtest.Only(t)
	guest, err := riscv.New(riscvtest.Guest(t, "fib"))
	if err != nil {
		t.Fatal(err)
	}
	checkRecords(t, guest, run.Input{Data: riscvtest.Numbers(9)})
}

func checkRecords(t *testing.T, program run.Program, input run.Input) {
	t.Helper()
	b, params := openBackend(t, Options{Seed: 1}), testParams(t)
	input.MinLogHeight, input.Pool = params.MinLogHeight, parallel.New(2)
	backendtest.Run(t, backendtest.Case{Backend: b, Reference: cpu.New(parallel.New(2)), Fillers: program.Fillers(),
		Params:  params,
		Execute: func(int) (machine.Execution, error) { return run.Execute(t.Context(), program, input) },
	}, backendtest.Records)
	if finding := b.Finding(); finding != "" {
		t.Error(finding)
	}
}

// The device passes the checks of every backend, with the CPU as the reference.
func TestConformance(t *testing.T) {
	for name, sizes := range map[string][2]int{"tour": {40, 150}, "fib": {32, 256}} {
		t.Run(name, func(t *testing.T) {
			program, params := claim{name: name}.program(t), testParams(t)
			everyDevice(t, false, func(t *testing.T, b *Backend) {
				backendtest.Run(t, backendtest.Case{Backend: b, Reference: cpu.New(parallel.New(2)),
					Fillers: program.Fillers(), Sizes: sizes, Params: params,
					Execute: func(size int) (machine.Execution, error) {
						return run.Execute(t.Context(), program, run.Input{Size: size, Seed: 7,
							MinLogHeight: params.MinLogHeight, Pool: parallel.New(2)})
					}})
				if finding := b.Finding(); finding != "" {
					t.Error(finding)
				}
			})
		})
	}
}
