//go:build !linux

package dependencies

import (
	"errors"
	"io/fs"
	"os"
)

var errLinux = errors.New("dependencies are fetched and unpacked only on Linux, because that needs bubblewrap")

func stampOf(fs.FileInfo) (stamp, error) { return stamp{}, errLinux }

func openRegular(string) (*os.File, error) { return nil, errLinux }
