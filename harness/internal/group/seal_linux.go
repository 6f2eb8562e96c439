package group

import (
	"math"

	"golang.org/x/sys/unix"
)

// Seal sets close-on-exec on all descriptors of this process from 3 on. Go does this for the files that it opens, but
// descriptors may have been inherited or opened by a library, such as a GPU driver. Through a descriptor of a folder, a
// child could reach files of the host from inside its sandbox.
func Seal() {
	if unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) != nil {
		sealEach("/proc/self/fd") // Linux before 5.11
	}
}
