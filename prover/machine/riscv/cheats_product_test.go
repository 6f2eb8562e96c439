package riscv_test

import "github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"

// aliased replaces low + W high = v by low + W high = v + p, for v below m: high is m then.
func (r row) aliased(low, high string) {
	r.setLimb(low, r.limb(low)+1)
	r.setLimb(high, m)
}

// productCheats are about products.
func productCheats() []cheat {
	ones := func(r row) bool {
		return r.get("alo") == 1 && r.get("ahi") == 0 && r.get("blo") == 1 && r.get("bhi") == 0
	}
	var list []cheat
	for _, of := range []struct {
		op    instruction.Op
		table string
	}{{instruction.MUL, "MUL"}, {instruction.MULHU, "MULHU"}, {instruction.MULH, "MULH"}} {
		last, first := "v", "l"
		if of.table == "MUL" {
			last, first = "e", "c"
		}
		list = append(list,
			cheat{
				name:   "a product plus p",
				of:     of.op,
				table:  of.table,
				where:  ones,
				reason: "neither carry is M",
				with:   "R",
				lie: func(r row) {
					r.aliased(first, "h")
					r.setLimb("u", m) // h + alo bhi
					r.settleProduct(last)
				},
			},
			cheat{
				name:   "a second product plus p",
				of:     of.op,
				table:  of.table,
				where:  ones,
				reason: "neither carry is M",
				with:   "R",
				lie: func(r row) {
					r.aliased("u", "g")
					r.settleProduct(last)
				},
			},
			cheat{
				name:   "a third product plus p",
				of:     of.op,
				table:  of.table,
				where:  ones,
				reason: lastReason(of.table),
				with:   "R",
				lie: func(r row) {
					r.aliased(last, "k")
					r.set("inv2", 0)
					r.settleSum()
				},
			},
			cheat{
				name:   "a wrong product",
				of:     of.op,
				table:  of.table,
				where:  ones,
				reason: "alo blo",
				with:   "R",
				lie:    func(r row) { r.setLimb(first, 2) },
			},
		)
	}
	for _, of := range []struct {
		op    instruction.Op
		table string
	}{{instruction.MULHU, "MULHU"}, {instruction.MULH, "MULH"}} {
		list = append(list, cheat{
			name:   "a last product plus p",
			of:     of.op,
			table:  of.table,
			where:  ones,
			reason: "the top limb is not M",
			with:   "R",
			lie: func(r row) {
				r.aliased("y", "j")
				r.settleSum()
			},
		})
	}
	return append(list,
		cheat{name: "a word's sign", of: instruction.MULW, table: "MUL", reason: "bus SGN", with: "R", lie: func(r row) {
			r.flip("s")
			r.setLimb("e", m*r.get("s"))
			r.solveIfNot0("inv2", "0 where the last carry is M")
		}},
		cheat{
			name:   "a word for two",
			of:     instruction.MUL,
			table:  "MUL",
			reason: "bus P",
			where:  ones,
			lie:    func(r row) { r.set("fw", 1) },
		},
		cheat{
			name:   "a lost carry",
			of:     instruction.MULHU,
			table:  "MULHU",
			reason: "the carry is 0 or 1",
			with:   "R",
			where:  func(r row) bool { return r.limb("c") > 0 && r.limb("c") < m },
			lie:    func(r row) { r.setLimb("c", r.limb("c")-1) },
		},
		cheat{name: "another destination", of: instruction.MULHU, table: "MULHU", reason: "bus P", with: "R",
			lie: func(r row) { r.add("rd", 1) }},
		cheat{name: "another sign of a", of: instruction.MULH, table: "MULH", reason: "bus SGN", with: "R",
			where: func(r row) bool { return r.get("va") == 1 && r.get("vb") == 0 && r.limb("c") == 0 },
			lie:   func(r row) { r.set("va", 0); r.unsigned() }},
		cheat{
			name:   "another sign of b",
			of:     instruction.MULH,
			table:  "MULH",
			reason: "bus SGN",
			with:   "R",
			where:  func(r row) bool { return r.get("vb") == 1 && r.get("va") == 0 },
			lie:    func(r row) { r.set("vb", 0); r.unsigned() },
		},
		cheat{
			name:   "a sign of an unsigned b",
			of:     instruction.MULHSU,
			table:  "MULH",
			reason: "b has no sign unless it is signed",
			with:   "R",
			where:  func(r row) bool { return r.get("va") == 0 && r.get("alo") > 1 },
			lie:    func(r row) { r.set("vb", 1); r.signedB() },
		},
		cheat{
			name:   "a borrow of 3",
			of:     instruction.MULH,
			table:  "MULH",
			reason: "the first borrow is 0, 1 or 2",
			with:   "R, R16",
			lie: func(r row) {
				r.set("q", 3)
				r.set("kk", 0)
				r.solveLimb("c", "the low limb")
				r.solveLimb("e", "the high limb")
			},
		},
		cheat{
			name:   "a second borrow of 3",
			of:     instruction.MULH,
			table:  "MULH",
			reason: "the second borrow is 0, 1 or 2",
			with:   "R, R16",
			lie: func(r row) {
				r.set("q1", 3)
				r.solveLimb("e", "the high limb")
			},
		},
		cheat{
			name:   "another carry",
			of:     instruction.MULH,
			table:  "MULH",
			reason: "bus R16",
			with:   "R",
			where:  func(r row) bool { return r.get("kk") == 0 },
			lie: func(r row) {
				r.set("kk", 1)
				r.solveLimb("c", "the low limb")
				r.solveLimb("e", "the high limb")
			},
		},
	)
}

func lastReason(table string) string {
	if table == "MUL" {
		return "0 where the last carry is M"
	}
	return "0 where its carry is M"
}

// unsigned sets the result to MULHU's, which is in range without borrows.
func (r row) unsigned() {
	r.set("q", 0)
	r.set("q1", 0)
	sum := r.limb("y") + r.limb("k")
	r.set("kk", int64(sum>>32))
	r.setLimb("c", sum%w)
	r.setLimb("e", r.limb("j")+sum>>32)
}

// signedB sets the result to the one for a positive a and a negative b.
func (r row) signedB() {
	sum := int64(r.limb("y")+r.limb("k")) - int64(r.get("alo"))
	c := sum & m
	carry := (c - sum) / w
	r.setLimb("c", uint64(c))
	r.set("kk", 0)
	if carry < 0 {
		r.set("kk", 1)
	}
	r.set("q", carry+int64(r.get("kk")))
	sum = int64(r.limb("j")) - int64(r.get("ahi")) - carry
	e := sum & m
	r.setLimb("e", uint64(e))
	r.set("q1", (e-sum)/w)
}

// solveIfNot0 solves for an inverse if there is one.
func (r row) solveIfNot0(cell, constraint string) {
	if r.limb("e") != 0 {
		r.solve(cell, constraint)
	}
}

// settleProduct continues from u and g: the third step, and the rest of the result.
func (r row) settleProduct(last string) {
	r.set("inv1", 0)
	t := r.limb("u") + r.get("ahi")*r.get("blo")
	r.setLimb(last, t%w)
	r.setLimb("k", t>>32)
	if last == "v" {
		t = r.limb("g") + r.get("ahi")*r.get("bhi")
		r.setLimb("y", t%w)
		r.setLimb("j", t>>32)
	}
	if t := r.limb(last); t != 0 {
		r.solve("inv2", lastReason(r.in.Table.Name))
	}
	r.settleSum()
}

// settleSum computes the result from the last limbs.
func (r row) settleSum() {
	switch r.in.Table.Name {
	case "MULHU":
		r.setLimb("c", (r.limb("y")+r.limb("k"))%w)
	case "MULH":
		r.unsigned()
	}
}
