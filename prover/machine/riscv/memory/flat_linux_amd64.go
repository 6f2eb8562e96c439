package memory

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
)

// The layout of a mapping, in bytes from [Flat.Base], within the 32-bit displacement of an instruction of the
// processor.
const (
	// StateBytes is the size of the user's state at the base.
	StateBytes = 1 << 12
	// WordsAt is the offset of the words, by index.
	WordsAt = StateBytes
	// TouchedAt is the offset of a byte for each word, 1 if a program accessed the word.
	TouchedAt = -allWords
	// PagesAt is the offset of a byte for each page, 1 if one of its words was touched.
	PagesAt = TouchedAt - PageCount
	// CountsAt is the offset of the user's 64-bit numbers.
	CountsAt = PagesAt - 8*Counts

	before    = -CountsAt
	mapLength = before + StateBytes + memorymap.WordBytes*allWords
)

// Flat is memory in which a word's address follows from its index: pages that the system allocates on first access.
type Flat struct {
	words   *[allWords]uint64
	touched *[allWords]byte
	pages   *[PageCount]byte
	base    unsafe.Pointer
	cleanup runtime.Cleanup
}

// newFlat maps memory, or returns nil if the system refuses.
func newFlat() *Flat {
	mapped, err := unix.MmapPtr(-1, 0, nil, mapLength, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil
	}
	base := unsafe.Add(mapped, before)
	f := &Flat{
		words: (*[allWords]uint64)(unsafe.Add(base, WordsAt)), touched: (*[allWords]byte)(unsafe.Add(base, TouchedAt)),
		pages: (*[PageCount]byte)(unsafe.Add(base, PagesAt)), base: base,
	}
	f.cleanup = runtime.AddCleanup(f, unmap, mapped)
	return f
}

func unmap(mapped unsafe.Pointer) { _ = unix.MunmapPtr(mapped, mapLength) }

// free unmaps the memory.
func (f *Flat) free() {
	f.cleanup.Stop()
	unmap(unsafe.Add(f.base, -before))
}

// Base returns the address of the user's [StateBytes]. It is valid as long as the memory is reachable.
func (f *Flat) Base() unsafe.Pointer { return f.base }

// Counts returns the first n of the user's [Counts] numbers, valid as long as the memory is reachable.
func (f *Flat) Counts(n int) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Add(f.base, CountsAt)), Counts)[:n:n]
}

func (f *Flat) touch(index uint32) {
	index %= allWords
	f.touched[index] = 1
	f.pages[index>>pageShift] = 1
}

// touchAll marks the words from first to before end, which must not span more than two pages.
func (f *Flat) touchAll(first, end uint32) {
	touched := f.touched[first%allWords : end]
	for i := range touched {
		touched[i] = 1
	}
	f.pages[first%allWords>>pageShift], f.pages[(end-1)%allWords>>pageShift] = 1, 1
}

// from returns the words from an index on.
func (f *Flat) from(index uint32) []uint64 { return f.words[index%allWords:] }

func (f *Flat) word(index uint32) *uint64 { return &f.words[index%allWords] }

// page returns the marks of a page's words, or nil if no word was touched.
func (f *Flat) page(number int) []byte {
	if f.pages[number] == 0 {
		return nil
	}
	return f.touched[number<<pageShift:][:PageWords]
}

// clear marks a page as untouched.
func (f *Flat) clear(number int) {
	if f.pages[number] != 0 {
		f.pages[number] = 0
	}
}
