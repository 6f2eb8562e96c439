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
		Warm:       environment.warm,
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
func (e Environment) warm(flags *pflag.FlagSet, once bool) {
	switch flags.Lookup(deviceFlag).Value.String() {
	case gpu.Software, gpu.SoftwareChecked:
	default:
		_, _ = cuda.Open(cuda.Options{Connections: e.connections(once)}) // opening the device reports the failure
	}
}

// Environment is what the binary found in its environment. Empty fields are skipped.
type Environment struct {
	CUDAPath   string // CUDA_PATH: a toolkit's root
	VirtualEnv string // VIRTUAL_ENV: a Python environment that may hold NVRTC
	Home       string // HOME: for packages installed with pip --user
	Cache      string // the user's cache folder, in which compiled kernels are kept

	Connections string // CUDA_DEVICE_MAX_CONNECTIONS, which the driver reads too
}

// connections returns the number of hardware queues to ask for; 0 for no request. A process that makes one proof takes
// two, one for kernels and one for copies: its context is then ready about 60 ms sooner than with the driver's eight
// queues, is destroyed 25 ms sooner, and the proof takes as long (an H200, driver 580). The user's choice is kept.
func (e Environment) connections(once bool) int {
	if !once || e.Connections != "" {
		return 0
	}
	return 2
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
