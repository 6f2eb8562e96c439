package kernels_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/cuda/kernels/kerneltest"
)

func TestResources(t *testing.T) {
	kerneltest.Resources(t, "testdata/resources.json", kernels.Units())
}
