package devicecheck

import (
	"context"
	_ "embed"
	"os"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/internal/testcompiler"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

//go:embed testdata/random.cu
var randomSource string

// TestWriteKernels fills the folder CHIASMUS_WRITE_KERNELS with everything that this package's and cuda/kernels' tests
// run, for the architecture CHIASMUS_ARCH, so that they run on a GPU host without NVRTC (CHIASMUS_KERNELS there).
func TestWriteKernels(t *testing.T) {
	folder, architecture := os.Getenv("CHIASMUS_WRITE_KERNELS"), os.Getenv("CHIASMUS_ARCH")
	if folder == "" || architecture == "" {
		t.Skip("CHIASMUS_WRITE_KERNELS and CHIASMUS_ARCH are not set: nothing to write")
	}
	units := append(kernels.Units(), kernels.Generated("primitives.cu", primitivesSource),
		kernels.Generated("field.cu", fieldSource),
		kernels.Generated("random.cu", randomSource), kernels.Generated("planted.cu", plantedSource),
		kernels.Generated("limits.cu", limitsSource))
	compiler := compile.Compiler{Library: testcompiler.NVRTC(t)}
	objects, err := compiler.Write(context.Background(), architecture, units, folder, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range objects {
		for _, k := range object.Kernels {
			t.Logf("%s: %d registers, %d bytes spilled, %d bytes of shared memory", k.Name, k.Registers,
				k.SpillStoreBytes, k.SharedBytes)
		}
	}
}
