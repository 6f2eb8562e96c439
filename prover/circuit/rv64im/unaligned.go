package rv64im

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Unaligned has the columns of UNAL.
type Unaligned[T any] struct {
	Binary[T]
	Imm, SG    T
	LD, G2, G4 T                // whether it is a load, and of 2 or of 4 bytes; else it is of 8
	F          [6]T             `column:"f1 f2 f3 f4 f5 f6"` // F[i]: the offset in the word is i + 1; it is 7 if none is 1
	Crosses    T                `column:"c"`
	Base       T                `column:"a"`
	X          [16]T            // the bytes of the word and of the next one
	V          [8]T             // the bytes of the value
	New        [2]Limbs[T]      `column:"N0 N1 N2 N3"` // both words after the access
	Words      [2]WordAccess[T] `column:"mp0 y0 mp1 y1"`
	Previous1  T                `column:"pts1"`
	Previous2  T                `column:"pts2"`
	Old        Limbs[T]         `column:"o0 o1"` // the second register before and after the access
	Result     Limbs[T]         `column:"r0 r1"`
	Z, E       T                // the half with a load's sign, and the sign
}

// unalignedRow is a row of UNAL, with expressions derived from its columns.
type unalignedRow struct {
	*row
	Unaligned[expr]
	st, g8 expr
	f      [8]expr // f[o] is 1 if the offset in the word is o; f[0] is 0
}

// unalignedAccess declares UNAL, every load and store that is not naturally aligned, of one word or of two. Exactly one
// offset from 1 to 7 and one width are set. Aligned accesses violate a constraint, so each access has exactly one
// table. For a load the new limbs equal the old ones, so the value's bytes are those in memory. For a store the value's
// bytes are those of the register.
func (b *buses) unalignedAccess() *row {
	r, c := newInstruction[Unaligned[expr]](b, table.Unal)
	u := &unalignedRow{row: r, Unaligned: c}
	u.st, u.g8 = r.m.Sub(u.LD), r.m.Sub(u.G2).Sub(u.G4)
	u.f[0], u.f[7] = r.zero(), r.m
	for o := 1; o < 7; o++ {
		u.f[o] = u.F[o-1]
		u.f[7] = u.f[7].Sub(u.f[o])
	}
	u.flags()
	u.limbs()
	u.value()
	u.interactions()
	return r
}

// flags declares widths, offsets, and whether the access continues in the next word.
func (u *unalignedRow) flags() {
	u.boolean(u.LD, u.G2, u.G4)
	u.boolean(u.F[:]...)
	u.AssertBoolean("st is boolean", u.st)
	u.AssertBoolean("g8 is boolean", u.g8)
	u.AssertBoolean("f7 is boolean", u.f[7])
	u.assert("words at 4 are aligned", u.G4.Mul(u.f[4]))
	u.assert("halves at even addresses are aligned", u.G2.Mul(u.f[2].Add(u.f[4]).Add(u.f[6])))
	crosses := u.g8.Add(u.G4.Mul(u.f[5].Add(u.f[6]).Add(u.f[7]))).Add(u.G2.Mul(u.f[7]))
	u.assert("it crosses into the next word", u.Crosses.Sub(crosses))
}

// old returns limb k of the two words.
func (u *unalignedRow) old(k int) expr { return u.fromBytes(u.X[4*k : 4*k+4]) }

// limbs declares the new limbs: each byte that the access covers is the value's. For a load all bytes are unchanged.
func (u *unalignedRow) limbs() {
	for k, n := range []expr{u.New[0].Low, u.New[0].High, u.New[1].Low, u.New[1].High} {
		limb := u.old(k)
		for i := range 4 {
			at := 4*k + i
			change := u.zero()
			for o := 1; o < 8; o++ {
				for _, g := range []struct {
					width int
					flag  expr
				}{{2, u.G2}, {4, u.G4}, {8, u.g8}} {
					if o <= at && at < o+g.width {
						change = change.Add(u.f[o].Mul(g.flag).Mul(u.V[at-o].Sub(u.X[at])))
					}
				}
			}
			limb = limb.Add(change.Scale(1 << (8 * i)))
		}
		u.assert(fmt.Sprintf("the new limb of word %d, limb %d", k/2, k%2), n.Sub(limb))
		u.assert(fmt.Sprintf("a load leaves word %d, limb %d", k/2, k%2), u.LD.Mul(n.Sub(u.old(k))))
	}
}

// value declares the second register: a store leaves its source, which is the value, and a load's destination becomes
// the value with its sign e.
func (u *unalignedRow) value() {
	v, old, result, z, e := u.V[:], u.Old, u.Result, u.Z, u.E
	whole := u.ofBytes(v)
	half := func(i int) expr { return u.Pack(8, v[i], v[i+1]) }
	u.assert("a store's value, low limb", u.st.Mul(old.Low.Sub(whole.Low)))
	u.assert("a store's value, high limb", u.st.Mul(old.High.Sub(whole.High)))
	u.assert("a store leaves the register, low limb", u.st.Mul(result.Low.Sub(old.Low)))
	u.assert("a store leaves the register, high limb", u.st.Mul(result.High.Sub(old.High)))
	u.assert("the half with the sign", z.Sub(u.G2.Mul(half(0))).Sub(u.G4.Mul(half(2))))
	u.assert("a load's value, low limb", u.LD.Mul(
		result.Low.Sub(half(0)).Sub(u.m.Sub(u.G2).Mul(half(2).Scale(H))).Sub(u.G2.Mul(e).Scale(W-H))))
	u.assert("a load's value, high limb",
		u.LD.Mul(result.High.Sub(u.g8.Mul(whole.High)).Sub(u.m.Sub(u.g8).Mul(e).Scale(M))))
}

func (u *unalignedRow) interactions() {
	u.continues()
	// 28 for SBH, less 1 for SW and 2 for SD, and 3 less for a load.
	number := u.m.Scale(uint64(table.SBH)).Sub(u.G4).Sub(u.g8.Double()).Sub(u.LD.Scale(3))
	u.isOf(number, u.operands(), u.Imm, u.SG)
	u.readsBase(u.Rs1, u.Previous1, u.Base)
	now := u.ts.AddConstant(1).Add(u.LD.Double())
	u.access(u.Rd.Add(u.Rs2), u.Previous2, now, u.Old, u.Result)
	offset := u.zero()
	for o := 1; o < 8; o++ {
		offset = offset.Add(u.f[o].Scale(uint64(o)))
	}
	w := u.wordAt(u.Base, u.Imm, offset)
	u.accessWord(u.m, w, u.Words[0], pair{u.old(0), u.old(1)}, u.New[0])
	u.accessWord(u.Crosses, w.AddConstant(1), u.Words[1], pair{u.old(2), u.old(3)}, u.New[1])
	for i := 0; i < 16; i += 2 {
		u.areBytes(u.X[i], u.X[i+1])
	}
	for i := 0; i < 8; i += 2 {
		u.areBytes(u.V[i], u.V[i+1])
	}
	u.sign.Ask(u.Builder, u.m, sign{u.SG, u.Z, u.E})
	u.unaligned.Call(u.Builder, u.m, unaligned{u.zero()})
}
