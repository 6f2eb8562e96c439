package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// An InputFile is a file that a template names as {input:PATH}.
type InputFile struct {
	// Name is the path in the template, and File the absolute path.
	Name   string `json:"name"`
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Inputs hashes the files that a workload's templates name, relative to the folder of the config. A symbolic link that
// leads out of that folder is an error.
func (f *File) Inputs(w Workload) ([]InputFile, error) {
	dir, err := filepath.Abs(filepath.Dir(f.Path))
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var out []InputFile
	seen := map[string]bool{}
	for _, t := range w.Templates() {
		for _, name := range t.Texts(Input) {
			if seen[name] {
				continue
			}
			seen[name] = true
			in, err := hashInput(root, name)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: workload %s: {input:%s}: %w", f.Path, w.Line, w.Name, name, err)
			}
			in.Name = name
			in.File = filepath.Join(dir, filepath.FromSlash(name))
			out = append(out, in)
		}
	}
	return out, nil
}

func hashInput(root *os.Root, name string) (InputFile, error) {
	name = filepath.FromSlash(name)
	// Stat before opening: opening a pipe would wait for a writer.
	if info, err := root.Stat(name); err != nil {
		return InputFile{}, err
	} else if !info.Mode().IsRegular() {
		return InputFile{}, errors.New("is not a regular file")
	}
	file, err := root.Open(name)
	if err != nil {
		return InputFile{}, err
	}
	defer file.Close()
	h := sha256.New()
	n, err := io.Copy(h, file)
	if err != nil {
		return InputFile{}, err
	}
	return InputFile{SHA256: hex.EncodeToString(h.Sum(nil)), Bytes: n}, nil
}
