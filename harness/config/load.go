package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// FileName is the name of a config.
const FileName = "bench.yaml"

// Find returns the path of the bench.yaml in dir. It searches only that folder, so that the choice of file is never
// ambiguous; the error names a file further up if there is one.
func Find(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if path := filepath.Join(abs, FileName); isFile(path) {
		return path, nil
	}
	for up := filepath.Dir(abs); ; up = filepath.Dir(up) {
		if path := filepath.Join(up, FileName); isFile(path) {
			return "", fmt.Errorf("no %s in %s: run in %s, or name the file with --config %s", FileName, abs, up, path)
		}
		if up == filepath.Dir(up) {
			return "", fmt.Errorf("no %s in %s: `harness init` writes one from the build files there; or compare a command "+
				"without one (--command 'cargo bench ...'), or name a file with --config", FileName,
				abs)
		}
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Load reads and checks a bench.yaml. The error about invalid content has a line for each mistake, with file, line,
// column and key.
func Load(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	source, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return nil, err
	}
	return Parse(path, source)
}

// Parse decodes the content of a bench.yaml. The path is used only in errors.
func Parse(path string, source []byte) (*File, error) {
	d := &decoder{file: path, former: map[string]string{}}
	root := d.parse(source)
	if err := d.result(); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(source)
	file := &File{Path: path, Source: bytes.Clone(source), SHA256: hex.EncodeToString(sum[:])}
	d.decodeFile(root, file)
	if err := d.result(); err != nil {
		return nil, err
	}
	return file, nil
}
