package cpu

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// populateGrain is how much memory a worker asks for at a time, and from where
// on a slab is a mapping of its own.
const populateGrain = 4 << 20

// allocate returns zeroed memory for a slab. Large slabs are mapped, not taken
// from Go's heap: where a heap's free pages have been used before, it clears the
// whole allocation, on one core. The kernel is asked to back the mapping with
// huge pages and on all cores at once, because one fault after the other at the
// first writes costs twice as much. Both are advice: where the kernel does not
// know it, the faults come later.
func (c *proverContext) allocate(elements int) []goldilocks.Element {
	size := elements * elementBytes
	if size < populateGrain {
		return make([]goldilocks.Element, elements)
	}
	memory, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return make([]goldilocks.Element, elements)
	}
	c.mappings.add(memory)
	_ = unix.Madvise(memory, unix.MADV_HUGEPAGE)
	c.pool.For(size, populateGrain, func(lo, hi int) {
		_ = unix.Madvise(memory[lo:hi], unix.MADV_POPULATE_WRITE)
	})
	return unsafe.Slice((*goldilocks.Element)(unsafe.Pointer(&memory[0])), elements)
}

// discard gives the whole pages of memory that nothing reads any more back to the
// system, on all cores. It stays usable, with other contents.
func (c *proverContext) discard(words []goldilocks.Element) {
	if len(words) == 0 {
		return
	}
	start, page := uintptr(unsafe.Pointer(&words[0])), uintptr(os.Getpagesize())
	skipped := int((page - start%page) % page / elementBytes)
	if (len(words)-skipped)*elementBytes < populateGrain {
		return
	}
	words = words[skipped:]
	// The kernel rounds a length up: a page of which words have a part only stays.
	whole := len(words) * elementBytes / int(page) * int(page)
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), whole)
	c.pool.For(len(memory), populateGrain, func(lo, hi int) {
		_ = unix.Madvise(memory[lo:hi], unix.MADV_DONTNEED)
	})
}

// unmap gives mapped memory back.
func unmap(memory []byte) { _ = unix.Munmap(memory) }
