package main

import (
	"os"

	"github.com/chiasmus/chiasmus/prover/backend/gpu/command"
)

// environment is all that this binary reads from its environment.
func environment() command.Environment {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = "" // then kernels are compiled each time
	}
	return command.Environment{CUDAPath: os.Getenv("CUDA_PATH"), VirtualEnv: os.Getenv("VIRTUAL_ENV"),
		Home: os.Getenv("HOME"), Cache: cache}
}
