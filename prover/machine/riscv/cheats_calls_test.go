package riscv_test

import (
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// callCheats are about calls of accelerators: the instruction, and the table of calls.
func callCheats() []cheat {
	calls := func(table, name, reason, with string, lie func(r row)) cheat {
		return cheat{name: name, of: instruction.ECALL, table: table, reason: reason, with: with, lie: lie}
	}
	return []cheat{
		// The instruction.
		calls("CALL", "twice", "m is boolean", "S, P, R, CALL", func(r row) { r.set("m", 2) }),
		calls("CALL", "no instruction", "bus S", "P, R, CALL", func(r row) { r.set("m", 0) }),
		calls("CALL", "another accelerator", "bus CALL", "R", func(r row) { r.add("code", 1) }),
		calls("CALL", "a code of no accelerator", "bus CALL", "R", func(r row) { r.set("code", 64) }),
		calls("CALL", "the end of the program", "bus CALL", "R", func(r row) { r.set("code", 93) }),
		calls("CALL", "another address than the register's", "bus R", "CALL", func(r row) { r.add("a0", 8) }),
		calls("CALL", "an argument too many", "bus CALL", "R", func(r row) { r.add("a2", 8) }),
		calls("CALL", "at another time", "bus S", "R, CALL, R20", func(r row) { r.add("ts", 4) }),
		calls("CALL", "another instruction", "bus P", "S", func(r row) { r.add("pc", -4) }),
		calls("CALL", "a register's token of the future", "bus R20", "R", func(r row) {
			r.set("pts1", int64(r.get("ts"))+2)
		}),

		calls("CALL", "a call declared as a note", "a note has its code", "CALL", func(r row) { r.set("note", 1) }),
		calls("CALL", "a note twice", "note is boolean", "CALL, a note is a call, a note has its code", func(r row) {
			r.set("note", 2)
		}),

		// The table of calls.
		calls("KECCAK", "an answer given twice", "m is boolean", "M, CALL, KECCAKF", func(r row) { r.set("m", 2) }),
		calls("KECCAK", "an unanswered call", "bus CALL", "M, KECCAKF", func(r row) { r.set("m", 0) }),
		calls("KECCAK", "an answer without a call", "bus CALL", "M, R20", func(r row) { r.add("ts", 4) }),
		calls("KECCAK", "at another address", "bus CALL", "M", func(r row) { r.add("word[0]", 1) }),
		calls("KECCAK", "a word that memory does not hold", "bus M", "KECCAKF", func(r row) { r.add("read[7]", 1) }),
		calls("KECCAK", "a lost write", "bus KECCAKF", "M", func(r row) { *r.cell("written[49]") = *r.cell("read[49]") }),
		calls("KECCAK", "another result", "bus KECCAKF", "M", func(r row) { r.add("written[0]", 1) }),
		calls("KECCAK", "limbs that carry into each other", "bus KECCAKF", "M", func(r row) {
			r.add("written[0]", w)
			r.add("written[1]", -1)
		}),
		calls("KECCAK", "limbs the other way round", "bus KECCAKF", "M", func(r row) { r.swap("written[0]", "written[1]") }),
		calls("KECCAK", "words the other way round", "bus KECCAKF", "M", func(r row) {
			r.swap("read[10]", "read[12]")
			r.swap("read[11]", "read[13]")
		}),
		calls("KECCAK", "a future value of memory", "bus R20", "M",
			func(r row) { r.set("previous[3]", int64(r.get("ts"))+3) }),
		calls("KECCAK", "its own token", "bus R20", "M", func(r row) { r.set("previous[24]", int64(r.get("ts"))+2) }),
		calls("KECCAK", "p - k as a gap", "bus R20", "M", func(r row) {
			r.set("previous[0]", int64(r.get("ts"))+2+7<<14)
			r.set("gap[0]", -8)
		}),
	}
}

// inputWords names the constraints of words of a round's input.
func inputWords(words ...int) string {
	names := make([]string, len(words))
	for i, word := range words {
		names[i] = fmt.Sprintf("word %d of the round's input is the word below", word)
	}
	return strings.Join(names, ", ")
}

// swap exchanges two cells.
func (r row) swap(a, b string) { *r.cell(a), *r.cell(b) = *r.cell(b), *r.cell(a) }

// twins are two rows of calls of one kind, of which the second is a lie.
func twins(s *subject, table string) (from, to row) { return s.rows(table, nil)[0], s.spare(table) }

// noteOf is the row of a note.
func noteOf(s *subject) row { return s.rows("CALL", func(r row) bool { return r.get("note") == 1 })[0] }

// callRunCheats are lies about calls that span several rows, with the buses that refuse them.
func callRunCheats() []runCheat {
	twice := func(table string, buses ...string) runCheat {
		return runCheat{fmt.Sprintf("a row of %s twice", table), func(s *subject) ([]row, func()) {
			from, to := twins(s, table)
			return []row{to}, func() { to.copy(from) }
		}, buses}
	}
	return []runCheat{
		twice("CALL", "bus CALL", "bus R", "bus S"),
		twice("KECCAK", "bus CALL", "bus KECCAKF", "bus M"),
		{"a note that asks for an answer", func(s *subject) ([]row, func()) {
			note := noteOf(s)
			return []row{note}, func() { note.set("note", 0) }
		}, []string{"bus CALL"}},
		{"a note that changes a register", func(s *subject) ([]row, func()) {
			note := noteOf(s)
			return []row{note}, func() { note.add("a0", 8) }
		}, []string{"bus R"}},
		{"a note of other than a call", func(s *subject) ([]row, func()) {
			spare := s.spare("CALL")
			return []row{spare}, func() {
				spare.set("note", 1)
				spare.set("code", 1)
			}
		}, []string{"CALL: a note is a call", "bus CALL"}},
		{"a note in place of an accelerator", func(s *subject) ([]row, func()) {
			call := s.rows("CALL", func(r row) bool { return r.get("note") == 0 })[0]
			return []row{call}, func() { call.set("note", 1) }
		}, []string{"CALL: a note has its code", "bus CALL"}},
		{"a call without its instruction", func(s *subject) ([]row, func()) {
			call := s.rows("CALL", func(r row) bool { return r.get("note") == 0 })[0]
			return []row{call}, func() { call.clear() }
		}, []string{"bus CALL", "bus R", "bus S"}},
		{"an instruction without its call", func(s *subject) ([]row, func()) {
			call := s.rows("KECCAK", nil)[0]
			return []row{call}, func() { call.clear() }
		}, []string{"bus CALL", "bus KECCAKF", "bus M"}},
		{"two calls with each other's times", func(s *subject) ([]row, func()) {
			list := s.rows("KECCAK", nil)
			return list[:2], func() { list[0].exchange(list[1], "ts") }
		}, []string{"bus CALL", "bus M"}},
		{"two calls with each other's results", func(s *subject) ([]row, func()) {
			list := s.rows("KECCAK", nil)
			return list[:2], func() {
				for l := range 50 {
					list[0].exchange(list[1], fmt.Sprintf("written[%d]", l))
				}
			}
		}, []string{"bus KECCAKF", "bus M"}},
		{"a permutation that the table's end cuts off", func(s *subject) ([]row, func()) {
			var rows []row
			end := s.spare("KECCAKF")
			for at := end.at / 24 * 24; at <= end.at; at++ {
				rows = append(rows, row{end.in, at})
			}
			return rows, func() {
				for _, r := range rows {
					r.set("export", 1)
				}
			}
		}, []string{"KECCAKF: export is 0 where the table cuts off", "bus KECCAKF"}},
	}
}

// exchange swaps a cell with another row's.
func (r row) exchange(other row, name string) {
	*r.cell(name), *other.cell(name) = *other.cell(name), *r.cell(name)
}
