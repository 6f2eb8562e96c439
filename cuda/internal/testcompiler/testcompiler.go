// Package testcompiler finds the compilers that tests of cuda need. A test skips, and says what to install, where
// one is missing; with CI=true it fails instead, so that a CI machine never passes by testing nothing.
package testcompiler

import (
	"os"
	"sync"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/nvrtc"
)

// NVRTC opens NVIDIA's compiler: the file or folder named by the variable CHIASMUS_NVRTC, or where it is installed.
func NVRTC(t testing.TB) *nvrtc.Library {
	t.Helper()
	library, err := openOnce()
	if err != nil {
		Missing(t, err.Error())
	}
	return library
}

// Missing ends a test that lacks a tool: skipped on a developer's machine, failed with CI=true.
func Missing(t testing.TB, reason string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("with CI=true this test must run: %s", reason)
	}
	t.Skip(reason)
}

var openOnce = sync.OnceValues(func() (*nvrtc.Library, error) {
	return nvrtc.Open(nvrtc.Search{
		File:       os.Getenv("CHIASMUS_NVRTC"),
		CUDAPath:   os.Getenv("CUDA_PATH"),
		VirtualEnv: os.Getenv("VIRTUAL_ENV"),
		Home:       os.Getenv("HOME"),
	})
})
