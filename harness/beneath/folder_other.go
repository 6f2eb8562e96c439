//go:build !linux

package beneath

import (
	"errors"
	"os"
)

// A folder cannot be opened on this system.
type folder struct{}

var errLinux = errors.New("files of untrusted programs can be read safely on Linux only")

// openFolder returns an error.
func openFolder(string) (*folder, error) { return nil, errLinux }

// Close does nothing.
func (*folder) Close() error { return nil }

// Open returns an error.
func (*folder) Open(string, int64) (*os.File, int64, error) { return nil, 0, errLinux }

// List returns an error.
func (*folder) List(string, int) ([]string, error) { return nil, errLinux }
