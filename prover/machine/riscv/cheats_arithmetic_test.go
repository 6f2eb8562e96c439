package riscv_test

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// arithmeticCheats are about sums, logic and shifts.
func arithmeticCheats() []cheat {
	return []cheat{
		{name: "a wrong sum", table: "ADD", reason: "the low carry is 0 or 1", with: "R, R16", lie: func(r row) {
			r.add("c0", 1)
			r.solveCarry()
		}},
		{name: "another destination", of: instruction.ADD, table: "ADD", reason: "bus P", with: "R",
			lie: func(r row) { r.add("rd", 1) }},
		{name: "a lost carry", of: instruction.ADD, table: "ADD", reason: "the high carry is 0 or 1", with: "R",
			where: func(r row) bool { return r.get("alo")+r.get("blo") >= w && r.get("c2") > 0 }, lie: func(r row) {
				r.add("c2", -1)
			}},
		{name: "a limb of W", of: instruction.ADD, table: "ADD", reason: "bus R16", with: "R",
			where: func(r row) bool { return r.get("alo")+r.get("blo") >= w && r.get("c2") > 0 },
			lie:   func(r row) { r.add("c1", 1<<16); r.add("c2", -1) }},
		{name: "a wrong sum", of: instruction.ADDI, table: "ADDI", reason: "the carry is -1, 0 or 1", with: "R",
			lie: func(r row) {
				r.add("c0", 1)
				k := r.carry()
				*r.cell("chi") = r.cell("ahi").Add(k)
				r.solve("inv", "the high limb is neither -1 nor W")
			}},
		{name: "a lost carry", of: instruction.ADDI, table: "ADDI", reason: "the high limb takes the carry or wraps",
			with:  "R",
			where: func(r row) bool { return r.carry() == 1 && r.get("ahi") == 0 }, lie: func(r row) {
				r.set("chi", 0)
				r.solve("inv", "the high limb is neither -1 nor W")
			}},
		{name: "a limb of W", of: instruction.ADDI, table: "ADDI", reason: "the high limb is neither -1 nor W", with: "R",
			where: func(r row) bool { return r.carry() == 1 && r.get("ahi") == m }, lie: func(r row) { r.set("chi", w) }},
		{name: "a limb of -1", of: instruction.ADDI, table: "ADDI", reason: "the high limb is neither -1 nor W", with: "R",
			where: func(r row) bool { return r.get("ahi") == 0 && r.carry() != 0 && r.carry() != 1 }, lie: func(r row) {
				r.set("chi", -1)
			}},
		{name: "a wrap from elsewhere", of: instruction.ADDI, table: "ADDI", reason: "a wrap ends at 0 or M", with: "R",
			where: func(r row) bool { return r.carry() == 1 && r.get("ahi") == 0 },
			lie:   func(r row) { r.set("chi", 1-w); r.solve("inv", "the high limb is neither -1 nor W") }},
		{name: "a wrong sum", table: "ADDIQ", reason: "the carry is -1, 0 or 1", with: "R", lie: func(r row) {
			r.add("c0", 1)
			*r.cell("chi") = r.cell("ahi").Add(r.carry())
			r.solve("inv", "the high limb is neither -1 nor W")
		}},
		{name: "another destination", table: "ADDIQ", reason: "bus P", with: "R", lie: func(r row) { r.add("rd", 1) }},
		{name: "another constant", table: "ADDIQ", reason: "bus P", with: "R",
			where: func(r row) bool { return r.get("c0") < 0xffff }, lie: func(r row) {
				r.add("imm", 1)
				r.add("c0", 1)
			}},
		{name: "a wrong sum", table: "ADDIW", reason: "the carry is -1, 0 or 1", with: "R",
			where: func(r row) bool { return r.get("c0") < 0xffff },
			lie:   func(r row) { r.add("c0", 1) }},
		{name: "halves cut elsewhere", table: "ADDIW", reason: "bus R16",
			where: func(r row) bool { return r.get("c1")&0x7fff > 0 },
			lie:   func(r row) { r.add("c0", 1<<16); r.add("c1", -1) }},
		{name: "another sign", table: "ADDIW", reason: "bus SGN", with: "R", lie: func(r row) { r.flip("s") }},
		{name: "a negative limb for a borrow", of: instruction.SUB, table: "SUB", reason: "bus R16", with: "R",
			where: func(r row) bool {
				return r.get("k0") == 1 && r.limb("c") < m && r.get("c2") < 0xffff && r.get("fw") == 0
			},
			lie: func(r row) { r.set("k0", 0); r.add("c2", 1); r.solve("c0", "the low limb") }},
		{name: "a lost borrow", of: instruction.SUB, table: "SUB", reason: "the high limb of 64 bits", with: "R",
			where: func(r row) bool { return r.get("k0") == 1 && r.get("c2") < 0xffff }, lie: func(r row) { r.add("c2", 1) }},
		{name: "a sum for a difference", of: instruction.SUB, table: "SUB", reason: "bus P", with: "R",
			where: func(r row) bool {
				return r.get("alo") == 1 && r.get("blo") == 1 && r.get("ahi") == 0 && r.get("bhi") == 0
			},
			lie: func(r row) { r.set("fs", 0); r.set("c0", 2) }},
		{name: "a word's sign", of: instruction.SUBW, table: "SUB", reason: "bus SGN", with: "R", lie: func(r row) {
			r.flip("s")
			r.set("c2", 0xffff*int64(r.get("s")))
			r.set("c3", 0xffff*int64(r.get("s")))
		}},
		{name: "a wrong byte", table: "LOGR", reason: "bus B8", with: "R",
			lie: func(r row) { r.set("z0", int64(r.get("z0")^1)) }},
		{name: "no byte", table: "LOGR", reason: "bus B8", lie: func(r row) { r.add("x0", 256); r.add("x1", -1) }},
		{name: "another operation", table: "LOGR", where: func(r row) bool { return r.get("op") == 2 }, reason: "bus P",
			with: "B8",
			lie:  func(r row) { r.set("op", 1) }},
		{name: "a wrong byte", table: "LOGI", reason: "bus B8", with: "R",
			lie: func(r row) { r.set("z0", int64(r.get("z0")^1)); r.solve("clo", "the low limb") }},
		{name: "other upper bits", table: "LOGI", reason: "the high limb", with: "R", lie: func(r row) { r.add("chi", 1) }},
		{name: "another constant", table: "LOGI", reason: "bus P", with: "R, B8",
			lie: func(r row) { r.set("i0", int64(r.get("i0")^1)) }},
		{name: "bytes cut elsewhere", table: "LOGI", reason: "bus B8", with: "R, R16", lie: func(r row) {
			r.add("x1", 256)
			r.solve("clo", "the low limb")
		}},
		{name: "a sign that shifts in", of: instruction.SRAI, table: "SHI", reason: "bus SGN", with: "R",
			where: func(r row) bool { return r.get("s") == 1 && r.get("p") < 1<<16 }, lie: otherSign},
		{name: "a sign that shifts in", of: instruction.SRA, table: "SHR", reason: "bus SGN", with: "R",
			where: func(r row) bool { return r.get("s") == 1 && r.get("p") < 1<<16 }, lie: otherSign},
		{name: "a sign of a logical shift", of: instruction.SRLI, table: "SHI", reason: "no sign unless it is arithmetic",
			with:  "R",
			where: func(r row) bool { return r.get("f1") == 1 }, lie: otherSign},
		{name: "a dropped bit moved", of: instruction.SLLI, table: "SHI", reason: "bus R16", with: "R",
			where: func(r row) bool { return r.get("w4") > 0 && r.get("f1") == 0 },
			lie:   func(r row) { r.add("w3", 1<<16); r.add("w4", -1); r.solveShift() }},
		{name: "a longer shift", of: instruction.SLLI, table: "SHI", reason: "bus P", with: "R",
			where: func(r row) bool { return r.get("alo") == 1 && r.get("ahi") == 0 && r.get("p") == 1 && r.get("f1") == 0 },
			lie:   func(r row) { r.set("p", 2); r.set("w0", 2); r.solveShift() }},
		{name: "a product of W more", of: instruction.SLLI, table: "SHI", reason: "bus R16", with: "R",
			where: lowDigitsAreFull, lie: productOfMore},
		{name: "a product of W more", of: instruction.SLL, table: "SHR", reason: "bus R16", with: "R",
			where: lowDigitsAreFull, lie: productOfMore},
		{name: "a word's sign", of: instruction.SRAIW, table: "SHWI", reason: "bus SGN", with: "R",
			lie: func(r row) { r.flip("s"); r.solve("clo", "the low limb") }},
		{name: "a wrong digit", of: instruction.SLLIW, table: "SHWI", reason: "the product", with: "R",
			where: func(r row) bool { return r.get("e0") == 1 },
			lie:   func(r row) { r.set("w0", int64(r.get("w0")^1)); r.solve("clo", "the low limb") }},
		{name: "another shift", of: instruction.SLLIW, table: "SHWI", reason: "bus P", with: "R",
			where: func(r row) bool { return r.get("alo") == 1 && r.get("p") == 1 && r.get("e0") == 1 },
			lie:   func(r row) { r.set("p", 2); r.set("w0", 2); r.set("v", 0); r.solve("clo", "the low limb") }},
		{name: "another amount", of: instruction.SLLW, table: "SHWR", reason: "bus R16", with: "R",
			where: func(r row) bool { return r.get("sh") == 1 && r.get("alo") == 1 },
			lie:   func(r row) { r.set("sh", 2); r.set("p", 4); r.set("w0", 4); r.solve("clo", "the low limb") }},
		{name: "another amount", of: instruction.SLL, table: "SHR", reason: "bus R16", with: "R",
			where: func(r row) bool { return r.get("sh") == 1 && r.get("alo") == 1 && r.get("ahi") == 0 },
			lie:   func(r row) { r.set("sh", 2); r.set("p", 4); r.set("w0", 4); r.solveShift() }},
		{name: "another factor", of: instruction.SLL, table: "SHR", reason: "bus SH", with: "R",
			where: func(r row) bool { return r.get("sh") == 1 && r.get("alo") == 1 && r.get("ahi") == 0 },
			lie:   func(r row) { r.set("p", 4); r.set("w0", 4); r.solveShift() }},
		{name: "other top bits", of: instruction.SRAW, table: "SHWR", reason: "the sign is looked up",
			where: func(r row) bool { return r.get("e4") == 1 && r.get("v")&0x7fff < 0x7fff },
			lie:   func(r row) { r.add("v", 1) }},
		{name: "other top bits of a long shift", of: instruction.SRAW, table: "SHWR", reason: "the sign is looked up",
			where: func(r row) bool { return r.get("e5") == 1 && r.get("v")&0x7fff < 0x7fff },
			lie:   func(r row) { r.add("v", 1) }},
		{name: "another factor", of: instruction.SLLW, table: "SHWR", reason: "bus SH", with: "R",
			where: func(r row) bool { return r.get("sh") == 1 && r.get("alo") == 1 },
			lie:   func(r row) { r.set("p", 4); r.set("w0", 4); r.solve("clo", "the low limb") }},
		{name: "an amount of 64", of: instruction.SRL, table: "SHR", reason: "bus SH",
			where: func(r row) bool { return r.get("sh") == 0 && r.get("q0") > 0 },
			lie:   func(r row) { r.set("sh", 64); r.add("q0", -1) }},
		{name: "another constant", table: "UJ", reason: "bus P", with: "R", lie: func(r row) { r.add("lo", 1) }},
		{name: "another value", table: "MV", reason: "bus R", lie: func(r row) { r.add("alo", 1) }},
		{name: "another destination", table: "MV", reason: "bus P", with: "R", lie: func(r row) { r.add("rd", 1) }},
		{name: "x0 written", table: "UJ", reason: "bus P", with: "R", lie: func(r row) { r.set("rd", 0) }},
		{name: "x0 not 0", table: "SUB", where: func(r row) bool { return r.get("rs1") == 0 }, reason: "bus R",
			with: "SGN, R16",
			lie:  func(r row) { r.add("alo", 1); r.solve("c0", "the low limb") }},
	}
}

// carry is the carry of ADDI.
func (r row) carry() (k goldilocks.Element) {
	c := r.cell("c0").Add(r.cell("c1").Mul(1 << 16))
	return r.cell("alo").Add(*r.cell("imm")).Sub(c).Mul(goldilocks.Element(w).Inverse())
}

// solveCarry makes ADD's high sum follow from its low carry, whatever that is.
func (r row) solveCarry() {
	r.set("c3", 0)
	clo := r.cell("c0").Add(r.cell("c1").Mul(1 << 16))
	k0 := r.cell("alo").Add(*r.cell("blo")).Sub(clo).Mul(goldilocks.Element(w).Inverse())
	*r.cell("c2") = r.cell("ahi").Add(*r.cell("bhi")).Add(k0)
}

// otherSign shifts in the other sign.
func otherSign(r row) {
	delta := int64(1<<16) - int64(r.get("p"))
	if r.get("s") == 1 {
		delta = -delta
	}
	r.flip("s")
	r.add("w4", delta)
	r.solveShift()
}

// lowDigitsAreFull requires that a shift's low product ends with M, and that its digits belong to a left shift.
func lowDigitsAreFull(r row) bool {
	return r.get("w0") == 0xffff && r.get("w1") == 0xffff && r.get("d") == 0
}

// productOfMore replaces M + W h by 0 + W (h + W), which is M + W h + p.
func productOfMore(r row) {
	r.set("w0", 0)
	r.set("w1", 0)
	r.add("h", w)
	r.add("w4", 1)
	r.solveShift()
}

// solveShift computes the result from the digits.
func (r row) solveShift() {
	r.solve("clo", "the low limb")
	r.solve("chi", "the high limb")
}
