package measure

import (
	"golang.org/x/sys/unix"
)

// freeBytes returns the space that this user may still use on the disk of a folder.
var freeBytes = func(folder string) (free uint64, known bool) {
	var status unix.Statfs_t
	if unix.Statfs(folder, &status) != nil {
		return 0, false
	}
	return status.Bavail * uint64(status.Bsize), true
}
