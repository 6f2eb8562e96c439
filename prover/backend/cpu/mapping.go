package cpu

// mappings are a context's memory outside Go's heap. They last until the context
// is closed or, where that is forgotten, until nothing refers to it: every
// handle with memory of the context does.
type mappings struct {
	list  [][]byte
	bytes int
}

func (m *mappings) add(memory []byte) {
	m.list = append(m.list, memory)
	m.bytes += len(memory)
}

// release unmaps all. Slabs in them must not be used again.
func (m *mappings) release() {
	for _, memory := range m.list {
		unmap(memory)
	}
	*m = mappings{}
}
