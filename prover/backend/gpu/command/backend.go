package command

import (
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/nvrtc"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu"
	"github.com/chiasmus/chiasmus/prover/cli"
)

// Backend returns the GPU backend for a command line.
func Backend(environment Environment) cli.Backend {
	return cli.Backend{
		Name:       "gpu",
		Flags:      addFlags,
		DeviceFlag: deviceFlag,
		Commands:   environment.commands,
		Predict:    gpu.PredictPeak,
		Least:      gpu.PredictLeast,
		Warm:       warm,
		Open: func(options cli.BackendOptions) (backend.Backend, error) {
			o, err := environment.options(options)
			if err != nil {
				return nil, err
			}
			if options.Fillers != nil {
				return gpu.NewFor(o, options.Fillers)
			}
			return gpu.New(o)
		},
		Devices: devices,
	}
}

// warm initializes the driver, which takes longer than loading a program and declaring its machine. Initializing it
// again, when the device is opened, waits for the first call and then takes no time.
func warm(flags *pflag.FlagSet) {
	switch flags.Lookup(deviceFlag).Value.String() {
	case gpu.Software, gpu.SoftwareChecked:
	default:
		_, _ = cuda.Open(cuda.Options{}) // opening the device reports the failure
	}
}

// Environment is what the binary found in its environment. Empty fields are skipped.
type Environment struct {
	CUDAPath   string // CUDA_PATH: a toolkit's root
	VirtualEnv string // VIRTUAL_ENV: a Python environment that may hold NVRTC
	Home       string // HOME: for packages installed with pip --user
	Cache      string // the user's cache folder, in which compiled kernels are kept
}

// search returns the places where NVRTC may be.
func (e Environment) search(file string) nvrtc.Search {
	return nvrtc.Search{File: file, CUDAPath: e.CUDAPath, VirtualEnv: e.VirtualEnv, Home: e.Home}
}

// kernelCache returns the folder of compiled kernels, empty for none.
func (e Environment) kernelCache() string {
	if e.Cache == "" {
		return ""
	}
	return filepath.Join(e.Cache, "chiasmus", "kernels")
}
