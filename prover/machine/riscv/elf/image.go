package elf

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
)

// ImageDigest returns the SHA-256 of the program's image: entry and segments, each number as eight bytes,
// little-endian.
func (f *File) ImageDigest() [sha256.Size]byte {
	hash := sha256.New()
	write := func(numbers ...uint64) {
		for _, n := range numbers {
			_ = binary.Write(hash, binary.LittleEndian, n) // a hash never fails
		}
	}
	hash.Write([]byte("chiasmus.image/1"))
	write(f.Entry, uint64(len(f.Segments)))
	for _, s := range f.Segments {
		write(s.Address, s.Size, uint64(s.Flags), uint64(len(s.Data)))
		hash.Write(s.Data)
	}
	return [sha256.Size]byte(hash.Sum(nil))
}

// ImageWords returns the words that contain bytes of the file, including zeros, ascending. Segments that share a word
// are merged.
func (f *File) ImageWords() []memorymap.Word {
	var list []memorymap.Word
	for i := range f.Segments {
		s := &f.Segments[i]
		for k, b := range s.Data {
			at := s.Address + uint64(k)
			index := uint32(at / memorymap.WordBytes)
			if len(list) == 0 || list[len(list)-1].Index != index {
				list = append(list, memorymap.Word{Index: index})
			}
			list[len(list)-1].Value |= uint64(b) << (8 * (at % memorymap.WordBytes))
		}
	}
	return list
}
