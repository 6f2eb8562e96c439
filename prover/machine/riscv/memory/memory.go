package memory

import (
	"bytes"
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
)

// A page is the unit of allocation. It is large enough that the table of pages is short, and small enough that a guest
// that touches code, data, stack and inputs takes little memory.
const (
	// PageWords is the number of words of a page.
	PageWords = 1 << pageShift

	pageShift = 15 // words in a page, as a power of two: 256 KiB

	// PageCount is the number of pages that all addresses take.
	PageCount = 1 << (29 - pageShift)

	// allWords is the number of words that all addresses take.
	allWords = PageCount * PageWords

	// Counts is the number of the user's numbers in flat memory.
	Counts = 1 << 22
)

// A page has consecutive words, and marks the words that a program accessed.
type page struct {
	words   [PageWords]uint64
	touched [PageWords]byte // 1 for accessed words
}

// Memory is the memory of one guest. The zero value is all zeros, and has its words in pages.
type Memory struct {
	flat  *Flat // nil if the words are in pages
	pages [PageCount]*page
}

// New returns memory of zeros, which is flat if the system supports it.
func New() *Memory { return &Memory{flat: newFlat()} }

// Free returns the memory to the system without waiting for the garbage collector. Neither the memory nor a pointer
// into it may be used afterwards.
func (m *Memory) Free() {
	if m.flat != nil {
		m.flat.free()
	}
	*m = Memory{}
}

// Flat returns the flat memory, or nil if the words are in pages.
func (m *Memory) Flat() *Flat { return m.flat }

// Plain is the end of the words that Read and Write handle: accesses to the public output and above need their times.
const Plain = uint32(memorymap.PublicOutput / memorymap.WordBytes)

// Load returns the word at an index, address / 8, below 2^29.
func (m *Memory) Load(index uint32) uint64 {
	if m.flat != nil {
		return *m.flat.word(index)
	}
	if page := m.pages[index>>pageShift%PageCount]; page != nil {
		return page.words[index%PageWords]
	}
	return 0
}

// Store replaces the word at an index.
func (m *Memory) Store(index uint32, value uint64) { *m.word(index) = value }

func (m *Memory) word(index uint32) *uint64 {
	if m.flat != nil {
		return m.flat.word(index)
	}
	return &m.page(index).words[index%PageWords]
}

// Touch marks a word as accessed.
func (m *Memory) Touch(index uint32) {
	if m.flat != nil {
		m.flat.touch(index)
		return
	}
	m.page(index).touched[index%PageWords] = 1
}

// Read touches a plain word and returns its contents; ok is false for other words.
func (m *Memory) Read(index uint32) (word uint64, ok bool) {
	if index >= Plain {
		return 0, false
	}
	m.Touch(index)
	return *m.word(index), true
}

// Write touches a plain word and returns a pointer to it, or nil for others.
func (m *Memory) Write(index uint32) *uint64 {
	if index >= Plain {
		return nil
	}
	m.Touch(index)
	return m.word(index)
}

// ReadWords touches consecutive plain words, at most a page of them, and copies their contents to words. It does
// nothing and returns false if one of them is not plain, or if memory is not flat.
func (m *Memory) ReadWords(index uint32, words []uint64) bool {
	end := uint64(index) + uint64(len(words))
	if m.flat == nil || end > uint64(Plain) || len(words) == 0 {
		return false
	}
	m.flat.touchAll(index, uint32(end))
	copy(words, m.flat.from(index))
	return true
}

// WriteWords replaces consecutive words.
func (m *Memory) WriteWords(index uint32, words []uint64) {
	if m.flat != nil {
		copy(m.flat.from(index), words)
		return
	}
	for i, word := range words {
		m.Store(index+uint32(i), word)
	}
}

// page returns the page with the word at an index, which is the page's word index % PageWords.
func (m *Memory) page(index uint32) *page {
	at := &m.pages[index>>pageShift%PageCount]
	if *at == nil {
		*at = new(page)
	}
	return *at
}

// touched returns the marks of a page's words, or nil if none was accessed.
func (m *Memory) touched(number int) []byte {
	if m.flat != nil {
		return m.flat.page(number)
	}
	if page := m.pages[number]; page != nil {
		return page.touched[:]
	}
	return nil
}

// EachTouched calls visit for every page with accessed words, ascending, with the first and the last accessed word and
// their number.
func (m *Memory) EachTouched(visit func(first, last uint32, count int)) {
	for i := range PageCount {
		touched := m.touched(i)
		base := uint32(i) << pageShift
		if first := bytes.IndexByte(touched, 1); first >= 0 {
			visit(base|uint32(first), base|uint32(bytes.LastIndexByte(touched, 1)), bytes.Count(touched, []byte{1}))
		}
	}
}

// TakeTouched calls visit for every marked word, ascending, with its contents, and removes the marks.
func (m *Memory) TakeTouched(visit func(w memorymap.Word)) {
	for i := range PageCount {
		touched := m.touched(i)
		for at := bytes.IndexByte(touched, 1); at >= 0; {
			word := uint32(i)<<pageShift | uint32(at)
			visit(memorymap.Word{Index: word, Value: m.Load(word)})
			touched[at] = 0
			next := bytes.IndexByte(touched[at+1:], 1)
			if next < 0 {
				break
			}
			at += 1 + next
		}
		if m.flat != nil {
			m.flat.clear(i)
		}
	}
}

// TouchAll marks the words that are marked in another memory.
func (m *Memory) TouchAll(other *Memory) {
	for i := range PageCount {
		theirs := other.touched(i)
		first := bytes.IndexByte(theirs, 1)
		if first < 0 {
			continue
		}
		m.Touch(uint32(i)<<pageShift | uint32(first))
		own := m.touched(i)
		for k := 0; k < PageWords; k += 8 { // eight marks at once, each 0 or 1
			sum := binary.LittleEndian.Uint64(own[k:]) | binary.LittleEndian.Uint64(theirs[k:])
			binary.LittleEndian.PutUint64(own[k:], sum)
		}
	}
}

// SetWords stores words.
func (m *Memory) SetWords(list []memorymap.Word) {
	for _, w := range list {
		m.Store(w.Index, w.Value)
	}
}

// SetRegion stores the words of a region, which [memorymap.Words] lists.
func (m *Memory) SetRegion(address uint64, data []byte) {
	index := uint32(address / memorymap.WordBytes)
	m.Store(index, uint64(len(data)))
	for ; len(data) >= memorymap.WordBytes; data = data[memorymap.WordBytes:] {
		index++
		m.Store(index, binary.LittleEndian.Uint64(data))
	}
	if len(data) > 0 {
		var last [memorymap.WordBytes]byte
		copy(last[:], data)
		m.Store(index+1, binary.LittleEndian.Uint64(last[:]))
	}
}

// Bytes returns a copy of n bytes from an address, which need not be aligned.
func (m *Memory) Bytes(address uint64, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		at := address + uint64(i)
		data[i] = byte(m.Load(uint32(at/memorymap.WordBytes)) >> (8 * (at % memorymap.WordBytes)))
	}
	return data
}
