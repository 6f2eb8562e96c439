package riscv_test

import "github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"

// fp3Cheats are about arithmetic in the extension of the machine's field, with which a verifier adds up opened rows.
// The package's own tests have a lie for each constraint.
func fp3Cheats() (list []cheat) {
	lies := func(table, name, reason, with string, where func(r row) bool, lie func(r row)) cheat {
		return cheat{
			name: name, of: instruction.ECALL, table: table, reason: reason, with: with, where: where, lie: lie,
		}
	}
	const coordinate0 = "coordinate 0 of the result"
	sum := map[string]string{"FP3ROW": "read[64]", "FP3MUL": "read[12]"}
	factor := map[string]string{"FP3ROW": "read[16]", "FP3MUL": "read[6]"}
	moves := map[string]string{
		"FP3ROW": coordinate0,
		"FP3MUL": coordinate0 + ", coordinate 1 of the result, coordinate 2 of the result",
	}
	for _, table := range []string{"FP3ROW", "FP3MUL"} {
		list = append(list,
			lies(table, "another sum", "coordinate 0 of the result", "M", func(r row) bool {
				return r.get("written[0]")&(m>>16) < m>>16
			}, func(r row) { r.add("written[0]", 1) }),
			lies(table, "a sum plus p", "coordinate 1 of the result is below p", "M", func(r row) bool {
				return r.get("written[2]") == 0 && r.get("written[3]") == 0
			}, func(r row) {
				r.set("written[2]", 1)
				r.set("written[3]", m)
				r.set("result[2]", 0)
				r.set("result[3]", m>>16)
			}),
			lies(table, "halves that carry into each other", "bus R16", "", nil, func(r row) { r.add("result[0]", -1) }),
			lies(table, "a sum that is not carried on", "bus M", "coordinate 0 of the result", func(r row) bool {
				return r.get(sum[table]) != 0
			}, func(r row) { r.set(sum[table], 0) }),
			lies(table, "a factor at another address", "bus CALL", "M", nil, func(r row) { r.add("word[2]", 3) }),
			lies(table, "another factor than memory's", "bus M", moves[table], func(r row) bool {
				return r.get("read[0]") != 0
			}, func(r row) { r.add(factor[table], 1) }),
		)
	}
	refused := func(r row) bool { return r.get("refused") == 1 && r.get("read[70]") == 0 }
	return append(list,
		lies("FP3ROW", "a cell that is not below p", "excess is refused", "M", refused, func(r row) {
			r.set("refused", 0)
			r.set("excessInverse", 0)
			r.set("written[6]", 0)
		}),
		lies("FP3ROW", "a cell declared below p", "the excess", "M", refused, func(r row) {
			for _, name := range []string{"excess", "refused", "excessInverse", "written[6]"} {
				r.set(name, 0)
			}
		}),
		lies("FP3ROW", "a refusal that is forgotten", "the low limb of the refusal", "M",
			func(r row) bool { return r.get("read[70]") == 1 }, func(r row) { r.set("written[6]", 0) }),
		lies("FP3ROW", "cells in another order", "bus M", "coordinate 1 of the result, the excess, "+coordinate0,
			func(r row) bool {
				return r.get("read[0]") != r.get("read[2]") && r.get("read[16]") != r.get("read[22]")
			}, func(r row) { r.swap("read[0]", "read[2]") }),
		lies("FP3ROW", "the coefficient of another column", "bus M", "coordinate 0 of the result", func(r row) bool {
			return r.get("read[16]") != r.get("read[22]") && r.get("read[0]") != r.get("read[2]")
		}, func(r row) { r.swap("read[16]", "read[22]") }),
	)
}
