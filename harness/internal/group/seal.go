//go:build unix

package group

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// sealEach seals the descriptors listed in a folder such as /proc/self/fd.
func sealEach(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd) // the folder's own descriptor is already closed
		}
	}
}
