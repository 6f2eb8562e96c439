package cpu

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// populateGrain is how much memory a worker asks for at a time.
const populateGrain = 4 << 20

// populate has the kernel back new memory with pages, huge ones where it has
// them, on all cores. It would do so anyway at the first write to each page, but
// one fault after the other costs twice as much. Both calls are advice: where
// the kernel does not know them, the faults come later.
func (c *proverContext) populate(words []goldilocks.Element) {
	if len(words)*elementBytes < populateGrain {
		return
	}
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*elementBytes)
	page := os.Getpagesize()
	if over := int(uintptr(unsafe.Pointer(&words[0])) % uintptr(page)); over > 0 {
		memory = memory[page-over:]
	}
	memory = memory[:len(memory)/page*page]
	_ = unix.Madvise(memory, unix.MADV_HUGEPAGE)
	c.pool.For(len(memory), populateGrain, func(lo, hi int) {
		_ = unix.Madvise(memory[lo:hi], unix.MADV_POPULATE_WRITE)
	})
}
