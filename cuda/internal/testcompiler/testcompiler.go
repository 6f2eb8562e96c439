// Package testcompiler finds the compilers that cuda's tests need. If one is missing, a test skips and says what to
// install; with CI=true it fails instead, so that CI cannot pass without testing anything.
package testcompiler

import (
	"os"
	"sync"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/nvrtc"
)

// NVRTC opens NVIDIA's compiler: the file or folder in the variable CHIASMUS_NVRTC, or the installed one.
func NVRTC(t testing.TB) *nvrtc.Library {
	t.Helper()
	library, err := openOnce()
	if err != nil {
		Missing(t, err.Error())
	}
	return library
}

// Missing ends a test that lacks a tool: it skips, or fails if CI=true.
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
