package kernelgen

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestFilesAreGenerated compares the kernels in the tree with the generators' output.
func TestFilesAreGenerated(t *testing.T) {
	files, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		have, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(f.Path)))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(have, f.Content) {
			t.Errorf("%s is not what the generator writes: run go generate ./prover/internal/kernelgen", f.Path)
		}
	}
}
