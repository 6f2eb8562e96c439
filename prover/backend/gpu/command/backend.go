package command

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu"
	"github.com/chiasmus/chiasmus/prover/cli"
)

// Backend is the GPU backend for a command line.
func Backend(environment Environment) cli.Backend {
	return cli.Backend{
		Name:     "gpu",
		Flags:    addFlags,
		Commands: environment.commands,
		Predict:  func(shape *backend.Shape) (uint64, error) { return gpu.PredictPeak(shape) },
		Open: func(options cli.BackendOptions) (backend.Backend, error) {
			o, err := environment.options(options)
			if err != nil {
				return nil, err
			}
			return gpu.New(o)
		},
	}
}
