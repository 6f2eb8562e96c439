package rv64im

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// unalignedColumns are those of UNAL: x0 to x15 are the bytes of the word w and of the one behind, v0 to v7 those of
// the value, N0 to N3 the words' new limbs.
var unalignedColumns = "rd rs1 rs2 imm sg ld g2 g4 f1 f2 f3 f4 f5 f6 c a" + sixteenColumns() + eightColumns("v") +
	" N0 N1 N2 N3 mp0 y0 mp1 y1 pts1 pts2 o0 o1 r0 r1 z e"

func sixteenColumns() (list string) {
	for i := range 16 {
		list += fmt.Sprintf(" x%d", i)
	}
	return list
}

// unalignedRow are the columns of UNAL in groups.
type unalignedRow struct {
	*row
	ld, st     air.Expr    // a load or a store
	g2, g4, g8 air.Expr    // its width
	f          [8]air.Expr // f[o] says that the offset in the word is o; f[0] is 0
	x, v, n    []air.Expr
}

// unalignedAccess declares UNAL, every load and store that is not naturally aligned, of one word or of two. One offset
// from 1 to 7 is set and one width; aligned ones are refused, so each access has exactly one table. For a load the new
// limbs are the old ones, which makes the value's bytes those in memory; for a store they are those of the register.
func (b *buses) unalignedAccess() *row {
	r := b.newInstruction(table.Unal, unalignedColumns)
	u := &unalignedRow{row: r, ld: r.at("ld"), g2: r.at("g2"), g4: r.at("g4")}
	u.st, u.g8 = r.m.Sub(u.ld), r.m.Sub(u.g2).Sub(u.g4)
	u.f[0], u.f[7] = r.zero(), r.m
	for o := 1; o < 7; o++ {
		u.f[o] = r.at(fmt.Sprintf("f%d", o))
		u.f[7] = u.f[7].Sub(u.f[o])
	}
	for i := range 16 {
		u.x = append(u.x, r.at(fmt.Sprintf("x%d", i)))
	}
	u.v, u.n = r.octets("v"), r.list("N0 N1 N2 N3")
	u.flags()
	u.limbs()
	u.value()
	u.interactions()
	return r
}

// flags declares widths, offsets, and whether the access goes on into the next word.
func (u *unalignedRow) flags() {
	u.boolean("ld g2 g4 f1 f2 f3 f4 f5 f6")
	u.AssertBoolean("st is boolean", u.st)
	u.AssertBoolean("g8 is boolean", u.g8)
	u.AssertBoolean("f7 is boolean", u.f[7])
	u.assert("words at 4 are aligned", u.g4.Mul(u.f[4]))
	u.assert("halves at even addresses are aligned", u.g2.Mul(u.f[2].Add(u.f[4]).Add(u.f[6])))
	crosses := u.g8.Add(u.g4.Mul(u.f[5].Add(u.f[6]).Add(u.f[7]))).Add(u.g2.Mul(u.f[7]))
	u.assert("it crosses into the next word", u.at("c").Sub(crosses))
}

// old is limb k of the two words.
func (u *unalignedRow) old(k int) air.Expr { return u.fromBytes(u.x[4*k : 4*k+4]) }

// limbs declares the new limbs: each byte that the access covers is the value's, for a load all are what they were.
func (u *unalignedRow) limbs() {
	for k := range 4 {
		limb := u.old(k)
		for i := range 4 {
			at := 4*k + i
			change := u.zero()
			for o := 1; o < 8; o++ {
				for _, g := range []struct {
					width int
					flag  air.Expr
				}{{2, u.g2}, {4, u.g4}, {8, u.g8}} {
					if o <= at && at < o+g.width {
						change = change.Add(u.f[o].Mul(g.flag).Mul(u.v[at-o].Sub(u.x[at])))
					}
				}
			}
			limb = limb.Add(change.Scale(1 << (8 * i)))
		}
		u.assert(fmt.Sprintf("the new limb of word %d, limb %d", k/2, k%2), u.n[k].Sub(limb))
		u.assert(fmt.Sprintf("a load leaves word %d, limb %d", k/2, k%2), u.ld.Mul(u.n[k].Sub(u.old(k))))
	}
}

// value declares the second register: a store's source stays what it was and is the value, a load's destination becomes
// the value with its sign e.
func (u *unalignedRow) value() {
	v, o0, o1, r0, r1, z, e := u.v, u.at("o0"), u.at("o1"), u.at("r0"), u.at("r1"), u.at("z"), u.at("e")
	whole := u.ofBytes(v)
	half := func(i int) air.Expr { return u.Pack(8, v[i], v[i+1]) }
	u.assert("a store's value, low limb", u.st.Mul(o0.Sub(whole[0])))
	u.assert("a store's value, high limb", u.st.Mul(o1.Sub(whole[1])))
	u.assert("a store leaves the register, low limb", u.st.Mul(r0.Sub(o0)))
	u.assert("a store leaves the register, high limb", u.st.Mul(r1.Sub(o1)))
	u.assert("the half with the sign", z.Sub(u.g2.Mul(half(0))).Sub(u.g4.Mul(half(2))))
	u.assert("a load's value, low limb",
		u.ld.Mul(r0.Sub(half(0)).Sub(u.m.Sub(u.g2).Mul(half(2).Scale(H))).Sub(u.g2.Mul(e).Scale(W-H))))
	u.assert("a load's value, high limb", u.ld.Mul(r1.Sub(u.g8.Mul(whole[1])).Sub(u.m.Sub(u.g8).Mul(e).Scale(M))))
}

func (u *unalignedRow) interactions() {
	u.goesOn()
	// 28 for SBH, less 1 for SW and 2 for SD, and 3 less for a load.
	number := u.m.Scale(uint64(table.SBH)).Sub(u.g4).Sub(u.g8.Double()).Sub(u.ld.Scale(3))
	u.isOf(number, u.at("imm"), u.at("sg"))
	u.readsBase()
	now := u.ts.AddConstant(1).Add(u.ld.Double())
	u.access(u.at("rd").Add(u.at("rs2")), u.at("pts2"), now, pair{u.at("o0"), u.at("o1")}, pair{u.at("r0"), u.at("r1")})
	offset := u.zero()
	for o := 1; o < 8; o++ {
		offset = offset.Add(u.f[o].Scale(uint64(o)))
	}
	w := u.wordAt(offset)
	u.accessWord(u.m, w, u.at("mp0"), u.at("y0"), pair{u.old(0), u.old(1)}, pair{u.n[0], u.n[1]})
	u.accessWord(u.at("c"), w.AddConstant(1), u.at("mp1"), u.at("y1"), pair{u.old(2), u.old(3)}, pair{u.n[2], u.n[3]})
	for i := 0; i < 16; i += 2 {
		u.areBytes(u.x[i], u.x[i+1])
	}
	for i := 0; i < 8; i += 2 {
		u.areBytes(u.v[i], u.v[i+1])
	}
	u.sign.Ask(u.Builder, u.m, sign{u.at("sg"), u.at("z"), u.at("e")})
	u.unaligned.Call(u.Builder, u.m, unaligned{u.zero()})
}
