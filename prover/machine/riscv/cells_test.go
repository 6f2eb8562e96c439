package riscv_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// mostRows is the number of rows of a table that are changed, cell by cell.
const mostRows = 24

// spread picks rows from all over a table, including the first and the last.
func spread(list []row) []row {
	if len(list) <= mostRows {
		return list
	}
	var picked []row
	for i := range mostRows {
		picked = append(picked, list[i*(len(list)-1)/(mostRows-1)])
	}
	return picked
}

// changes are other values of a cell: near ones, small ones, and an arbitrary one.
func changes(random *rand.Rand, cell goldilocks.Element) []goldilocks.Element {
	list := []goldilocks.Element{cell.Add(1), cell.Sub(1), 0, 1, 2, cell.Neg(), goldilocks.FromUint64(random.Uint64())}
	return slices.DeleteFunc(list, func(v goldilocks.Element) bool { return v == cell })
}

// free are the cells that nothing constrains in some rows: where the condition says that they have no effect.
var free = map[string]func(r row) bool{
	// Rows after the registers.
	"REG.fts": func(r row) bool { return r.at > 32 },
	"REG.lo":  func(r row) bool { return r.at > 32 },
	"REG.hi":  func(r row) bool { return r.at > 32 },
	// Inverses of 0.
	"BEQZ.inv":   func(r row) bool { return r.get("e") == 1 },
	"BEQ.inv":    func(r row) bool { return r.get("e") == 1 },
	"MUL.inv2":   func(r row) bool { return r.get("e0") == 0 && r.get("e1") == 0 },
	"MULHU.inv2": func(r row) bool { return r.get("v0") == 0 && r.get("v1") == 0 },
	"MULH.inv2":  func(r row) bool { return r.get("v0") == 0 && r.get("v1") == 0 },
	"DIV.ia":     func(r row) bool { return r.get("alo") == 0 },
	"DIV.ib":     func(r row) bool { return r.get("blo") == 0 },
	"DIV.iz":     func(r row) bool { return r.get("z") == 1 },
	// Inverses that are multiplied by 0: of an excess of 0, and of a high limb next to a low limb of 0.
	"FP3ROW.excessInverse":    func(r row) bool { return r.get("excess") == 0 },
	"FP3ROW.resultInverse[0]": func(r row) bool { return r.get("written[0]") == 0 },
	"FP3ROW.resultInverse[1]": func(r row) bool { return r.get("written[2]") == 0 },
	"FP3ROW.resultInverse[2]": func(r row) bool { return r.get("written[4]") == 0 },
	"FP3MUL.resultInverse[0]": func(r row) bool { return r.get("written[0]") == 0 },
	"FP3MUL.resultInverse[1]": func(r row) bool { return r.get("written[2]") == 0 },
	"FP3MUL.resultInverse[2]": func(r row) bool { return r.get("written[4]") == 0 },
	"FP3ROW.inverse[0]":       func(r row) bool { return r.get("read[1]") == 1<<32-1 },
	"FP3ROW.inverse[1]":       func(r row) bool { return r.get("read[3]") == 1<<32-1 },
	"FP3ROW.inverse[2]":       func(r row) bool { return r.get("read[5]") == 1<<32-1 },
	"FP3ROW.inverse[3]":       func(r row) bool { return r.get("read[7]") == 1<<32-1 },
	"FP3ROW.inverse[6]":       func(r row) bool { return r.get("read[13]") == 1<<32-1 },
	// Columns that only the other forms use: 64 bits, signs, arithmetic shifts.
	"SUB.k1":  func(r row) bool { return r.get("fw") == 1 },
	"MUL.k0":  func(r row) bool { return r.get("fw") == 1 && r.get("e0") == 0 && r.get("e1") == 0 },
	"MUL.k1":  func(r row) bool { return r.get("fw") == 1 && r.get("e0") == 0 && r.get("e1") == 0 },
	"MULH.tb": func(r row) bool { return r.get("fb") == 0 },
	"SHI.v":   func(r row) bool { return r.get("fa") == 0 },
	"SHR.v":   func(r row) bool { return r.get("fa") == 0 },
	"DIV.tha": func(r row) bool { return r.get("fs") == 0 },
	"DIV.thb": func(r row) bool { return r.get("fs") == 0 },
	"DIV.k1":  func(r row) bool { return r.get("sc") == 0 },
	"DIV.k2":  func(r row) bool { return r.get("sc") == 0 || r.get("fw") == 1 },
	// Nothing is compared with a divisor of 0.
	"DIV.hh": func(r row) bool { return r.get("z") == 1 },
	// Nothing follows the last row.
	"MB.d": func(r row) bool { return r.at == r.in.Trace.Rows()-1 },
	// The second word of an access that does not cross, and the bytes that a narrow load does not have.
	"UNAL.mp1": func(r row) bool { return r.get("c") == 0 },
	"UNAL.v2":  func(r row) bool { return r.get("ld") == 1 && r.get("g2") == 1 },
	"UNAL.v3":  func(r row) bool { return r.get("ld") == 1 && r.get("g2") == 1 },
	"UNAL.v4":  narrowLoad, "UNAL.v5": narrowLoad, "UNAL.v6": narrowLoad, "UNAL.v7": narrowLoad,
}

// split are parts of the gap 1 + r + 2^14 y between two accesses. Several splits are valid: only the sum counts.
var split = []string{"LD.y", "LW.y", "LBH.y", "SD.y", "SW.y", "SBH.y", "UNAL.y0", "UNAL.y1"}

func narrowLoad(r row) bool { return r.get("ld") == 1 && (r.get("g2") == 1 || r.get("g4") == 1) }

// isSplit reports whether a column is y of a gap, including gaps of a call's words.
func isSplit(table, column string) bool {
	return slices.Contains(split, table+"."+column) || ofCalls(table) && strings.HasPrefix(column, "gap[")
}

// wide is a table with too many columns to change them all in many rows. The tests of its accelerator violate its
// constraints.
func wide(t *air.Table) bool { return len(t.Main) > 400 }

// changedRows are the rows of a table whose cells are changed, and lies the values that they get.
func changedRows(s *subject, t *air.Table,
	random *rand.Rand) (rows []row, lies func(cell goldilocks.Element) []goldilocks.Element) {
	if wide(t) {
		active := s.rows(t.Name, nil)
		anything := func(goldilocks.Element) []goldilocks.Element {
			return []goldilocks.Element{goldilocks.FromUint64(random.Uint64())}
		}
		return []row{active[0], active[len(active)-1]}, anything
	}
	return spread(s.rows(t.Name, nil)), func(cell goldilocks.Element) []goldilocks.Element { return changes(random, cell) }
}

// Each cell of an active row is constrained: another value violates a constraint or a bus. Likewise, some cell violates
// each constraint.
func TestEachCellIsHeld(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	loose := map[string]bool{}
	eachTable(t, runs{}, func(s *subject, table *air.Table) {
		if len(table.Lookups) > 0 || len(s.of(table.Name)) == 0 {
			return
		}
		broken := map[string]bool{}
		rows, lies := changedRows(s, table, random)
		inCells := newCellLies(s, table)
		for _, r := range rows {
			lying := inCells.in(r)
			for c, column := range table.Main {
				cell, name := r.in.Trace.Main[c][r.at], table.Name+"."+column
				for _, v := range lies(cell) {
					found := lying.lie(c, v)
					for _, f := range found {
						broken[f] = true
					}
					if len(found) > 0 {
						continue
					}
					loose[name] = true
					if may := free[name]; !isSplit(table.Name, column) && (may == nil || !may(r)) {
						t.Errorf("%s, row %d: nothing notices %d in place of %d", name, r.at, v, cell)
					}
				}
			}
		}
		for _, c := range table.Constraints {
			if name := table.Name + ": " + c.Name; !broken[name] && !wide(table) {
				t.Errorf("no cell breaks %q", name)
			}
		}
	})
	for cell := range free {
		if !loose[cell] {
			t.Errorf("%s is listed as free, but every other value is detected", cell)
		}
	}
}
