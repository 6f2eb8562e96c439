package gpu

import (
	"context"
	"os"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/kernels/kerneltest"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// TestWriteKernels fills the folder CHIASMUS_WRITE_KERNELS with the kernels of the machines that only these tests have,
// for the architecture CHIASMUS_ARCH, so that the tests run on a GPU host without NVRTC (CHIASMUS_KERNELS there).
// prover kernels build writes the kernels of the real machines.
func TestWriteKernels(t *testing.T) {
	folder, architecture := os.Getenv("CHIASMUS_WRITE_KERNELS"), os.Getenv("CHIASMUS_ARCH")
	if folder == "" || architecture == "" {
		t.Skip("CHIASMUS_WRITE_KERNELS and CHIASMUS_ARCH are not set: nothing to write")
	}
	var units []compile.Unit
	for _, m := range []*machine.Fillers{programOf(t, "tour").Fillers(), unfilled(oddMachine(t))} {
		own, err := newProgram(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, own.units...)
	}
	if _, err := kerneltest.Compiler(t).Write(context.Background(), architecture, units, folder, nil); err != nil {
		t.Fatal(err)
	}
}
