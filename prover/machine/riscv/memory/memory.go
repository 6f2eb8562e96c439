package memory

import "bytes"

// A page is what the host gives out at once. It is large, so that the table of pages is short, and
// small, so that a guest that touches code, data, stack and inputs takes little.
const (
	// PageWords is the number of words of a page.
	PageWords = 1 << pageShift

	pageShift = 15 // words in a page, as a power of two: 256 KiB

	// PageCount is the number of pages that all addresses take.
	PageCount = 1 << (29 - pageShift)
)

// A Page is a run of words, and which of them a program accessed.
type Page struct {
	Words   [PageWords]uint64
	Touched [PageWords]byte // 1 where one did
}

// Memory is the memory of one guest. The zero value is all zeros.
type Memory struct {
	pages [PageCount]*Page
	plain [PageCount]*Page // those of which Read and Write know all: not the public output's, whose accesses have to be timed
}

// outputPage is the only page with words of the public output.
const outputPage = int(PublicOutput / WordBytes >> pageShift)

var _ [outputPage - int((PublicOutput+PublicRegion-1)/WordBytes>>pageShift)]struct{} // or there are several

// Load is the word at an index, address / 8, below 2^29.
func (m *Memory) Load(index uint32) uint64 {
	if page := m.pages[index>>pageShift%PageCount]; page != nil {
		return page.Words[index%PageWords]
	}
	return 0
}

// Store replaces the word at an index.
func (m *Memory) Store(index uint32, value uint64) { m.page(index).Words[index%PageWords] = value }

// Touch notes that a program accessed a word.
func (m *Memory) Touch(index uint32) { m.page(index).Touched[index%PageWords] = 1 }

// Read is Load and Touch, for a word of a page that is there and plain; ok is false for others.
func (m *Memory) Read(index uint32) (word uint64, ok bool) {
	page := m.plain[index>>pageShift%PageCount]
	if page == nil {
		return 0, false
	}
	page.Touched[index%PageWords] = 1
	return page.Words[index%PageWords], true
}

// Write touches a word of a page that is there and plain, and returns its place; nil for others.
func (m *Memory) Write(index uint32) *uint64 {
	page := m.plain[index>>pageShift%PageCount]
	if page == nil {
		return nil
	}
	page.Touched[index%PageWords] = 1
	return &page.Words[index%PageWords]
}

// Plain is the table of the pages that Read and Write take, nil where there is none.
func (m *Memory) Plain() *[PageCount]*Page { return &m.plain }

// page is the page that has the word at an index, as its word index % PageWords.
func (m *Memory) page(index uint32) *Page {
	if page := m.pages[index>>pageShift%PageCount]; page != nil {
		return page
	}
	return m.grow(index)
}

func (m *Memory) grow(index uint32) *Page {
	page, at := new(Page), int(index>>pageShift%PageCount)
	m.pages[at] = page
	if at != outputPage {
		m.plain[at] = page
	}
	return page
}

// EachTouched calls visit for every page of which a program accessed words, ascending: with the first of those, the
// last, and how many they are.
func (m *Memory) EachTouched(visit func(first, last uint32, count int)) {
	for i, page := range m.pages {
		if page == nil {
			continue
		}
		base, touched := uint32(i)<<pageShift, page.Touched[:]
		if first := bytes.IndexByte(touched, 1); first >= 0 {
			visit(base|uint32(first), base|uint32(bytes.LastIndexByte(touched, 1)), bytes.Count(touched, []byte{1}))
		}
	}
}

// SetWords stores words.
func (m *Memory) SetWords(list []Word) {
	for _, w := range list {
		m.Store(w.Index, w.Value)
	}
}

// Bytes is a copy of n bytes from an address, which need not be aligned.
func (m *Memory) Bytes(address uint64, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		at := address + uint64(i)
		data[i] = byte(m.Load(uint32(at/WordBytes)) >> (8 * (at % WordBytes)))
	}
	return data
}
