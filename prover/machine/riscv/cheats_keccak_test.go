package riscv_test

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// keccakCheats are about the permutations of two accelerators, and about the step of the sponge.
func keccakCheats() []cheat {
	return append(append(permutationCheats("KECCAKF"), permutationCheats("ABSORBF")...), absorbCheats()...)
}

// permutationCheats are about a table of permutations. The keccak machine's tests violate its rounds, except for the
// parities.
func permutationCheats(table string) []cheat {
	lies := func(name, reason, with string, lie func(r row)) cheat {
		return cheat{name: name, of: instruction.ECALL, table: table, reason: reason, with: with, lie: lie}
	}
	return []cheat{
		lies("a result that is not sent", "bus "+table, "export is held", func(r row) { r.set("export", 0) }),
		lies("served twice", "export is boolean", table+", export is held", func(r row) { r.set("export", 2) }),
		lies("of another state", "bus "+table, "input[3] is held", func(r row) { r.add("input[3]", 1) }),
		lies("with another result", "output[3] is the round's output", table, func(r row) { r.add("output[3]", 1) }),
		// The state before the round would be another, but the row below has its words.
		lies("another parity", "bus EVEN", inputWords(0, 4, 10, 14, 20, 24, 30, 34, 40, 44),
			func(r row) { r.flip("parity[77]") }),
		lies("a bit that theta does not give", "bus EVEN",
			inputWords(49)+", output[6] is the round's output, output[8] is the round's output",
			func(r row) { r.flip("theta[1599]") }),
	}
}

// absorbCheats are about the row of a step of the sponge. The package's own tests have a lie for each constraint and
// each lookup.
func absorbCheats() []cheat {
	lies := func(name, reason, with string, where func(r row) bool, lie func(r row)) cheat {
		return cheat{
			name: name, of: instruction.ECALL, table: "ABSORB", reason: reason, with: with, where: where, lie: lie,
		}
	}
	shifted := func(k int) func(r row) bool {
		return func(r row) bool { return r.get(fmt.Sprintf("shift[%d]", k)) == 1 }
	}
	return []cheat{
		lies("another shift than the argument's", "the shift's number", "ABSORBF", shifted(3), func(r row) { r.shiftTo(4) }),
		lies("a shift of 8", "the shift's number", "CALL", shifted(0), func(r row) { r.set("word[2]", 8) }),
		lies("a byte outside of the block that is none", "bus B8", "", shifted(7), func(r row) {
			r.add("outside[4]", 256)
			r.add("outside[5]", -1)
		}),
		lies("bytes of the block that carry into each other", "bus B8", "", shifted(0), func(r row) {
			r.add("block[4]", 256)
			r.add("block[5]", -1)
		}),
		lies("bytes of the state that carry into each other", "bus B8", "", nil, func(r row) {
			r.add("state[2]", 256) // the highest byte has no column
		}),
		lies("another exclusive or", "bus B8", "ABSORBF", nil, func(r row) {
			r.set("mixed[9]", int64(r.get("mixed[9]")^4))
		}),
		lies("another block than memory's", "bus M", "limb 3 of the words", nil, func(r row) { r.add("read[3]", 1) }),
		lies("another state than memory's", "bus M", "ABSORBF", nil, func(r row) { r.add("read[85]", 1) }),
		lies("a lost write", "bus ABSORBF", "M", nil, func(r row) { *r.cell("written[49]") = *r.cell("read[85]") }),
		lies("another result", "bus ABSORBF", "M", nil, func(r row) { r.add("written[0]", 1) }),
	}
}

// shiftTo fills a row of ABSORB as if the block began at byte k of its words.
func (r row) shiftTo(k int) {
	byteOf := func(first, i int) uint64 { return r.get(fmt.Sprintf("read[%d]", first+i/4)) >> (8 * (i % 4)) & 0xff }
	for i := range 8 {
		r.set(fmt.Sprintf("shift[%d]", i), int64(boolean(i == k)))
		at := i
		if i >= k {
			at += 136
		}
		r.set(fmt.Sprintf("outside[%d]", i), int64(byteOf(0, at)))
	}
	for i := range 136 {
		block := byteOf(0, k+i)
		r.set(fmt.Sprintf("block[%d]", i), int64(block))
		r.set(fmt.Sprintf("mixed[%d]", i), int64(block^byteOf(36, i)))
	}
}
