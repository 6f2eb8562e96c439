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
		return stamp{}, fmt.Errorf("%s: the file system says nothing of its inode", info.Name())
	}
	return stamp{status.Ino, status.Ctim}, nil
}

// openRegular opens a file, and neither what a link leads to nor a pipe that nobody writes to.
func openRegular(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", name)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
