package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

func (f *Filler) unalignedAccess(c *rv64im.Unaligned[cell], x *record.Load, k *rv64im.Row) {
	load := k.Table <= table.LBH
	width := [...]uint64{table.LD: 8, table.LW: 4, table.LBH: 2, table.SD: 8, table.SW: 4, table.SBH: 2}[k.Table]
	offset := addressOffset(x.Base, k)
	crosses := offset+width > 8
	putBinary(&c.Binary, x.Cycle, k)
	c.Imm, c.SG = k.K[0], k.K[1]
	c.LD, c.G2, c.G4 = cell(bit(load)), cell(bit(width == 2)), cell(bit(width == 4))
	for i := range c.F {
		c.F[i] = cell(bit(offset == uint64(i+1)))
	}
	c.Crosses, c.Base = cell(bit(crosses)), cell(x.Base)
	bytes := f.fillWords(c, x.Access, crosses)
	value := x.Result // a store's value is all of its register
	if load {
		value = 0
		for i := range width {
			value |= uint64(bytes[offset+i]) << (8 * i)
		}
	}
	putBytes(c.V[:], value)
	c.Previous1, c.Previous2 = before(x.Cycle, x.Previous1), before(x.Cycle, x.PreviousD)
	c.Old, c.Result = limbs(x.Old), limbs(x.Result)
	z := uint64(0)
	switch width {
	case 2:
		z = value & (twoTo16 - 1)
	case 4:
		z = value >> 16 & (twoTo16 - 1)
	}
	c.Z, c.E = cell(z), cell(uint64(k.K[1])*(z>>15))
}

// fillWords writes the word of an access, before and after it, and the second word if the access crosses into it, else
// 0. It returns the bytes of both words before the access.
func (f *Filler) fillWords(c *rv64im.Unaligned[cell], access uint32, crosses bool) (bytes [16]byte) {
	before := [2]uint64{f.accesses.Old[access]}
	c.New[0], c.Words[0] = limbs(f.accesses.New(access)), f.wordAccess(access)
	c.New[1], c.Words[1] = rv64im.Limbs[cell]{}, rv64im.WordAccess[cell]{}
	if crosses {
		before[1] = f.accesses.Old[access+1]
		c.New[1], c.Words[1] = limbs(f.accesses.New(access+1)), f.wordAccess(access+1)
	}
	for i := range bytes {
		bytes[i] = byte(before[i/8] >> (8 * (i % 8)))
		c.X[i] = cell(bytes[i])
	}
	return bytes
}
