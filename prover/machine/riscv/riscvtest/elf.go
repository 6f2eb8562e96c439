package riscvtest

import (
	"bytes"
	"encoding/binary"
)

// Segment is a segment of an ELF file to write.
type Segment struct {
	Address uint64
	Flags   uint32
	Data    []byte
	Size    uint64 // in memory; if it is less than len(Data), len(Data) is used
}

// Flags of segments.
const (
	RX = 5
	RW = 6
)

// ELF returns an ELF file with the given segments, in order.
func ELF(entry uint64, segments ...Segment) []byte {
	var file, body bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(&file, binary.LittleEndian, v) // writes to a buffer never fail
		}
	}
	file.WriteString("\x7fELF\x02\x01\x01")
	file.Write(make([]byte, 9))
	put(uint16(2), uint16(243), uint32(1), entry, uint64(64), uint64(0), uint32(0), uint16(64), uint16(56),
		uint16(len(segments)),
		uint16(64), uint16(0), uint16(0))
	offset := 64 + 56*len(segments)
	// Linux maps pages, so a segment's offset in the file and its address must be congruent modulo the page size.
	const page = 4096
	for _, s := range segments {
		for uint64(offset+body.Len())%page != s.Address%page {
			body.WriteByte(0)
		}
		size := max(s.Size, uint64(len(s.Data)))
		put(uint32(1), s.Flags, uint64(offset+body.Len()), s.Address, s.Address, uint64(len(s.Data)), size, uint64(page))
		body.Write(s.Data)
	}
	return append(file.Bytes(), body.Bytes()...)
}

// Words returns the words as little-endian bytes.
func Words(words ...uint32) []byte {
	var data []byte
	for _, w := range words {
		data = binary.LittleEndian.AppendUint32(data, w)
	}
	return data
}
