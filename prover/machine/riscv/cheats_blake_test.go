package riscv_test

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake2b"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake3"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// blakeCheats are about the compression functions BLAKE2b and BLAKE3. The package's own tests have a lie for each
// constraint and each lookup.
func blakeCheats() (list []cheat) {
	for _, f := range []*blake.Function{&blake2b.Function, &blake3.Function} {
		list = append(list, compressionCheats(f)...)
	}
	return append(list, cheat{
		name: "another rotation", of: instruction.ECALL, table: "BLAKE2BF", reason: "b2[7]: what leaves limb 0 is a bit",
		with: "BLAKE2BP, b2[7]: what leaves limb 1 is a bit", where: lastRound(&blake2b.Function),
		lie: func(r row) { r.add("b2[56]", 2) },
	}, cheat{
		name: "another rotation", of: instruction.ECALL, table: "BLAKE3F", reason: "bus R16",
		with: "BLAKE3P", where: lastRound(&blake3.Function),
		lie: func(r row) { r.add("b2[28]", 2) },
	})
}

// lastRound selects the rows of last rounds.
func lastRound(f *blake.Function) func(r row) bool {
	return func(r row) bool { return r.get(fmt.Sprintf("place[%d]", f.Rounds()-1)) == 1 }
}

func compressionCheats(f *blake.Function) []cheat {
	lies := func(table, name, reason, with string, where func(r row) bool, lie func(r row)) cheat {
		return cheat{
			name: name, of: instruction.ECALL, table: table, reason: reason, with: with, where: where, lie: lie,
		}
	}
	calls, rounds, parts := f.Table, f.Table+"F", f.Table+"P"
	chaining, end := fmt.Sprintf("read[%d]", 20*f.Limbs), f.Rounds()-1
	result := "result[0]"
	if f.Feed {
		result = "fed[0]"
	}
	first := func(r row) bool { return r.get("place[0]") == 1 }
	from, to := fmt.Sprintf("read[%d]", 4*f.Limbs), fmt.Sprintf("read[%d]", 6*f.Limbs)
	top := f.Limbs - 1 // the highest limb, which has no carry out
	sum := fmt.Sprintf("a1[0]: limb %d is the sum's", top)
	return []cheat{
		lies(calls, "a lost write", "limb 0 of the result", "M", nil, func(r row) {
			*r.cell("written[0]") = *r.cell(chaining)
		}),
		lies(calls, "another result", "bus B8", "M", func(r row) bool { return r.get(result) < 255 }, func(r row) {
			r.add(result, 1)
			r.add("written[0]", 1)
		}),
		lies(calls, "bytes that carry into each other", "bus B8", "", nil, func(r row) {
			r.add("last[0]", 256)
			r.add("last[1]", -1)
		}),
		lies(calls, "another block than memory's", "bus M", parts, nil, func(r row) {
			r.add(fmt.Sprintf("read[%d]", 4*f.Limbs), 1)
		}),
		lies(calls, "words of the block the other way round", "bus "+parts, "M", func(r row) bool {
			return r.get(from) != r.get(to)
		}, func(r row) { r.swap(from, to) }),
		lies(rounds, "another word of the block", sum, fmt.Sprintf("m[%d] goes on", top), lastRound(f),
			func(r row) { r.add(fmt.Sprintf("m[%d]", top), 1) }),
		lies(rounds, "another word of the state", sum, fmt.Sprintf("cell %d of the state goes on", top), lastRound(f),
			func(r row) { r.add(fmt.Sprintf("a[%d]", top), 1) }),
		lies(rounds, "bytes that carry into each other", "bus B8", "", lastRound(f), func(r row) {
			r.add("a1[0]", 256)
			r.add("a1[1]", -1)
		}),
		lies(rounds, "a result of no rounds", "place[1] follows", fmt.Sprintf("%s, place[%d] follows", parts, end), first,
			func(r row) {
				r.set("place[0]", 0)
				r.set(fmt.Sprintf("place[%d]", end), 1)
			}),
		lies(rounds, "another call's", "the time stays", parts, first, func(r row) { r.add("time", 4) }),
	}
}
