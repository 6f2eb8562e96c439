package kernelgen

//go:generate go run ./generate -root ../../..

import (
	"os"
	"path/filepath"
)

// Files generates every kernel file.
func Files() ([]file, error) {
	var all []file
	for _, set := range []instructionSet{avx2, avx512} {
		for _, generate := range []func(instructionSet) ([]file, error){
			vectorKernels,
			transformKernels,
			keccakKernels,
			blake3Kernels,
			traceKernels,
			tapeKernels,
		} {
			files, err := generate(set)
			if err != nil {
				return nil, err
			}
			all = append(all, files...)
		}
	}
	return all, nil
}

// Write generates every kernel file below root, the repository's root.
func Write(root string) error {
	files, err := Files()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(f.Path)), f.Content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
