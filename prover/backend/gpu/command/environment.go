package command

import (
	"path/filepath"

	"github.com/chiasmus/chiasmus/cuda/nvrtc"
)

// Environment is what the binary found in its environment. Empty fields are skipped.
type Environment struct {
	CUDAPath   string // CUDA_PATH: a toolkit's root
	VirtualEnv string // VIRTUAL_ENV: a Python environment that may hold NVRTC
	Home       string // HOME: for packages installed with pip --user
	Cache      string // the user's cache folder, in which compiled kernels are kept
}

// search says where NVRTC may be.
func (e Environment) search(file string) nvrtc.Search {
	return nvrtc.Search{File: file, CUDAPath: e.CUDAPath, VirtualEnv: e.VirtualEnv, Home: e.Home}
}

// kernelCache is the folder of compiled kernels; empty for none.
func (e Environment) kernelCache() string {
	if e.Cache == "" {
		return ""
	}
	return filepath.Join(e.Cache, "chiasmus", "kernels")
}
