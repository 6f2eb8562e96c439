package devicecheck

import (
	_ "embed"
	"os"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

//go:embed testdata/planted.cu
var plantedSource string

// TestPlanted launches the bug that CHIASMUS_PLANT names. It runs under compute-sanitizer, which must report the bug
// by its exit code. The test itself does not fail for the bug, so that no other failure can be mistaken for the
// report.
func TestPlanted(t *testing.T) {
	plant := os.Getenv("CHIASMUS_PLANT")
	if plant == "" {
		t.Skip("CHIASMUS_PLANT is not set: overrun, race or unwritten")
	}
	// Each buffer is a separate allocation: in one slab an overrun would hit a neighbor.
	d := testdevice.Open(t, testdevice.Options{Checked: true, Unpoisoned: true})
	module := d.Load(kernels.Generated("planted.cu", plantedSource))
	const n = 256
	out, in := d.Take("out", n), d.Take("in", n)
	arguments := []cuda.Argument{cuda.Address(out.All()), cuda.U64(n)}
	switch plant {
	case "overrun", "race":
	case "unwritten":
		arguments = []cuda.Argument{cuda.Address(out.All()), cuda.Address(in.All()), cuda.U64(n)}
	default:
		t.Fatalf("CHIASMUS_PLANT is %q, want overrun, race or unwritten", plant)
	}
	threads := uint64(256)
	if plant == "overrun" {
		threads = 32
	}
	d.Launch(d.Function(module, "chiasmus_planted_"+plant), cuda.Linear(threads, threads), arguments...)
	if err := d.Stream.Synchronize(); err != nil {
		t.Logf("the device says: %v", err)
	}
}
