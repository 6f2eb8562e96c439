package elf

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// A Symbol names an address of code.
type Symbol struct {
	Name    string
	Address uint64
	Size    uint64 // 0: to the next symbol
}

// Symbols are sorted by address, with at most one symbol per address.
type Symbols []Symbol

// At returns the symbol to which an address belongs.
func (s Symbols) At(address uint64) (Symbol, bool) {
	i := sort.Search(len(s), func(i int) bool { return s[i].Address > address }) - 1
	if i < 0 || s[i].Size > 0 && address-s[i].Address >= s[i].Size {
		return Symbol{}, false
	}
	return s[i], true
}

// Describe describes an address for people: its symbol and the offset from it, or nothing. Names of Rust and C++ are
// demangled, without parameters.
func (s Symbols) Describe(address uint64) string {
	symbol, ok := s.At(address)
	switch {
	case !ok:
		return ""
	case symbol.Address == address:
		return readable(symbol.Name)
	}
	return fmt.Sprintf("%s+%#x", readable(symbol.Name), address-symbol.Address)
}

func readable(name string) string {
	return demangle.Filter(name, demangle.NoParams, demangle.NoEnclosingParams)
}

// Numbers of the format, and limits that no linker's output exceeds.
const (
	sectionHeaderBytes = 64
	sectionSymbols     = 2
	symbolBytes        = 24
	typeNone           = 0
	typeFunction       = 2
	maxNameBytes       = 4096
	maxAllNameBytes    = 64 << 20
)

// readSymbols returns the symbols in executable segments, or none if the tables are invalid, because nothing depends on
// them.
func readSymbols(file []byte, segments []Segment) Symbols {
	symbols, names, ok := symbolTable(file)
	if !ok {
		return nil
	}
	var found Symbols
	function := map[uint64]bool{} // by address, for those in found
	budget := maxAllNameBytes
	for ; len(symbols) >= symbolBytes; symbols = symbols[symbolBytes:] {
		kind := symbols[4] & 15
		address, size := binary.LittleEndian.Uint64(symbols[8:]), binary.LittleEndian.Uint64(symbols[16:])
		if kind != typeNone && kind != typeFunction || !executable(segments, address) {
			continue
		}
		name := nameAt(names, binary.LittleEndian.Uint32(symbols))
		// Names with a $ mark code and data for disassemblers, those with .L are local to the assembler.
		if name == "" || strings.HasPrefix(name, "$") || strings.HasPrefix(name, ".L") {
			continue
		}
		if budget -= len(name); budget < 0 {
			return nil
		}
		if kind == typeFunction {
			function[address] = true
		} else {
			size = 0
		}
		found = append(found, Symbol{name, address, size})
	}
	return choose(found, function)
}

// stackLimitName is the symbol that the kit's linker script gives the stack's lower end.
const stackLimitName = "_stack_limit"

// readStackLimit returns the value of that symbol, or 0.
func readStackLimit(file []byte) uint64 {
	symbols, names, ok := symbolTable(file)
	if !ok {
		return 0
	}
	for ; len(symbols) >= symbolBytes; symbols = symbols[symbolBytes:] {
		if nameAt(names, binary.LittleEndian.Uint32(symbols)) == stackLimitName {
			return binary.LittleEndian.Uint64(symbols[8:])
		}
	}
	return 0
}

// choose keeps one symbol for each address: a function rather than a label, then the first by name. Labels inside of a
// function with a size are dropped.
func choose(found Symbols, function map[uint64]bool) Symbols {
	slices.SortFunc(found, func(a, b Symbol) int {
		return cmp.Or(cmp.Compare(a.Address, b.Address), cmp.Compare(b.Size, a.Size), cmp.Compare(a.Name, b.Name))
	})
	var kept Symbols
	end := uint64(0) // of the function that was kept last
	for _, s := range found {
		if len(kept) > 0 && (kept[len(kept)-1].Address == s.Address || !function[s.Address] && s.Address < end) {
			continue
		}
		kept = append(kept, s)
		end = max(end, s.Address+s.Size)
	}
	return kept
}

// symbolTable returns the first symbol table and its names.
func symbolTable(file []byte) (symbols, names []byte, ok bool) {
	offset := binary.LittleEndian.Uint64(file[40:])
	entryBytes, count := binary.LittleEndian.Uint16(file[58:]), uint64(binary.LittleEndian.Uint16(file[60:]))
	headers, ok := part(file, offset, count*sectionHeaderBytes)
	if !ok || entryBytes != sectionHeaderBytes {
		return nil, nil, false
	}
	section := func(i uint64) []byte { return headers[i*sectionHeaderBytes:][:sectionHeaderBytes] }
	contents := func(i uint64) ([]byte, bool) {
		return part(file, binary.LittleEndian.Uint64(section(i)[24:]), binary.LittleEndian.Uint64(section(i)[32:]))
	}
	for i := range count {
		if binary.LittleEndian.Uint32(section(i)[4:]) != sectionSymbols {
			continue
		}
		link := uint64(binary.LittleEndian.Uint32(section(i)[40:]))
		if link >= count {
			return nil, nil, false
		}
		symbols, ok = contents(i)
		names, named := contents(link)
		return symbols, names, ok && named
	}
	return nil, nil, false
}

// part returns file[offset : offset+size]; ok is false if the file ends before.
func part(file []byte, offset, size uint64) ([]byte, bool) {
	if offset > uint64(len(file)) || size > uint64(len(file))-offset {
		return nil, false
	}
	return file[offset : offset+size], true
}

func nameAt(names []byte, offset uint32) string {
	if uint64(offset) >= uint64(len(names)) {
		return ""
	}
	rest := names[offset:]
	end := bytes.IndexByte(rest[:min(len(rest), maxNameBytes)], 0)
	if end < 0 {
		return ""
	}
	return string(rest[:end])
}

// executable reports whether an address lies in a segment that can be executed; segments are by address.
func executable(segments []Segment, address uint64) bool {
	i := sort.Search(len(segments), func(i int) bool { return segments[i].Address > address }) - 1
	return i >= 0 && segments[i].Flags&Executable != 0 && address < segments[i].end()
}
