package group

import (
	"math"

	"golang.org/x/sys/unix"
)

// Seal keeps the descriptors of this process from 3 on out of the programs that it will start. Go opens its own that
// way. Those that the harness inherited are not, nor need be those that a library opened, such as that of a GPU:
// through one of a folder a child would reach the files of the host from inside of its isolation.
func Seal() {
	if unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) != nil {
		sealEach("/proc/self/fd") // a kernel before 5.11
	}
}
