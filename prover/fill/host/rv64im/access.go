package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// memoryGap puts the previous time of a word and y.
func (l *line) memoryGap(now, previous uint32) {
	l.words(uint64(previous), gapDigit(now, previous))
}

// gapDigit is y of a gap 1 + r + 2^10 y with r below 2^20.
func gapDigit(now, previous uint32) uint64 {
	return min((uint64(now)-uint64(previous)-1)>>10, 1<<20-1)
}

// addressOffset is the address modulo 8.
func addressOffset(base uint32, k *rv64im.Row) uint64 {
	return uint64(element(uint64(base)).Add(k.K[0])) & 7
}

// load puts the columns that all loads begin with, and returns the offset and the word.
func (f *Filler) load(l *line, x *record.Load, k *rv64im.Row) (offset, v uint64) {
	v = f.accesses.Old[x.Access]
	l.header(x.Cycle, k)
	l.registers(k.Rd, k.Rs1)
	l.element(k.K[0])
	l.word(uint64(x.Base))
	l.limbs(v)
	l.memoryGap(f.accesses.Time[x.Access], f.accesses.Previous[x.Access])
	l.words(uint64(x.Previous1), uint64(x.PreviousD))
	l.limbs(x.Old)
	return addressOffset(x.Base, k), v
}

// store puts the columns that all stores begin with, and returns the offset, the word and what becomes of it.
func (f *Filler) store(l *line, x *record.Store, k *rv64im.Row) (offset, old, value uint64) {
	old = f.accesses.Old[x.Access]
	l.header(x.Cycle, k)
	l.registers(k.Rs1, k.Rs2)
	l.element(k.K[0])
	l.word(uint64(x.Base))
	l.limbs(x.B)
	l.memoryGap(f.accesses.Time[x.Access], f.accesses.Previous[x.Access])
	l.limbs(old)
	l.words(uint64(x.Previous1), uint64(x.Previous2))
	return addressOffset(x.Base, k), old, f.accesses.New(x.Access)
}

func (f *Filler) loadDouble(l *line, x *record.Load, k *rv64im.Row) { f.load(l, x, k) }

func (f *Filler) loadWord(l *line, x *record.Load, k *rv64im.Row) {
	offset, v := f.load(l, x, k)
	s := offset >> 2
	v = v >> (32 * s) & M
	l.element(k.K[1])
	l.words(s, v, v>>16, uint64(k.K[1])*(v>>31))
}

// half puts q2, q1, q0, the half that they pick, the other one and the half's high byte.
func (l *line) half(offset, v uint64) (h uint64) {
	limb := v >> (32 * (offset >> 2)) & M
	h, g := limb&(H-1), limb>>16
	if offset>>1&1 == 1 {
		h, g = g, h
	}
	l.words(offset>>2, offset>>1&1, offset&1, h, g, h>>8)
	return h
}

func (f *Filler) loadSmall(l *line, x *record.Load, k *rv64im.Row) {
	offset, v := f.load(l, x, k)
	l.element(k.K[1])
	l.element(k.K[2])
	h := l.half(offset, v)
	z := h
	if k.K[2] == 1 {
		z = h >> (8 * (offset & 1)) & 0xff << 8
	}
	l.words(z, uint64(k.K[1])*(z>>15), low(x.Result))
}

func (f *Filler) storeDouble(l *line, x *record.Store, k *rv64im.Row) { f.store(l, x, k) }

func (f *Filler) storeWord(l *line, x *record.Store, k *rv64im.Row) {
	offset, _, value := f.store(l, x, k)
	l.word(offset >> 2)
	l.limbs(value)
}

func (f *Filler) storeSmall(l *line, x *record.Store, k *rv64im.Row) {
	offset, old, value := f.store(l, x, k)
	l.element(k.K[2])
	l.half(offset, old)
	l.words(low(x.B)>>16, x.B>>8&0xff, value>>(32*(offset>>2)+16*(offset>>1&1))&(H-1))
	l.limbs(value)
}
