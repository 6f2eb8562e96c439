package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// wordAccess returns the columns of an access to a word, by the access's number.
func (f *Filler) wordAccess(access uint32) rv64im.WordAccess[cell] {
	now, previous := f.accesses.Time[access], f.accesses.Previous[access]
	return rv64im.WordAccess[cell]{Previous: cell(previous), Gap: cell(gapDigit(now, previous))}
}

// gapDigit returns the digit y of a gap 1 + r + 2^14 y with r below 2^20.
func gapDigit(now, previous uint64) uint64 {
	return min((now-previous-1)>>rv64im.LogGap, 1<<20-1)
}

// addressOffset returns the address modulo 8.
func addressOffset(base uint32, k *rv64im.Row) uint64 { return uint64(cell(base).Add(k.K[0])) & 7 }

// fillLoad writes the columns that all loads have, and returns the offset and the word.
func (f *Filler) fillLoad(c *rv64im.Load[cell], x *record.Load, k *rv64im.Row) (offset, v uint64) {
	v = f.accesses.Old[x.Access]
	putUnary(&c.Unary, x.Cycle, k)
	c.Imm, c.Base, c.V = k.K[0], cell(x.Base), limbs(v)
	c.WordAccess = f.wordAccess(x.Access)
	c.Previous1, c.PreviousD, c.Old = before(x.Cycle, x.Previous1), before(x.Cycle, x.PreviousD), limbs(x.Old)
	return addressOffset(x.Base, k), v
}

// fillStore writes the columns that all stores have, and returns the offset and the word before and after the store.
func (f *Filler) fillStore(c *rv64im.Store[cell], x *record.Store, k *rv64im.Row) (offset, old, value uint64) {
	old = f.accesses.Old[x.Access]
	putCompare(&c.Compare, x.Cycle, k)
	c.Imm, c.Base, c.V = k.K[0], cell(x.Base), limbs(x.B)
	c.WordAccess = f.wordAccess(x.Access)
	c.Before, c.Previous1, c.Previous2 = limbs(old), before(x.Cycle, x.Previous1), before(x.Cycle, x.Previous2)
	return addressOffset(x.Base, k), old, f.accesses.New(x.Access)
}

func (f *Filler) loadDouble(c *rv64im.LoadDouble[cell], x *record.Load, k *rv64im.Row) {
	f.fillLoad(&c.Load, x, k)
}

func (f *Filler) loadWord(c *rv64im.LoadWord[cell], x *record.Load, k *rv64im.Row) {
	offset, v := f.fillLoad(&c.Load, x, k)
	s := offset >> 2
	v = v >> (32 * s) & maxUint32
	c.SG, c.S, c.X, c.XH, c.E = k.K[1], cell(s), cell(v), cell(v>>16), cell(uint64(k.K[1])*(v>>31))
}

// fillHalf writes the offset and the half of v there, and returns the half.
func fillHalf(c *rv64im.PickedHalf[cell], fb cell, offset, v uint64) (h uint64) {
	limb := v >> (32 * (offset >> 2)) & maxUint32
	h, g := limb&(twoTo16-1), limb>>16
	if offset>>1&1 == 1 {
		h, g = g, h
	}
	c.FB = fb
	c.Q2, c.Q1, c.Q0 = cell(offset>>2), cell(offset>>1&1), cell(offset&1)
	c.H, c.G, c.HH = cell(h), cell(g), cell(h>>8)
	return h
}

func (f *Filler) loadSmall(c *rv64im.LoadSmall[cell], x *record.Load, k *rv64im.Row) {
	offset, v := f.fillLoad(&c.Load, x, k)
	h := fillHalf(&c.PickedHalf, k.K[2], offset, v)
	z := h
	if k.K[2] == 1 {
		z = h >> (8 * (offset & 1)) & 0xff << 8
	}
	c.SG, c.Z, c.E, c.Res = k.K[1], cell(z), cell(uint64(k.K[1])*(z>>15)), cell(low(x.Result))
}

func (f *Filler) storeDouble(c *rv64im.StoreDouble[cell], x *record.Store, k *rv64im.Row) {
	f.fillStore(&c.Store, x, k)
}

func (f *Filler) storeWord(c *rv64im.StoreWord[cell], x *record.Store, k *rv64im.Row) {
	offset, _, value := f.fillStore(&c.Store, x, k)
	c.S, c.After = cell(offset>>2), limbs(value)
}

func (f *Filler) storeSmall(c *rv64im.StoreSmall[cell], x *record.Store, k *rv64im.Row) {
	offset, old, value := f.fillStore(&c.Store, x, k)
	fillHalf(&c.PickedHalf, k.K[2], offset, old)
	c.U1, c.B1 = cell(low(x.B)>>16), cell(x.B>>8&0xff)
	c.N = cell(value >> (32*(offset>>2) + 16*(offset>>1&1)) & (twoTo16 - 1))
	c.After = limbs(value)
}
