package kernelgen

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
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

// A kernel for AVX2 that contains an instruction of AVX-512 is rejected. Such instructions also exist for the registers
// of AVX2.
func TestKernelsOfAVX2RequireNoMore(t *testing.T) {
	for _, set := range []instructionSet{avx2, avx512} {
		b := newBuilder(set)
		b.kernelOf("move", "()", "moves a register.")
		x, y := b.YMM(), b.YMM()
		b.VPXOR(x, x, x)
		b.VMOVDQA64(x, y)
		b.end()
		_, err := b.files("folder", "name", "kernels")
		const want = "moveAVX2: an instruction requires AVX512"
		if rejected := err != nil && strings.Contains(err.Error(), want); rejected != (set == avx2) {
			t.Errorf("%v: %v", set, err)
		}
	}
}
