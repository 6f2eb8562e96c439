package riscv_test

import (
	"maps"
	"math/bits"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/verify/independent"
)

// whole is the machine of a run with a prover and both verifiers. Its fixed lookup tables of 2^16 rows contain only the
// rows that the run and the cheats look up: a message that the whole tables do not answer is not answered here either,
// and no other is looked up. So proofs take a hundredth of the time; -cheats.tables proves with the whole tables.
type whole struct {
	*subject
	trial *trial
	place map[*air.Bus]map[uint64]int // rows of the cut tables by rows of the whole ones
	truth counted                     // lookups of the run
	more  counted                     // additional lookups of the cheat
}

// newWhole makes the machine of a run. In addition to the run's lookups, its tables answer the messages of more that
// they can answer.
func newWhole(t testing.TB, s *subject, more counted) *whole {
	t.Helper()
	v := &whole{subject: s, place: map[*air.Bus]map[uint64]int{}, truth: counted{}}
	for i := range s.instances {
		in := &s.instances[i]
		for at := range in.Trace.Rows() {
			if len(in.Table.Lookups) > 0 {
				break // asks nothing
			}
			_, asked, _ := s.look(in, at)
			v.truth.add(asked, goldilocks.Element.Add)
		}
	}
	m := *s.program.Machine()
	m.FixedCap = nil
	m.Tables = slices.Clone(m.Tables)
	asked := maps.Clone(v.truth)
	maps.Copy(asked, more)
	for i, table := range m.Tables {
		if table.Kind == air.FixedPreprocessed && len(table.Lookups) == 1 &&
			table.PreprocessedLogHeight > small.MinLogHeight && !*wholeTables {
			m.Tables[i] = v.cut(table, asked)
		}
	}
	rules, err := independent.RulesOf(statement.Name)
	if err != nil {
		t.Fatal(err)
	}
	v.trial = newTrial(t, &m, small, rules, v.recount)
	return v
}

// rows is the height of the whole table that answers a bus.
func (v *whole) rows(bus *air.Bus) uint64 { return uint64(v.answers[bus].in.Trace.Rows()) }

// cut is a lookup table with only the rows that are looked up.
func (v *whole) cut(table *air.Table, asked counted) *air.Table {
	bus := table.Lookups[0].Bus
	whole, rows := v.rows(bus), map[uint64]bool{0: true} // row 0 also pads
	for k := range asked {
		if of, message := v.message(k); of == bus {
			if at, ok := v.answer(bus, message); ok {
				rows[at%whole] = true
			}
		}
	}
	list := slices.Sorted(maps.Keys(rows))
	v.place[bus] = map[uint64]int{}
	for i, at := range list {
		v.place[bus][at] = i
	}
	from := v.answers[bus].in.Trace.Preprocessed
	declared := *table
	logHeight := max(bits.Len(uint(len(list)-1)), small.MinLogHeight)
	declared.MinLogHeight, declared.MaxLogHeight, declared.PreprocessedLogHeight = logHeight, logHeight, logHeight
	declared.FillPreprocessed = func(columns [][]goldilocks.Element) {
		for c, column := range columns {
			for i := range column {
				column[i] = from[c][0]
			}
			for i, at := range list {
				column[i] = from[c][at]
			}
		}
	}
	declared.Lookups = slices.Clone(declared.Lookups)
	declared.Lookups[0].Weights = nil // the message no longer contains its row
	return &declared
}

// recount writes the count columns of a table: how often each row of each lane is looked up.
func (v *whole) recount(table int, columns [][]goldilocks.Element) {
	for _, entry := range v.program.Machine().Tables[table].Lookups {
		lanes := columns[entry.CountColumn : entry.CountColumn+entry.Lanes]
		for _, counts := range lanes {
			clear(counts)
		}
		for _, list := range []counted{v.truth, v.more} {
			for k, n := range list {
				bus, message := v.message(k)
				if bus != entry.Bus {
					continue
				}
				place, ok := v.answer(bus, message)
				if !ok {
					continue
				}
				lane, at := lanes[place/v.rows(bus)], place%v.rows(bus)
				if cut := v.place[bus]; cut != nil {
					at = uint64(cut[at])
				}
				lane[at] = lane[at].Add(n)
			}
		}
	}
}

// given are the run's current columns, and their claim.
func (v *whole) given(public circuit.Public) given {
	g := given{public: public, instances: slices.Clone(v.list)}
	for i := range g.instances {
		if table := v.trial.key.Machine.Tables[g.instances[i].Table]; table.Kind == air.FixedPreprocessed {
			g.instances[i].LogHeight = table.PreprocessedLogHeight
		}
		g.columns = append(g.columns, v.instances[i].Trace.Main)
	}
	return g
}

// refuses requires that both verifiers refuse a proof of the run with a lie: for its buses, or only for its
// constraints.
func (v *whole) refuses(t testing.TB, what string, change func(), rows ...row) {
	t.Helper()
	v.lieDuring(change, func(broken []string, asked counted) {
		v.more = asked
		v.trial.refuses(t, v.given(v.execution.Public()), what, checkOf(broken))
		v.more = nil
	}, rows...)
}
