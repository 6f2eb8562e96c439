package session

import (
	"fmt"
	"os"
)

// OpenWritten opens a file that a measured program wrote. Its folder is that program's to write, so the path may name
// anything by now: a link is not followed, and only a regular file is opened.
func OpenWritten(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
