package riscv_test

import (
	"fmt"
	"math/big"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// cryptoCheats are about SHA-256 and products modulo 256 bits. The packages' own tests have lies about several rows of
// rounds, and a lie for each constraint.
func cryptoCheats() []cheat {
	lies := func(table, name, reason, with string, where func(r row) bool, lie func(r row)) cheat {
		return cheat{
			name: name, of: instruction.ECALL, table: table, reason: reason, with: with, where: where, lie: lie,
		}
	}
	fits := func(r row) bool { return r.get("written[0]")&0xffff < 0xffff } // one more, too
	carried := func(r row) bool { return r.get("carry[0]") == 1 }
	last := func(r row) bool { return r.get("place[16]") == 1 && r.get("a[96]") == 0 && r.get("a[97]") == 1 }
	first := func(r row) bool { return r.get("place[0]") == 1 }
	divided := func(r row) bool { return r.get("q[0]") > 0 && r.number("written").Cmp(r.number("read")) < 0 }
	return []cheat{
		// The call of SHA-256.
		lies("SHA256", "a lost write", "bus SHA256S", "M", nil, func(r row) {
			r.set("carry[1]", 0)
			r.set("high[1]", int64(r.get("read[17]")>>16))
			*r.cell("written[1]") = *r.cell("read[17]")
		}),
		lies("SHA256", "a sum that is not reduced", "bus R16", "M", carried, func(r row) {
			r.set("carry[0]", 0)
			r.add("high[0]", 1<<16)
			r.add("written[0]", w)
		}),
		lies("SHA256", "a low half that is not reduced", "bus R16", "M", carried, func(r row) {
			r.set("carry[0]", 0)
			r.add("written[0]", w)
		}),
		lies("SHA256", "a carry that is no number", "carry[0] is boolean", "M", fits,
			func(r row) {
				r.add("written[0]", 1)
				*r.cell("carry[0]") = r.cell("carry[0]").Sub(goldilocks.Element(w).Inverse())
			}),
		lies("SHA256", "another block than memory's", "bus M", "SHA256B", nil, func(r row) { r.add("read[3]", 1) }),
		lies("SHA256", "words of the block the other way round", "bus SHA256B", "M", nil,
			func(r row) { r.swap("read[0]", "read[4]") }),
		lies("SHA256", "a state of other numbers", "bus SHA256S", "M", nil,
			func(r row) { r.swap("read[16]", "read[20]") }),

		// Its rounds.
		lies("SHA256F", "a bit of 2", "a[96] is boolean", "", last, func(r row) {
			r.set("a[96]", 2)
			r.set("a[97]", 0)
			r.settleRounds()
		}),
		lies("SHA256F", "another word of A", "a[3]", "SHA256S", last, func(r row) {
			r.set("a[96]", 1)
			r.settleRounds()
		}),
		lies("SHA256F", "another word of E", "e[3]", "SHA256S, a[3]", last, func(r row) {
			r.flip("e[96]")
			r.settleRounds()
		}),
		lies("SHA256F", "another word of the schedule", "w[3] is the schedule's",
			"e[3], first[2], first[3], third[2]", last,
			func(r row) {
				r.flip("w[96]")
				r.settleRounds()
			}),
		lies("SHA256F", "a result of no rounds", "place[1] follows", "SHA256S, place[16] follows", first, func(r row) {
			r.set("place[16]", 1)
			r.set("place[0]", 0)
			r.settleRounds()
		}),
		lies("SHA256F", "another call's", "the time stays", "SHA256S", first, func(r row) { r.add("time", 4) }),

		// The product.
		lies("MODMUL", "another remainder", "step 0", "M", fits, func(r row) { r.add("written[0]", 1) }),
		lies("MODMUL", "a lost carry", "step 3", "step 4", nil, func(r row) { r.add("carry[3]", -1) }),
		lies("MODMUL", "a quotient's limb aliased", "bus R16", "", divided, func(r row) {
			r.add("q[0]", 1<<16)
			r.add("q[1]", -1)
			r.settleSteps()
		}),
		lies("MODMUL", "a remainder at least the modulus", "bus R16", "M", divided, func(r row) {
			sum := new(big.Int).Add(r.number("written"), r.number("read"))
			r.add("q[0]", -1)
			r.setNumber(sum)
			r.settleSteps()
			for i := range 7 {
				r.set(fmt.Sprintf("differs[%d]", i), 0)
			}
			r.set("d1", 0)
			r.solve("d0", "the difference is positive")
		}),
		lies("MODMUL", "a remainder off by p", "bus R20", "M", func(r row) bool {
			return r.get("written[7]") > 1 && r.get("written[7]") < m
		}, func(r row) {
			r.setNumber(new(big.Int).Add(r.number("written"), new(big.Int).SetUint64(goldilocks.Modulus)))
			r.settleSteps()
		}),
		lies("MODMUL", "another modulus than memory's", "bus M",
			"step 0, step 1, step 2, step 3, step 4, step 5, step 6, step 7", divided,
			func(r row) { r.add("read[0]", 1) }),
	}
}

// settleRounds sets the high carries of a row to what its equations need. In a last row they are free.
func (r row) settleRounds() {
	for j := range 4 {
		for high, equation := range map[string]string{
			"scheduleHigh[%d]": "w[%d] is the schedule's", "eHigh[%d]": "e[%d]", "aHigh[%d]": "a[%d]",
		} {
			r.solve(fmt.Sprintf(high, j), fmt.Sprintf(equation, j))
		}
	}
}

// settleSteps sets the carries of a product to what its steps need, within their columns if possible.
func (r row) settleSteps() {
	for k := range 15 {
		carry := fmt.Sprintf("carry[%d]", k)
		top := fmt.Sprintf("carryTop[%d]", k-4)
		wide := column(r.in.Table, top) >= 0
		if wide {
			r.set(top, 0)
		}
		r.solve(carry, fmt.Sprintf("step %d", k))
		if v := r.get(carry); wide && v >= 1<<20 && v < 1<<21 {
			r.set(top, 1)
			r.add(carry, -1<<20)
		}
	}
}

// number is the number of 256 bits that begins with limb 0 of a family; setNumber writes a remainder.
func (r row) number(family string) *big.Int { return r.whole(family, 8) }

func (r row) setNumber(n *big.Int) {
	for i := range 8 {
		v := new(big.Int).Rsh(n, uint(32*i)).Uint64() & m
		r.set(fmt.Sprintf("written[%d]", i), int64(v))
		r.set(fmt.Sprintf("r[%d]", i), int64(v>>16))
	}
}
