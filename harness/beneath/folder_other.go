//go:build !linux

package beneath

import (
	"errors"
	"os"
)

// A Folder is a place beneath which names are opened.
type Folder struct{}

var errLinux = errors.New("what a stranger's program wrote can be read safely on Linux only")

// OpenFolder refuses.
func OpenFolder(string) (*Folder, error) { return nil, errLinux }

// Close does nothing.
func (*Folder) Close() error { return nil }

// Open refuses.
func (*Folder) Open(string, int64) (*os.File, int64, error) { return nil, 0, errLinux }

// List refuses.
func (*Folder) List(string, int) ([]string, error) { return nil, errLinux }
