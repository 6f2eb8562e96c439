package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

func (f *Filler) unalignedAccess(l *line, x *record.Load, k *rv64im.Row) {
	load := k.Table <= table.LBH
	width := [...]uint64{table.LD: 8, table.LW: 4, table.LBH: 2, table.SD: 8, table.SW: 4, table.SBH: 2}[k.Table]
	offset := addressOffset(x.Base, k)
	crosses := offset+width > 8
	bytes, after := f.wordBytes(x.Access, crosses)
	l.header(x.Cycle, k)
	l.registers(k.Rd, k.Rs1, k.Rs2)
	l.element(k.K[0])
	l.element(k.K[1])
	l.words(bit(load), bit(width == 2), bit(width == 4))
	for o := uint64(1); o < 7; o++ {
		l.word(bit(offset == o))
	}
	l.words(bit(crosses), uint64(x.Base))
	for _, b := range bytes {
		l.word(uint64(b))
	}
	value := x.Result // a store's value is all of its register
	if load {
		value = 0
		for i := range width {
			value |= uint64(bytes[offset+i]) << (8 * i)
		}
	}
	for i := range 8 {
		l.word(value >> (8 * i) & 0xff)
	}
	for _, w := range after {
		l.limbs(w)
	}
	f.gap(l, x.Access)
	if crosses {
		f.gap(l, x.Access+1)
	} else {
		l.words(0, 0)
	}
	l.words(uint64(x.Previous1), uint64(x.PreviousD))
	l.limbs(x.Old)
	l.limbs(x.Result)
	z := uint64(0)
	switch width {
	case 2:
		z = value & (H - 1)
	case 4:
		z = value >> 16 & (H - 1)
	}
	l.words(z, uint64(k.K[1])*(z>>15))
}

// wordBytes are the bytes of an access's word, and of the next access's where it crosses, and what becomes of both
// words.
func (f *Filler) wordBytes(access uint32, crosses bool) (bytes [16]byte, after [2]uint64) {
	before := [2]uint64{f.accesses.Old[access]}
	after[0] = f.accesses.New(access)
	if crosses {
		before[1], after[1] = f.accesses.Old[access+1], f.accesses.New(access+1)
	}
	for i := range bytes {
		bytes[i] = byte(before[i/8] >> (8 * (i % 8)))
	}
	return bytes, after
}

// gap puts the previous time of an access and y.
func (f *Filler) gap(l *line, access uint32) {
	l.memoryGap(f.accesses.Time[access], f.accesses.Previous[access])
}
