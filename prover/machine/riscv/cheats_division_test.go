package riscv_test

import "github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"

// divisionCheats are about quotients and remainders. Operands of one limb make them short: 7 is divided by 3.
func divisionCheats() []cheat {
	of := func(a, b uint64) func(r row) bool {
		return func(r row) bool {
			return r.get("alo")|r.get("ahi")<<32 == a && r.get("blo")|r.get("bhi")<<32 == b
		}
	}
	minus := func(v uint64) uint64 { return -v }
	return []cheat{
		{name: "a remainder of the divisor", of: instruction.DIVU, table: "DIV", where: of(8, 2), reason: "bus R16",
			with: "R", lie: func(r row) {
				r.setLimb("Q", 3)
				r.setLimb("R", 2)
				r.settleDivision()
			}},
		{name: "a remainder above the divisor", of: instruction.REMU, table: "DIV", where: of(7, 3), reason: "bus R16",
			with: "R", lie: func(r row) {
				r.setLimb("Q", 1)
				r.setLimb("R", 4)
				r.settleDivision()
			}},
		{name: "a negative remainder", of: instruction.DIVU, table: "DIV", where: of(7, 3), reason: "bus R16", with: "R",
			lie: func(r row) {
				r.setLimb("Q", 3)
				r.set("R0", -2)
				r.settleDivision()
			}},
		{name: "a wrong quotient", of: instruction.DIVU, table: "DIV", where: of(7, 3),
			reason: "the low limb of the dividend", with: "R", lie: func(r row) {
				r.setLimb("Q", 3)
				r.settleDivision()
			}},
		{name: "a dividend plus p", of: instruction.DIVU, table: "DIV", where: of(minus(1), 1), reason: "its carry is not M",
			with: "R", lie: func(r row) {
				// Q bl + R = al + W M - p = al - 1.
				r.setLimb("Q", m-1)
				r.setLimb("U", 0)
				r.setLimb("h", m)
				r.set("ih", 0)
				r.settleDivision()
			}},
		{name: "a product of high limbs", of: instruction.DIVU, table: "DIV", where: of(1<<63-1, 1<<32),
			reason: "no product of high limbs", with: "R", lie: func(r row) {
				r.setLimb("U", 1)
				r.settleDivision()
			}},
		{name: "a division by 0 of another quotient", of: instruction.DIVU, table: "DIV", where: of(7, 0),
			reason: "the quotient by 0, low limb", with: "R", lie: func(r row) {
				r.setLimb("Q", 5)
				r.settleDivision()
			}},
		{name: "a division by 0 of a short quotient", of: instruction.DIVU, table: "DIV", where: of(7, 0),
			reason: "the quotient by 0, high limb", with: "R", lie: func(r row) {
				r.setLimb("U", 0)
				r.settleDivision()
			}},
		{name: "a division by nonzero treated as by 0", of: instruction.DIVU, table: "DIV", where: of(minus(1), 1),
			reason: "0 if it says so", lie: func(r row) {
				r.set("z", 1)
				r.set("iz", 0)
				r.setLimb("d", 0)
				r.settleDivision()
			}},
		{name: "a division by 0 like another", of: instruction.DIVU, table: "DIV", where: of(7, 0),
			reason: "not 0 if it says so", with: "R, R16", lie: func(r row) {
				r.set("z", 0)
				r.setLimb("Q", 5)
				r.setLimb("U", 0)
				r.settleDivision()
			}},
		{name: "a quotient of -2^63 by -1 that overflows", of: instruction.DIV, table: "DIV", where: of(1<<63, minus(1)),
			reason: "the quotient's sign", with: "R", lie: func(r row) {
				r.set("sq", 1)
				r.set("sc", 1)
				r.set("k2", 1)
				r.setLimb("e", 1<<31)
			}},
		{name: "a quotient's sign", of: instruction.DIV, table: "DIV", where: of(minus(1), 1), reason: "the quotient's sign",
			with: "R", lie: func(r row) {
				r.set("sq", 0)
				r.set("sc", 0)
				r.plain()
			}},
		{name: "a remainder's sign", of: instruction.REM, table: "DIV", where: of(minus(1), 2), reason: "the result's sign",
			with: "R", lie: func(r row) {
				r.set("sc", 0)
				r.plain()
			}},
		{name: "an operand's sign", of: instruction.DIV, table: "DIV", where: of(minus(1), 1), reason: "bus SGN", with: "R",
			lie: func(r row) {
				r.set("sa", 0)
				r.set("al", m)
				r.set("ah", m)
				r.setLimb("Q", m)
				r.setLimb("U", m)
				r.set("sq", 0)
				r.set("sc", 0)
				r.settleDivision()
			}},
		{name: "a sign of an unsigned operand", of: instruction.DIVU, table: "DIV", where: of(minus(1), 1),
			reason: "no sign unless it is signed of a", with: "R", lie: func(r row) {
				r.set("sa", 1)
				r.set("al", 1)
				r.set("ah", 0)
				r.setLimb("Q", 1)
				r.setLimb("U", 0)
				r.set("sq", 1)
				r.set("sc", 1)
				r.setLimb("c", m)
				r.setLimb("e", m)
				r.set("k1", 1)
				r.set("k2", 1)
				r.set("xl", 1)
				r.set("xh", 0)
				r.solve("iq", "no product of M by M")
				r.settleDivision()
			}},
		{name: "a remainder for a quotient", of: instruction.DIVU, table: "DIV", where: of(7, 3), reason: "bus P", with: "R",
			lie: func(r row) {
				r.set("fr", 1)
				r.settleDivision()
			}},
		{name: "a word's sign", of: instruction.DIVW, table: "DIV", reason: "bus SGN", with: "R", lie: func(r row) {
			r.flip("sw")
			r.setLimb("e", m*r.get("sw"))
		}},
	}
}

// settleDivision fills the cells that follow from quotient, remainder and sign.
func (r row) settleDivision() {
	if r.get("z") == 0 {
		r.set("hh", 0)
		if r.limb("V") == r.get("bh") {
			r.set("hh", 1)
		}
		r.solveLimb("d", "the remainder is less")
	}
	if r.constraint("no product of M by M") != 0 {
		r.solve("iq", "no product of M by M")
	}
	if r.limb("h") != m {
		r.solve("ih", "its carry is not M")
	}
	r.solve("xl", "the low limb wanted")
	r.solve("xh", "the high limb wanted")
	if r.get("sc") == 0 {
		r.plain()
	}
}

// plain sets the result to the wanted value, without a sign.
func (r row) plain() {
	r.set("k1", 0)
	r.set("k2", 0)
	r.solveLimb("c", "the low limb")
	if r.get("fw") == 0 {
		r.solveLimb("e", "the high limb of 64 bits")
	}
	r.set("sw", int64(r.get("c1")>>15&1))
}
