package program

import (
	"encoding/binary"
	"fmt"
	"sort"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/elf"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// A Program is a decoded ELF, ready to be run and proven. It is immutable.
type Program struct {
	rv64im.Program // the tables PROGRAM and IMAGE

	File  *elf.File
	Entry uint32 // index of the first instruction's code, Outside if the entry is not in the file's bytes

	Code     []Code   // Code[Outside] and the code after each text are Illegal
	FirstRow []uint32 // of each code; illegal code has the first row of the next code
	Texts    []Text   // by address, and so by index
}

// New decodes a file's code.
func New(file *elf.File) (*Program, error) {
	p := &Program{File: file, Code: make([]Code, 1), FirstRow: make([]uint32, 1)}
	p.Image = file.ImageWords()
	p.placeTexts()
	for _, t := range p.Texts {
		for i := range t.Count {
			if err := p.add(t.Address + 4*i); err != nil {
				return nil, err
			}
		}
		p.Code = append(p.Code, Code{})
		p.FirstRow = append(p.FirstRow, uint32(len(p.Rows)))
	}
	p.Entry, _ = p.Index(file.Entry)
	return p, nil
}

// placeTexts finds the addresses with code. Adjacent segments are one text, so that execution can continue from one
// into the next.
func (p *Program) placeTexts() {
	next := uint32(1)
	for i := range p.File.Segments {
		s := &p.File.Segments[i]
		count := uint32(len(s.Data) / 4)
		if s.Flags&elf.Executable == 0 || count == 0 {
			continue
		}
		if n := len(p.Texts); n > 0 {
			if last := &p.Texts[n-1]; uint64(last.Address)+4*uint64(last.Count) == s.Address {
				last.Count += count
				next += count
				continue
			}
		}
		p.Texts = append(p.Texts, Text{uint32(s.Address), next, count})
		next += count + 1
	}
}

// add decodes the word at an address.
func (p *Program) add(pc uint32) error {
	p.FirstRow = append(p.FirstRow, uint32(len(p.Rows)))
	i, ok := instruction.Decode(p.word(uint64(pc)))
	if !ok {
		p.Code = append(p.Code, Code{})
		return nil
	}
	code, target, rows := lower(pc, i)
	if code.Op == instruction.Jump || code.Op == instruction.Link || code.Op.Branch() {
		if target >= 0 {
			code.Target, _ = p.Index(uint64(target))
		}
	}
	p.Code = append(p.Code, code)
	p.Rows = append(p.Rows, rows...)
	if len(p.Rows) > rv64im.MaxRows {
		return fmt.Errorf("the instruction at %#x makes more than %d program rows (branches take two): at most 4 MiB of "+
			"code fit", pc, rv64im.MaxRows)
	}
	return nil
}

// word returns the instruction word at an address that has code.
func (p *Program) word(address uint64) uint32 {
	segments := p.File.Segments
	i := sort.Search(len(segments), func(i int) bool { return segments[i].Address > address }) - 1
	return binary.LittleEndian.Uint32(segments[i].Data[address-segments[i].Address:])
}
