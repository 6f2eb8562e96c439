package kerneltest

import (
	"testing"

	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/internal/testcompiler"
)

// Compiler is NVIDIA's, without a cache. Where it is not installed the test is skipped, and fails with CI=true.
func Compiler(t testing.TB) *compile.Compiler {
	t.Helper()
	return &compile.Compiler{Library: testcompiler.NVRTC(t)}
}
