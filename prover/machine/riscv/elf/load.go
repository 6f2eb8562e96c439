package elf

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
)

// Limits of a program's preprocessed tables.
const (
	// MaxImageWords is the largest number of words of memory that contain bytes of the file.
	MaxImageWords = 1 << 20
)

// Flags of a segment.
const (
	Executable = 1
	Writable   = 2
	Readable   = 4
)

// A Segment is a range of memory and its initial contents.
type Segment struct {
	Address uint64
	Size    uint64 // in memory; the bytes after Data are zero
	Flags   uint32
	Data    []byte // shares the file's bytes
}

func (s *Segment) end() uint64 { return s.Address + s.Size }

func (s *Segment) String() string { return fmt.Sprintf("segment %#x to %#x", s.Address, s.end()) }

// A File is a program that can be run.
type File struct {
	Entry    uint64
	Segments []Segment // by address, none empty
	Symbols  Symbols
	// StackLimit is the lowest address for the stack, or 0 if the file does not say.
	StackLimit uint64
}

// Numbers of the format.
const (
	headerBytes        = 64
	programHeaderBytes = 56
	class64            = 2
	littleEndian       = 1
	typeExecutable     = 2
	machineRISCV       = 243
	segmentLoad        = 1
	segmentInterpreter = 3

	flagCompressed  = 1
	flagFloatABI    = 6
	flagFewRegister = 8
)

// Load reads a file. Its result shares the file's bytes.
func Load(file []byte) (*File, error) {
	if err := checkHeader(file); err != nil {
		return nil, err
	}
	f := &File{Entry: binary.LittleEndian.Uint64(file[24:])}
	segments, err := readSegments(file)
	if err != nil {
		return nil, err
	}
	f.Segments = segments
	for _, check := range []func() error{f.checkPlaces, f.checkOverlaps, f.checkEntry, f.checkImage} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	f.Symbols = readSymbols(file, f.Segments)
	f.StackLimit = readStackLimit(file)
	return f, nil
}

func checkHeader(file []byte) error {
	if len(file) < headerBytes || string(file[:4]) != "\x7fELF" {
		return fmt.Errorf("not an ELF file: it starts with %q, want a program for riscv64im", file[:min(len(file), 4)])
	}
	if file[4] != class64 {
		return fmt.Errorf("ELF class %d, want 2 (64 bits)", file[4])
	}
	if file[5] != littleEndian {
		return fmt.Errorf("ELF data encoding %d, want 1 (little-endian)", file[5])
	}
	if machine := binary.LittleEndian.Uint16(file[18:]); machine != machineRISCV {
		return fmt.Errorf("ELF machine %d, want 243 (RISC-V)", machine)
	}
	if kind := binary.LittleEndian.Uint16(file[16:]); kind != typeExecutable {
		return fmt.Errorf("ELF type %d, want 2 (executable at fixed addresses): link with -static -no-pie", kind)
	}
	switch flags := binary.LittleEndian.Uint32(file[48:]); {
	case flags&flagCompressed != 0:
		return fmt.Errorf("ELF flags %#x: the file has compressed instructions, build it for rv64im", flags)
	case flags&flagFloatABI != 0:
		return fmt.Errorf("ELF flags %#x: the file passes floats in float registers, build it with -mabi=lp64", flags)
	case flags&flagFewRegister != 0:
		return fmt.Errorf("ELF flags %#x: the file is for the base with 16 registers, build it with -mabi=lp64", flags)
	}
	return nil
}

// readSegments returns the loaded segments, by address.
func readSegments(file []byte) ([]Segment, error) {
	size := uint64(len(file))
	offset := binary.LittleEndian.Uint64(file[32:])
	entryBytes, count := binary.LittleEndian.Uint16(file[54:]), uint64(binary.LittleEndian.Uint16(file[56:]))
	if count > 0 && entryBytes != programHeaderBytes {
		return nil, fmt.Errorf("program headers of %d bytes, want %d", entryBytes, programHeaderBytes)
	}
	if offset > size || count*programHeaderBytes > size-offset {
		return nil, fmt.Errorf("%d program headers at %#x lie outside the file of %d bytes", count, offset, size)
	}
	var segments []Segment
	for i := range count {
		header := file[offset+i*programHeaderBytes:][:programHeaderBytes]
		word := func(at int) uint64 { return binary.LittleEndian.Uint64(header[at:]) }
		switch kind := binary.LittleEndian.Uint32(header); {
		case kind == segmentInterpreter:
			return nil, fmt.Errorf("the file asks for a dynamic linker: link it with -static")
		case kind != segmentLoad || word(40) == 0:
			continue
		}
		s := Segment{Address: word(16), Size: word(40), Flags: binary.LittleEndian.Uint32(header[4:])}
		from, bytes := word(8), word(32)
		if bytes > s.Size {
			return nil, fmt.Errorf("the segment at %#x has %d bytes in the file and %d in memory", s.Address, bytes, s.Size)
		}
		if from > size || bytes > size-from {
			return nil, fmt.Errorf("the segment at %#x takes bytes %#x to %#x of a file of %d bytes", s.Address, from,
				from+bytes, size)
		}
		s.Data = file[from : from+bytes : from+bytes]
		segments = append(segments, s)
	}
	slices.SortStableFunc(segments, func(a, b Segment) int { return cmp.Compare(a.Address, b.Address) })
	return segments, nil
}

// checkPlaces checks the addresses and flags of segments.
func (f *File) checkPlaces() error {
	for i := range f.Segments {
		s := &f.Segments[i]
		if s.Address < memorymap.First || s.Address > memorymap.End || s.Size > memorymap.End-s.Address {
			return fmt.Errorf("the segment of %d bytes at %#x lies outside memory, %#x to %#x", s.Size, s.Address,
				memorymap.First, memorymap.End)
		}
		if s.Flags&Writable != 0 && s.Flags&Executable != 0 {
			return fmt.Errorf("%s is writable and executable", s)
		}
		if s.Flags&Executable != 0 && (s.Address < memorymap.Code || s.Address%4 != 0) {
			return fmt.Errorf("%s is executable, so it must begin at a multiple of 4 from %#x", s, memorymap.Code)
		}
		first, end := s.Address&^7, (s.end()+7)&^7
		for _, r := range memorymap.Regions {
			if first < r.End && r.Start < end {
				return fmt.Errorf("%s meets the %s at %#x to %#x", s, r.Name, r.Start, r.End)
			}
		}
	}
	return nil
}

func (f *File) checkOverlaps() error {
	for i := 1; i < len(f.Segments); i++ {
		if a, b := &f.Segments[i-1], &f.Segments[i]; b.Address < a.end() {
			return fmt.Errorf("%s and %s overlap", a, b)
		}
	}
	return nil
}

func (f *File) checkEntry() error {
	if f.Entry%4 != 0 {
		return fmt.Errorf("the entry %#x is not a multiple of 4", f.Entry)
	}
	for i := range f.Segments {
		if s := &f.Segments[i]; s.Flags&Executable != 0 && s.Address <= f.Entry && f.Entry < s.end() {
			return nil
		}
	}
	return fmt.Errorf("the entry %#x lies in no executable segment", f.Entry)
}

// checkImage counts the words that contain bytes of the file.
func (f *File) checkImage() error {
	count, next := uint64(0), uint64(0) // next: the first word not counted
	for i := range f.Segments {
		s := &f.Segments[i]
		if len(s.Data) == 0 {
			continue
		}
		first, end := s.Address/8, (s.Address+uint64(len(s.Data))+7)/8
		count += end - max(first, next)
		next = end
		if count > MaxImageWords {
			return fmt.Errorf("the bytes of the file touch more than %d words of memory at %#x: at most 8 MiB of code and "+
				"data fit", MaxImageWords, s.Address)
		}
	}
	return nil
}
