package cpu

import (
	"os"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// populateGrain is how much memory, in bytes, a worker populates at a time, and the size from which a region has its
// own mapping. It is a multiple of the page size.
const populateGrain = 4 << 20

// allocate returns zeroed memory. Large regions are mapped rather than taken from Go's heap, which clears the whole
// allocation on one core if its free pages have been used before. The kernel is asked to back the mapping with huge
// pages, but need not.
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

// populate has the system back memory with pages on all cores at once, because page faults at the first writes cost
// twice as much. A kernel that does not support the advice ignores it, and the faults happen later.
func populate(pool *parallel.Pool, words []goldilocks.Element) {
	inPages(pool, words, func(memory []byte) { _ = unix.Madvise(memory, unix.MADV_POPULATE_WRITE) })
}

// populateOnce is populate for a process that makes one proof, with pages of the kind that size chooses.
func populateOnce(pool *parallel.Pool, words []goldilocks.Element, size *pageSize) {
	inPages(pool, words, func(memory []byte) {
		for start := 0; start < len(memory); start += populateGrain {
			piece := memory[start:min(start+populateGrain, len(memory))]
			if size.huge() {
				populateHuge(piece, size)
			} else {
				populateSmall(piece)
			}
		}
	})
}

// populateHuge populates a piece with huge pages, or with small ones after the first if that was slow.
func populateHuge(piece []byte, size *pageSize) {
	first := min(hugePageBytes-int(uintptr(unsafe.Pointer(&piece[0]))%hugePageBytes), len(piece))
	begin := time.Now()
	_ = unix.Madvise(piece[:first], unix.MADV_POPULATE_WRITE)
	if took := time.Since(begin); isSlow(hugePageBytes, took) {
		size.took(hugePageBytes, took)
		populateSmall(piece[first:])
		return
	}
	_ = unix.Madvise(piece[first:], unix.MADV_POPULATE_WRITE)
	size.took(len(piece), time.Since(begin))
}

// populateSmall populates a piece, which may be empty, with small pages.
func populateSmall(piece []byte) {
	_ = unix.Madvise(piece, unix.MADV_NOHUGEPAGE)
	_ = unix.Madvise(piece, unix.MADV_POPULATE_WRITE)
}

// hugePageBytes is the size of a huge page.
const hugePageBytes = 2 << 20

// discard returns memory that nothing reads any more to the system, on all cores. The memory stays usable, but its
// contents are lost.
func discard(pool *parallel.Pool, words []goldilocks.Element) {
	inPages(pool, words, func(memory []byte) { _ = unix.Madvise(memory, unix.MADV_DONTNEED) })
}

// inPages calls body for the whole pages of memory, on all cores, unless the memory is too small to matter.
func inPages(pool *parallel.Pool, words []goldilocks.Element, body func(memory []byte)) {
	if len(words) == 0 {
		return
	}
	start, page := uintptr(unsafe.Pointer(&words[0])), uintptr(os.Getpagesize())
	skipped := int((page - start%page) % page / elementBytes)
	if (len(words)-skipped)*elementBytes < populateGrain {
		return
	}
	words = words[skipped:]
	// The kernel rounds a length up. Exclude the last page if words cover only part of it.
	whole := len(words) * elementBytes / int(page) * int(page)
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), whole)
	pool.For(len(memory), populateGrain, func(lo, hi int) { body(memory[lo:hi]) })
}

// release frees the memory.
func (r region) release() {
	if r.mapping != nil {
		_ = unix.Munmap(r.mapping)
	}
}

// hostMemory returns the memory of the machine or of the control group, whichever is less, in bytes. It returns 0 if
// neither is known.
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
