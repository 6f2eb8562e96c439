// Command prover proves and verifies statements with Chiasmus STARKs.
//
//	prover prove --machine keccak --input FILE --proof OUT
//	prover verify OUT
//	prover --help
//
// Only this package chooses which backends the binary has.
package main

import (
	"os"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/command"
	"github.com/chiasmus/chiasmus/prover/cli"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

func main() { os.Exit(cli.MainOfProcess(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, backends())) }

// backends lists what --backend auto tries, in order.
func backends() []cli.Backend {
	return []cli.Backend{command.Backend(environment()), {
		Name:    "cpu",
		Predict: func(_ *machine.Fillers, shape *protocol.Shape) (uint64, error) { return cpu.PredictPeak(shape), nil },
		Open: func(options cli.BackendOptions) (backend.Backend, error) {
			opened := cpu.New(options.Pool)
			if options.Once {
				opened = cpu.NewOnce(options.Pool)
			}
			if options.Fillers != nil {
				opened.Prepare(options.Fillers.Machine) // while the key is derived
			}
			return opened, nil
		},
	}}
}
