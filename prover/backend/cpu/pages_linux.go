package cpu

import (
	"os"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// populateGrain is how much memory a worker asks for at a time, and from where
// on a region is a mapping of its own. It is whole pages.
const populateGrain = 4 << 20

// allocate returns zeroed memory. Large regions are mapped, not taken
// from Go's heap: where a heap's free pages have been used before, it clears the
// whole allocation, on one core. The kernel is asked to back the mapping with
// huge pages, which it need not.
func allocate(elements int) region {
	size := elements * elementBytes
	if size < populateGrain {
		return region{words: make([]goldilocks.Element, elements)}
	}
	memory, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return region{words: make([]goldilocks.Element, elements)}
	}
	_ = unix.Madvise(memory, unix.MADV_HUGEPAGE)
	return region{unsafe.Slice((*goldilocks.Element)(unsafe.Pointer(&memory[0])), elements), memory}
}

// populate has the system back memory with pages on all cores at once, because one fault after the other at the first
// writes costs twice as much. It is advice: where the kernel does not know it, the faults come later.
func populate(pool *parallel.Pool, words []goldilocks.Element) {
	advise(pool, words, unix.MADV_POPULATE_WRITE)
}

// discard gives memory that nothing reads any more back to the system, on all cores. It stays usable, with other
// contents.
func discard(pool *parallel.Pool, words []goldilocks.Element) {
	advise(pool, words, unix.MADV_DONTNEED)
}

// advise is about the whole pages of memory, unless it is too small to matter.
func advise(pool *parallel.Pool, words []goldilocks.Element, advice int) {
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
	pool.For(len(memory), populateGrain, func(lo, hi int) { _ = unix.Madvise(memory[lo:hi], advice) })
}

// release gives the memory back.
func (r region) release() {
	if r.mapping != nil {
		_ = unix.Munmap(r.mapping)
	}
}

// hostMemory is the memory of the machine or, where that is less, of the control group, in bytes; 0 where neither is
// known.
func hostMemory() uint64 {
	var info unix.Sysinfo_t
	total := uint64(0)
	if unix.Sysinfo(&info) == nil {
		total = uint64(info.Totalram) * uint64(info.Unit)
	}
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil &&
			(total == 0 || limit < total) {
			total = limit
		}
	}
	return total
}
