package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// writeWhole writes a file that appears whole or not at all: to a temporary file beside it, then
// renamed. What is not a regular file (/dev/stdout, a pipe) is written directly.
func writeWhole(path string, data []byte) (err error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return fmt.Errorf("%s is a folder", path)
		}
		return os.WriteFile(path, data, 0o644)
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(temporary.Name()))
		}
	}()
	_, err = temporary.Write(data)
	if err == nil {
		err = temporary.Chmod(0o644)
	}
	if err = errors.Join(err, temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}

// writable says beforehand what would stop writeWhole, so that no proof is made in vain.
func writable(flag, path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return Usagef("%s: %w", flag, err)
	}
	if !info.IsDir() {
		return Usagef("%s: %s is no folder", flag, filepath.Dir(path))
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return Usagef("%s: %s is a folder", flag, path)
	}
	return nil
}
