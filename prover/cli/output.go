package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// writeWhole writes a file that appears whole or not at all: it writes a temporary file in the same folder and
// renames it. If path is not a regular file (/dev/stdout, a pipe), it writes directly.
func writeWhole(path string, data []byte) (err error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return fmt.Errorf("%s is a folder", path)
		}
		return os.WriteFile(path, data, 0o644)
	}
	temporary, err := temporaryBeside(path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", path, errors.Join(reason(err), os.Remove(temporary.Name())))
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

// temporaryBeside creates the temporary file in path's folder.
func temporaryBeside(path string) (*os.File, error) {
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, reason(err))
	}
	return temporary, nil
}

// reason returns an error without the path of a temporary file, which means nothing to the user.
func reason(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// writable reports in advance an error that writeWhole would return, so that no proof is made in vain. To check, it
// creates a temporary file.
func writable(flag, path string) error {
	if path == "" {
		return nil
	}
	if err := placed(flag, path); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil
	}
	temporary, err := temporaryBeside(path)
	if err != nil {
		return Usagef("%s: %w", flag, err)
	}
	return errors.Join(temporary.Close(), os.Remove(temporary.Name()))
}

// placed checks in advance whether path can be a file, without creating one, which would take time in a measured proof.
func placed(flag, path string) error {
	info, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return Usagef("%s: %w", flag, err)
	}
	if !info.IsDir() {
		return Usagef("%s: %s is not a folder", flag, filepath.Dir(path))
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return Usagef("%s: %s is a folder", flag, path)
	}
	return nil
}

// namedFile is a file that a flag names, or none.
type namedFile struct{ flag, path string }

// distinct rejects two flags that name the same regular file: the second write would replace the first.
func distinct(files []namedFile) error {
	for i, file := range files {
		for _, other := range files[:i] {
			if file.path != "" && other.path != "" && sameFile(file.path, other.path) {
				return Usagef("%s %s and %s %s are the same file: one would replace the other", other.flag, other.path, file.flag,
					file.path)
			}
		}
	}
	return nil
}

// sameFile reports whether two paths name the same regular file, which need not exist.
func sameFile(a, b string) bool {
	first, errFirst := os.Stat(a)
	second, errSecond := os.Stat(b)
	if errFirst == nil && errSecond == nil {
		return first.Mode().IsRegular() && os.SameFile(first, second)
	}
	wholeA, errFirst := filepath.Abs(a)
	wholeB, errSecond := filepath.Abs(b)
	return errFirst == nil && errSecond == nil && wholeA == wholeB
}
