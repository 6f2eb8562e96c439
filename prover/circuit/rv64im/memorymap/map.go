// Package memorymap is the memory map of rv64im: the words that a program can access, and the addresses of its inputs
// and output. Proofs depend on these addresses.
//
//	0x0000_0000  nothing: an access is a trap
//	as linked    code, data, zeros, heap
//	0x8000_0000  the stack ends here and grows down; the private input begins: its length, its bytes
//	0xa000_0000  the public input: its length, its bytes
//	0xb000_0000  the public output: its length, its bytes
//	0xffff_f800  nothing
package memorymap

import "encoding/binary"

// The memory map, in bytes.
const (
	WordBytes = 8

	First uint64 = 1 << 11       // the first byte that can be accessed
	End   uint64 = 1<<32 - 1<<11 // after the last byte that can be accessed
	Code  uint64 = 1 << 12       // the first byte that can be executed
	Stack uint64 = PrivateInput  // after the stack's first word

	PrivateInput uint64 = 0x8000_0000
	PublicInput  uint64 = 0xa000_0000
	PublicOutput uint64 = 0xb000_0000

	// PrivateRegion is the size of the private input's region, its length word included.
	PrivateRegion uint64 = 1 << 27
	// MaxPrivateBytes is the longest private input.
	MaxPrivateBytes = int(PrivateRegion) - WordBytes
	// MaxPublicBytes is the longest public input, and the longest public output.
	MaxPublicBytes = 1 << 16
	// PublicRegion is the size of each public region, its length word included.
	PublicRegion uint64 = MaxPublicBytes + WordBytes
)

// FirstWord and EndWord bound the words that can be accessed.
const (
	FirstWord = uint32(First / WordBytes)
	EndWord   = uint32(End / WordBytes)
)

// A Region is a range of addresses whose contents the proof's statement is about.
type Region struct {
	Name       string
	Start, End uint64
}

// Regions may not overlap a program's segments.
var Regions = []Region{
	{"private input", PrivateInput, PrivateInput + PrivateRegion},
	{"public input", PublicInput, PublicInput + PublicRegion},
	{"public output", PublicOutput, PublicOutput + PublicRegion},
}

// Word is a word of memory and its contents.
type Word struct {
	Index uint32 // address / 8
	_     uint32
	Value uint64
}

// Count returns the number of words of a region that holds data: one for the length of data, and the words of data.
func Count(data []byte) int { return 1 + (len(data)+WordBytes-1)/WordBytes }

// Words returns the words of a region that begins at address: the length of data, then data, padded with zeros.
func Words(address uint64, data []byte) []Word {
	list := make([]Word, Count(data))
	for i := range list {
		list[i] = At(address, data, i)
	}
	return list
}

// At returns word i of those that [Words] lists.
func At(address uint64, data []byte, i int) Word {
	w := Word{Index: uint32(address/WordBytes) + uint32(i), Value: uint64(len(data))}
	if i == 0 {
		return w
	}
	if rest := data[(i-1)*WordBytes:]; len(rest) >= WordBytes {
		w.Value = binary.LittleEndian.Uint64(rest)
	} else {
		var last [WordBytes]byte
		copy(last[:], rest)
		w.Value = binary.LittleEndian.Uint64(last[:])
	}
	return w
}
