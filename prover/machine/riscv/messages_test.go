package riscv_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/air"
)

// Each bus of a table constrains it, if no cheat shows that already: a cell is changed so that all constraints hold and
// the table sends another message on that bus, which the others do not match. The change is proven, and both verifiers
// refuse it for the sums.
func TestEachMessageIsHeld(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	// Once a row: omitting the message omits the row, or claims another number.
	denied := map[string]bool{"UNAL: bus U": true}
	for _, c := range allCheats() {
		denied[c.table+": "+c.reason] = true
	}
	tables := soloists{}
	eachTable(t, runs{}, func(s *subject, table *air.Table) {
		if len(table.Lookups) > 0 || len(table.Main) == 0 || table.Name == "REFRESH" || wide(table) {
			// TestEachRunCheatIsRefused covers counts and REFRESH, which is not in this run. Messages of wide tables
			// consist of many cells.
			return
		}
		for _, bus := range busesOf(table) {
			if denied[table.Name+": bus "+bus] {
				continue
			}
			lie, found := s.lieOn(table.Name, bus)
			if !found {
				t.Errorf("nothing that table %s says on bus %s can be changed alone", table.Name, bus)
				continue
			}
			if what := table.Name + " on bus " + bus; !tables.refuses(t, s, what, lie.tell, lie.row) {
				t.Errorf("%s: the lie looks up a fraction of messages", what)
			}
		}
	})
}

// busesOf are the buses that a table sends or receives on.
func busesOf(t *air.Table) (names []string) {
	for _, x := range t.Interactions {
		if !slices.Contains(names, x.Bus.Name) {
			names = append(names, x.Bus.Name)
		}
	}
	return names
}

// messageLie is a cell with another value, or two halves with another split.
type messageLie struct {
	bus   string
	row   row
	cell  string
	more  int64
	halve bool // the next cell becomes less by one
}

func (l messageLie) tell() {
	l.row.add(l.cell, l.more)
	if l.halve {
		l.row.add(strings.TrimSuffix(l.cell, "0")+"1", -1)
	}
}

// lieOn finds a cell of a table by which a bus refuses it, if possible alone.
func (s *subject) lieOn(table, bus string) (best messageLie, found bool) {
	fewest := 1 << 10
	rows := spread(s.rows(table, nil))
	if ofCalls(table) {
		rows = rows[:1] // of many columns
	}
	for _, r := range rows {
		for _, name := range r.in.Table.Main {
			for _, lie := range []messageLie{{bus, r, name, 1, false}, {bus, r, name, 1 << 20, false},
				{bus, r, name, 1 << 16, true}} {
				if half, ok := strings.CutSuffix(name, "0"); lie.halve && (!ok || column(r.in.Table, half+"1") < 0) {
					continue
				}
				refused := s.lie(lie.tell, r)
				if len(refused) < fewest && slices.Contains(refused, "bus "+bus) && !slices.ContainsFunc(refused, isConstraint) {
					best, fewest, found = lie, len(refused), true
				}
			}
		}
		if fewest == 1 {
			break
		}
	}
	return best, found
}

func isConstraint(reason string) bool { return !isBus(reason) }
