package main

import (
	"os"

	"github.com/chiasmus/chiasmus/prover/backend/gpu/command"
)

// environment returns everything that this binary reads from its environment.
func environment() command.Environment {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = "" // kernels are then compiled by each process
	}
	return command.Environment{CUDAPath: os.Getenv("CUDA_PATH"), VirtualEnv: os.Getenv("VIRTUAL_ENV"),
		Home: os.Getenv("HOME"), Cache: cache, Connections: os.Getenv("CUDA_DEVICE_MAX_CONNECTIONS")}
}
