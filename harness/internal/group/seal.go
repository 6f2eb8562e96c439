//go:build unix

package group

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// sealEach seals the descriptors that a folder of the kernel lists.
func sealEach(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd) // that of the folder itself is closed by now
		}
	}
}
