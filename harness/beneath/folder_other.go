//go:build !linux

package beneath

import (
	"errors"
	"os"
)

// A Folder cannot be opened on this system.
type Folder struct{}

var errLinux = errors.New("files of untrusted programs can be read safely on Linux only")

// OpenFolder returns an error.
func OpenFolder(string) (*Folder, error) { return nil, errLinux }

// Close does nothing.
func (*Folder) Close() error { return nil }

// Open returns an error.
func (*Folder) Open(string, int64) (*os.File, int64, error) { return nil, 0, errLinux }

// List returns an error.
func (*Folder) List(string, int) ([]string, error) { return nil, errLinux }
