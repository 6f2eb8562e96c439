//go:build unix

package measure

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// writable reports whether the user of this process can change a file. The superuser and the owner always can.
func writable(path string) (bool, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return false, err
	}
	owner, known := info.Sys().(*syscall.Stat_t)
	if os.Geteuid() == 0 || !known || int(owner.Uid) == os.Geteuid() {
		return true, nil
	}
	return unix.Access(path, unix.W_OK) == nil, nil
}
