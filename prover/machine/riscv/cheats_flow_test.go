package riscv_test

import "github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"

// flowCheats are about comparisons and control flow. A branch without a lie of its own takes the other outcome.
func flowCheats() []cheat {
	equal := func(r row) bool { return r.get("e") == 1 }
	other := func(r row) bool { return r.get("e") == 0 }
	return []cheat{
		{name: "a nonzero value taken for 0", table: "BEQZ", where: other, reason: "0 if it says so", with: "S", lie: nil},
		{name: "0 taken for nonzero", table: "BEQZ", where: equal, reason: "not 0 if it says so", with: "S"},
		{name: "equal high limbs alone", of: instruction.BEQ, table: "BEQ", reason: "the low limbs are equal if it says so",
			with:  "S",
			where: func(r row) bool { return r.get("e") == 0 && r.get("ahi") == r.get("bhi") }},
		{name: "equal low limbs alone", of: instruction.BNE, table: "BEQ", reason: "the high limbs are equal if it says so",
			with:  "S",
			where: func(r row) bool { return r.get("e") == 0 && r.get("alo") == r.get("blo") }},
		{name: "equal values taken for unequal", of: instruction.BEQ, table: "BEQ", where: equal,
			reason: "they differ if it says so", with: "S"},
		{name: "the other outcome", of: instruction.BLTU, table: "BLTU", reason: "bus R16", with: "S"},
		{name: "the other outcome of more", of: instruction.BGEU, table: "BLTU", reason: "bus R16", with: "S",
			where: func(r row) bool { return r.get("h") == 0 && r.get("lt") == 0 }},
		{name: "the other outcome", of: instruction.BLT, table: "BLT", reason: "bus R16", with: "S"},
		{name: "another sign", of: instruction.BLT, table: "BLT", reason: "bus SGN", with: "S", branches: true,
			where: func(r row) bool { return r.get("ma") == 1 && r.get("mb") == 0 }, lie: func(r row) { r.set("ma", 0) }},
		{name: "another sign of b", of: instruction.BLT, table: "BLT", reason: "bus SGN", with: "S", branches: true,
			where: func(r row) bool { return r.get("mb") == 1 && r.get("ma") == 0 }, lie: func(r row) { r.set("mb", 0) }},
		{name: "low limbs that do not decide", of: instruction.BLTU, table: "BLTU",
			reason: "the high limbs are equal where the low ones decide", with: "S, R16",
			where: func(r row) bool { return r.get("h") == 0 }, lie: func(r row) {
				r.set("h", 1)
				r.solveLimb("d", "the difference is positive just where it says so")
			}},
		{name: "equal high limbs that decide", of: instruction.BLTU, table: "BLTU", reason: "bus R16",
			where: func(r row) bool { return r.get("h") == 1 }, lie: func(r row) {
				r.set("h", 0)
				r.solveLimb("d", "the difference is positive just where it says so")
			}},
		{name: "another sign", of: instruction.SLT, table: "SLT", reason: "bus SGN", with: "R",
			where: func(r row) bool { return r.get("ma") == 1 && r.get("mb") == 0 }, lie: func(r row) {
				r.set("ma", 0)
				r.set("lt", 0)
				r.set("h", 0)
				if r.get("ahi") == r.get("bhi")+r.get("ihi") {
					r.set("h", 1)
				}
				r.solveLimb("d", "the difference is positive just where it says so")
			}},
		{name: "the other outcome", of: instruction.SLTU, table: "SLTU", reason: "bus R16", with: "R", lie: func(r row) {
			r.flip("lt")
			r.solveLimb("d", "the difference is positive just where it says so")
		}},
		{name: "the other outcome", of: instruction.SLTI, table: "SLT", reason: "bus R16", with: "R", lie: func(r row) {
			r.flip("lt")
			r.solveLimb("d", "the difference is positive just where it says so")
		}},
		{name: "half an outcome", of: instruction.SLTU, table: "SLTU", reason: "lt is boolean", with: "R, R16",
			lie: func(r row) {
				*r.cell("lt") = 2
				r.solveLimb("d", "the difference is positive just where it says so")
			}},
		{name: "a jump elsewhere", table: "J", reason: "bus P", with: "S", lie: func(r row) { r.add("npc", 4) }},
		{name: "a jump elsewhere", table: "UJ", reason: "bus P", with: "S", lie: func(r row) { r.add("npc", 4) }},
		{name: "an odd target", of: instruction.JALR, table: "JALR", reason: "bus S", lie: func(r row) { r.flip("lsb") }},
		{name: "a target two before", of: instruction.JALR, table: "JALR", reason: "lsb is boolean", with: "S",
			lie: func(r row) { r.set("lsb", 2) }},
		{name: "a jump elsewhere", of: instruction.JALR, table: "JALR", reason: "bus R", with: "S",
			lie: func(r row) { r.add("alo", 4) }},
		{name: "a target by another register", table: "JR", reason: "bus P", with: "R", lie: func(r row) { r.add("rs1", 1) }},
		{name: "a jump elsewhere", table: "JR", reason: "bus R", with: "S", lie: func(r row) { r.add("alo", 4) }},
		{name: "an instruction that is left out", table: "ADDI", reason: "bus S", with: "R", lie: func(r row) {
			for _, c := range r.in.Trace.Main {
				c[r.at] = 0
			}
		}},
		{name: "an instruction at another time", table: "ADDI", reason: "bus S", with: "R",
			lie: func(r row) { r.add("ts", 4) }},
		{name: "an instruction of another address", table: "ADDI", reason: "bus S", with: "P",
			lie: func(r row) { r.add("pc", 4) }},
		{name: "half an instruction", table: "ADDI", reason: "m is boolean", with: "S, R",
			lie: func(r row) { *r.cell("m") = goldilocksHalf; r.solve("inv", "the high limb is neither -1 nor W") }},
		{name: "an instruction twice", table: "ADD", reason: "m is boolean", with: "S, R",
			lie: func(r row) { r.set("m", 2) }},
		{name: "another exit code", table: "HALT", reason: "bus E", with: "R", lie: func(r row) { r.add("e0", 1) }},
		{name: "an end elsewhere", table: "HALT", reason: "bus P", with: "S", lie: func(r row) { r.add("pc", -4) }},
		{name: "an end at another time", table: "HALT", reason: "bus E", with: "R, S, R20",
			lie: func(r row) { r.add("ts", -4) }},
	}
}
