package memory

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
)

// How a mapping is laid out, in bytes from [Flat.Base]: what an instruction of the processor reaches with a distance
// of 32 bits.
const (
	// StateBytes are the user's, from the base on.
	StateBytes = 1 << 12
	// WordsAt is where the words are, by index.
	WordsAt = StateBytes
	// TouchedAt is where each word has a byte, 1 where a program accessed it.
	TouchedAt = -allWords
	// PagesAt is where each page has a byte, 1 where one of its words was touched.
	PagesAt = TouchedAt - PageCount
	// CountsAt is where the user's numbers of 64 bits are.
	CountsAt = PagesAt - 8*Counts

	before    = -CountsAt
	mapLength = before + StateBytes + memorymap.WordBytes*allWords
)

// Flat is memory in which a word's place follows from its index alone: addresses that the system fills when they are
// first accessed.
type Flat struct {
	words   *[allWords]uint64
	touched *[allWords]byte
	pages   *[PageCount]byte
	base    unsafe.Pointer
}

// newFlat maps memory; nil where the system gives none.
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
	runtime.AddCleanup(f, func(mapped unsafe.Pointer) { _ = unix.MunmapPtr(mapped, mapLength) }, mapped)
	return f
}

// Base is where [StateBytes] are that the user has. It is valid as long as the memory is reachable.
func (f *Flat) Base() unsafe.Pointer { return f.base }

// Counts are the first n of the user's [Counts] numbers, valid as long as the memory is reachable.
func (f *Flat) Counts(n int) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Add(f.base, CountsAt)), Counts)[:n:n]
}

func (f *Flat) touch(index uint32) {
	index %= allWords
	f.touched[index] = 1
	f.pages[index>>pageShift] = 1
}

func (f *Flat) word(index uint32) *uint64 { return &f.words[index%allWords] }

// page are the bytes of a page's words, nil where no word of it was touched.
func (f *Flat) page(number int) []byte {
	if f.pages[number] == 0 {
		return nil
	}
	return f.touched[number<<pageShift:][:PageWords]
}
