//go:build unix

package measure

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// writable says whether the user of this process could change what lies there: the superuser and the owner always
// could.
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
