package gpu

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend/backendtest"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

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
