package memory

// A page is what the host gives out at once. It is large, so that the table of pages is short, and
// small, so that a guest that touches code, data, stack and inputs takes little.
const (
	// PageWords is the number of words of a page.
	PageWords = 1 << pageShift

	pageShift = 15 // words in a page, as a power of two: 256 KiB
	pageCount = 1 << (29 - pageShift)
)

// A Page is a run of words.
type Page [PageWords]uint64

// Memory is the memory of one guest. The zero value is all zeros.
type Memory struct {
	pages [pageCount]*Page
}

// Load is the word at an index, address / 8, below 2^29.
func (m *Memory) Load(index uint32) uint64 {
	if page := m.pages[index>>pageShift%pageCount]; page != nil {
		return page[index%PageWords]
	}
	return 0
}

// Store replaces the word at an index.
func (m *Memory) Store(index uint32, value uint64) { m.Page(index)[index%PageWords] = value }

// Page is the page that has the word at an index, as its word index % PageWords.
func (m *Memory) Page(index uint32) *Page {
	if page := m.pages[index>>pageShift%pageCount]; page != nil {
		return page
	}
	return m.grow(index)
}

func (m *Memory) grow(index uint32) *Page {
	page := new(Page)
	m.pages[index>>pageShift%pageCount] = page
	return page
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
