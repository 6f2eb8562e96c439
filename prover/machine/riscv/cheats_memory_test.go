package riscv_test

import (
	"strconv"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// memoryCheats are about loads and stores.
func memoryCheats() []cheat {
	return []cheat{
		{name: "an old value", table: "LD", reason: "bus M", with: "R", lie: func(r row) { r.add("v0", 1) }},
		{name: "a value from the future", table: "LD", reason: "bus R20", with: "M",
			lie: func(r row) { r.set("mp", int64(r.get("ts"))+3) }},
		{name: "p - k as a gap", table: "LD", reason: "bus R20", with: "M", lie: func(r row) {
			r.set("mp", int64(r.get("ts"))+2+7<<14)
			r.set("y", -8) // 1 + r + 2^14 y with r in range
		}},
		{name: "a time that wraps below 0", table: "LD", reason: "bus M", lie: func(r row) {
			r.set("y", 1<<20-1) // both digits are the largest, and no token has such a time
			r.set("mp", int64(r.get("ts"))+2-1<<20-(1<<20-1)<<14)
		}},
		{name: "its own token", table: "SD", reason: "bus R20", with: "M",
			lie: func(r row) { r.set("mp", int64(r.get("ts"))+2) }},
		{name: "a register from the future", table: "ADD", reason: "bus R20", with: "R",
			lie: func(r row) { r.set("pt0", int64(r.get("ts"))+1) }},
		{name: "its own token", table: "ADD", reason: "bus R20", with: "R",
			lie: func(r row) { r.set("pt1", int64(r.get("ts"))+1) }},
		{name: "another address", table: "LD", reason: "bus M", with: "P", lie: func(r row) { r.add("imm", 8) }},
		{name: "an address that is not aligned", table: "LD", reason: "bus M", with: "R", lie: func(r row) { r.add("a", 1) }},
		{name: "the other limb", of: instruction.LW, table: "LW", reason: "bus M", with: "R, SGN, R16", lie: func(r row) {
			r.flip("s")
			r.solve("x", "the limb")
			r.set("xh", int64(r.get("x")>>16))
			r.set("e", int64(r.get("sg")*(r.get("xh")>>15)))
		}},
		{name: "the other limb at the same address", of: instruction.LW, table: "LW", reason: "the limb", with: "R",
			lie: func(r row) {
				r.set("x", int64(r.get("v0")*r.get("s")+r.get("v1")*(1-r.get("s"))))
				r.set("xh", int64(r.get("x")>>16))
				r.set("e", int64(r.get("sg")*(r.get("xh")>>15)))
			}},
		{name: "another sign", of: instruction.LW, table: "LW", reason: "bus SGN", with: "R",
			lie: func(r row) { r.flip("e") }},
		{name: "a sign of an unsigned word", of: instruction.LWU, table: "LW", reason: "bus SGN", with: "R",
			lie: func(r row) { r.flip("e") }},
		{name: "the other half", of: instruction.LHU, table: "LBH", reason: "bus M", with: "R", lie: func(r row) {
			r.flip("q1")
			h := r.get("h")
			r.settleHalf(r.get("g"), h)
		}},
		{name: "a half cut elsewhere", of: instruction.LHU, table: "LBH", reason: "bus B8", with: "R, SGN", lie: func(r row) {
			h, g := r.get("h"), r.get("g")
			if r.get("q1") == 0 {
				h, g = h+1<<16, g-1
			} else {
				h, g = h-1, g+1<<16
			}
			r.settleHalf(h, g)
		}, where: func(r row) bool { return r.get("q1") == 0 && r.get("g") > 0 }},
		{name: "a half cut elsewhere below the other", of: instruction.LHU, table: "LBH", reason: "bus R16", with: "R",
			where: func(r row) bool { return r.get("q1") == 1 && r.get("h")&0xff > 0 }, lie: func(r row) {
				r.settleHalf(r.get("h")-1, r.get("g")+1<<16)
			}},
		{name: "another sign", of: instruction.LB, table: "LBH", reason: "bus SGN", with: "R",
			lie: func(r row) { r.flip("e"); r.solve("res", "the value") }},
		{name: "a half at an odd address", of: instruction.LHU, table: "LBH", reason: "halves are at even addresses",
			with: "M", lie: func(r row) { r.set("q0", 1) }},
		{name: "a half for a byte", of: instruction.LBU, table: "LBH", reason: "bus P", with: "R",
			where: func(r row) bool { return r.get("q0") == 0 }, lie: func(r row) {
				r.set("fb", 0)
				r.settleHalf(r.get("h"), r.get("g"))
			}},
		{name: "a lost write", of: instruction.SW, table: "SW", reason: "the low limb", with: "M",
			where: func(r row) bool { return r.get("s") == 0 },
			lie:   func(r row) { *r.cell("n0") = *r.cell("m0") }},
		{name: "a write to both limbs", of: instruction.SW, table: "SW", reason: "the high limb", with: "M",
			where: func(r row) bool { return r.get("s") == 0 },
			lie:   func(r row) { *r.cell("n1") = *r.cell("v0") }},
		{name: "a lost write", of: instruction.SH, table: "SBH", reason: "the half that is stored", with: "M",
			lie: func(r row) {
				*r.cell("n"), *r.cell("n0"), *r.cell("n1") = *r.cell("h"), *r.cell("m0"), *r.cell("m1")
			}},
		{name: "a write to the other limb", of: instruction.SH, table: "SBH", reason: "the high limb stays", with: "M",
			where: func(r row) bool { return r.get("q2") == 0 }, lie: func(r row) {
				change := r.cell("n0").Sub(*r.cell("m0"))
				*r.cell("n0") = *r.cell("m0")
				*r.cell("n1") = r.cell("n1").Add(change)
			}},
		{name: "a write to the limb below", of: instruction.SH, table: "SBH", reason: "the low limb stays", with: "M",
			where: func(r row) bool { return r.get("q2") == 1 }, lie: func(r row) {
				change := r.cell("n1").Sub(*r.cell("m1"))
				*r.cell("n1") = *r.cell("m1")
				*r.cell("n0") = r.cell("n0").Add(change)
			}},
		{name: "a byte of another value", of: instruction.SB, table: "SBH", reason: "bus B8", with: "M",
			where: func(r row) bool { return r.get("q2") == 0 && r.get("q1") == 0 && r.get("q0") == 0 && r.get("b1") < 255 },
			lie: func(r row) {
				r.add("b1", 1) // the byte becomes b - 2^8
				r.solve("n", "the half that is stored")
				r.solve("n0", "the change of the limbs")
			}},
		{name: "a half cut elsewhere", of: instruction.SH, table: "SBH", reason: "bus R16", with: "M",
			where: func(r row) bool { return r.get("q1") == 1 && r.get("q2") == 0 && r.get("hh") > 0 }, lie: func(r row) {
				r.add("hh", -1)
				r.add("h", -1<<8)
				r.add("g", 1<<24)
				r.solve("n0", "the change of the limbs")
			}},
		{name: "another register's value", table: "SD", reason: "bus R", with: "M", lie: func(r row) { r.add("v0", 1) }},
		{name: "another register", table: "SD", reason: "bus P", with: "R", lie: func(r row) { r.add("rs2", 1) }},
		{name: "an aligned word", table: "UNAL", reason: "words at 4 are aligned", with: "P, M, R", where: unaligned(4, 5),
			lie: func(r row) { r.moveTo(4, 4); r.settleUnaligned() }},
		{name: "an aligned half", table: "UNAL", reason: "halves at even addresses are aligned", with: "P, M, R",
			where: unaligned(2, 3), lie: func(r row) { r.moveTo(2, 2); r.settleUnaligned() }},
		{name: "two offsets", table: "UNAL", reason: "f7 is boolean", with: "M",
			where: func(r row) bool { return r.get("ld") == 0 && r.get("f3") == 1 }, lie: func(r row) {
				r.set("f1", 1)
				r.settleUnaligned()
			}},
		{name: "no offset", table: "UNAL", reason: "it crosses into the next word", with: "M, R", where: unaligned(4, 1),
			lie: func(r row) { r.moveTo(7, 4); r.settleUnaligned(); r.set("c", 0) }},
		{name: "the next word left alone", table: "UNAL", reason: "it crosses into the next word", with: "M",
			where: func(r row) bool { return r.get("c") == 1 }, lie: func(r row) { r.set("c", 0) }},
		{name: "a load that writes", table: "UNAL", reason: "a load leaves word 0, limb 0", with: "M, R",
			where: unaligned(2, 1), lie: func(r row) {
				r.set("v0", int64(r.get("v0")^1))
				r.settleUnaligned()
			}},
		{name: "a store that writes nothing", table: "UNAL", reason: "the new limb of word 0, limb 0", with: "M",
			where: func(r row) bool { return r.get("ld") == 0 && r.get("f1") == 1 }, lie: func(r row) {
				r.add("N0", 1)
			}},
		{name: "another sign", table: "UNAL", reason: "bus SGN", with: "R", where: unaligned(2, 1),
			lie: func(r row) { r.flip("e"); r.settleUnaligned() }},
		{name: "bytes of other values", table: "UNAL", reason: "bus B8", where: func(r row) bool { return r.get("ld") == 0 },
			lie: func(r row) { r.add("x0", 256); r.add("x1", -1); r.settleUnaligned() }, with: "M"},
		{name: "a store that changes its register", table: "UNAL", reason: "a store leaves the register, low limb", with: "R",
			where: func(r row) bool { return r.get("ld") == 0 }, lie: func(r row) { r.add("r0", 1) }},
		{name: "a store of another value", table: "UNAL", reason: "a store's value, low limb", with: "M",
			where: func(r row) bool { return r.get("ld") == 0 }, lie: func(r row) {
				r.set("v0", int64(r.get("v0")^1))
				r.settleUnaligned()
			}},
	}
}

// unaligned are loads of a width at an offset.
func unaligned(width, offset int) func(r row) bool {
	return func(r row) bool {
		ld, g2, g4 := r.get("ld"), r.get("g2"), r.get("g4")
		return ld == 1 && g2 == uint64(boolInt(width == 2)) && g4 == uint64(boolInt(width == 4)) &&
			r.get("f"+strconv.Itoa(offset)) == 1
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// settleHalf computes the result from a half and the rest of its limb.
func (r row) settleHalf(h, g uint64) {
	r.set("h", int64(h))
	r.set("g", int64(g))
	r.set("hh", int64(h>>8))
	r.solve("z", "the value at the top of 16 bits")
	r.set("e", int64(r.get("sg")*(r.get("z")>>15&1)))
	r.solve("res", "the value")
}

// moveTo changes a load's offset, and its value to the bytes there.
func (r row) moveTo(offset, width int) {
	for o := 1; o < 7; o++ {
		r.set("f"+strconv.Itoa(o), int64(boolInt(o == offset)))
	}
	for i := range width {
		*r.cell("v" + strconv.Itoa(i)) = *r.cell("x" + strconv.Itoa(offset+i))
	}
}

// settleUnaligned computes limbs and result from the flags and bytes.
func (r row) settleUnaligned() {
	for i, name := range []string{"N0", "N1", "N2", "N3"} {
		r.solve(name, "the new limb of word "+strconv.Itoa(i/2)+", limb "+strconv.Itoa(i%2))
	}
	r.solve("z", "the half with the sign")
	if r.get("ld") == 1 {
		r.solve("r0", "a load's value, low limb")
		r.solve("r1", "a load's value, high limb")
	}
	r.solve("c", "it crosses into the next word")
}
