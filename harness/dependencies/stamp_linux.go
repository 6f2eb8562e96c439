package dependencies

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

func stampOf(info fs.FileInfo) (stamp, error) {
	status, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return stamp{}, fmt.Errorf("%s: the file system does not report its inode", info.Name())
	}
	return stamp{status.Ino, status.Ctim}, nil
}

// openRegular opens a regular file. It does not follow a symbolic link, and does not block on a pipe.
func openRegular(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", name)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
