//go:build !linux || !amd64

package memory

// Flat is memory in which a word's address follows from its index. It does not exist on this platform.
type Flat struct{}

func newFlat() *Flat { return nil }

func (*Flat) touch(uint32) {}

func (*Flat) touchAll(uint32, uint32) {}

func (*Flat) from(uint32) []uint64 { return nil }

func (*Flat) word(uint32) *uint64 { return nil }

func (*Flat) page(int) []byte { return nil }

func (*Flat) clear(int) {}

func (*Flat) free() {}
