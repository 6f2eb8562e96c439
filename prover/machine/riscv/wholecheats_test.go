package riscv_test

import (
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/verify"
)

var wholeTables = flag.Bool("cheats.tables", false, "prove cheats in whole runs with whole tables: a second each")

func isBus(reason string) bool { return strings.HasPrefix(reason, "bus ") }

// Each cheat is proven, and both verifiers refuse it: see soloists.
func TestEachCheatIsRefused(t *testing.T) {
	longtest.Only(t)
	byRun := map[instruction.Op][]cheat{}
	for _, c := range allCheats() {
		byRun[c.of] = append(byRun[c.of], c)
	}
	for op, cheats := range byRun {
		t.Run(op.String(), func(t *testing.T) {
			t.Parallel()
			if *wholeTables {
				refuseInRun(t, cheats)
			} else {
				refuseAlone(t, cheats)
			}
		})
	}
}

// refuseInRun proves a run with each of its cheats.
func refuseInRun(t *testing.T, cheats []cheat) {
	runs, asked := runs{}, counted{}
	for _, c := range cheats {
		s, r := runs.place(t, c)
		s.lieDuring(func() { c.cheat(s, r) }, func(_ []string, more counted) { maps.Copy(asked, more) }, r)
	}
	v := newWhole(t, runs.of(t, cheats[0].of), asked)
	v.trial.accepts(t, v.given(v.execution.Public()), "the run as it is")
	for _, c := range cheats {
		s, r := runs.place(t, c)
		v.refuses(t, c.String(), func() { c.cheat(s, r) }, r)
	}
}

// refuseAlone proves the table of each cheat or, if that cannot show it, the run.
func refuseAlone(t *testing.T, cheats []cheat) {
	runs, tables := runs{}, soloists{}
	var inRun []cheat
	for _, c := range cheats {
		s, r := runs.place(t, c)
		if !tables.refuses(t, s, c.String(), func() { c.cheat(s, r) }, r) {
			inRun = append(inRun, c)
		}
	}
	if len(inRun) > 0 {
		refuseInRun(t, inRun)
	}
}

// soloists are tables of runs, each the only table of a machine, whose verifiers add the messages of the run's other
// tables as public messages. The columns are the run's or, if the table is rowwise, the row that a lie changes, and
// padding. A proof takes a hundredth of a run's time.
type soloists map[*air.Table]*soloist

type soloist struct {
	trial  *trial
	honest map[row]*surroundings
}

// refuses requires that both verifiers refuse a proof of the row's table with a lie, for its buses, or only for its
// constraints, and that they accept the proof without the lie. It returns false if it proves nothing, because the lie
// looks up a message a fraction of times: public messages are numbers of messages.
func (l soloists) refuses(t *testing.T, s *subject, what string, change func(), r row) (proven bool) {
	t.Helper()
	table := r.in.Table
	if l[table] == nil {
		l[table] = &soloist{newLonelyTrial(t, s.program.Machine(), table), map[row]*surroundings{}}
	}
	shown := r
	if !rowwise(table) {
		shown.at = 0 // for all rows
	}
	trial, honest := l[table].trial, l[table].honest
	if honest[shown] == nil {
		honest[shown] = newSurroundings(s, shown)
		trial.accepts(t, honest[shown].given(nil), table.Name+" as it is")
	}
	s.lieDuring(change, func(broken []string, asked counted) {
		proven = true
		for _, n := range asked {
			proven = proven && min(n, n.Neg()) < w
		}
		if proven {
			trial.refuses(t, honest[shown].given(asked), what, checkOf(broken))
		}
	}, r)
	return proven
}

// rowwise reports whether constraints and messages of a table depend on one row each, but not on its position.
func rowwise(table *air.Table) bool {
	return !slices.ContainsFunc(table.Graph, func(n air.Node) bool {
		return n.Next || n.Op != air.Main && n.Op != air.Constant && n.Op != air.Public && !n.Op.IsBinary()
	})
}

// checkOf is the check that refuses a proof of a run with a lie, which violates constraints and buses.
func checkOf(broken []string) verify.Check {
	for _, name := range broken {
		if isBus(name) {
			return verify.CheckSums
		}
	}
	return verify.CheckQuotient
}

// surroundings are rows of a table, and the messages that the other tables of the run have for them.
type surroundings struct {
	*subject
	of     row     // all rows of its instance if the table is not rowwise
	asked  counted // on lookup buses
	tokens counted
}

func newSurroundings(s *subject, of row) *surroundings {
	a := &surroundings{s, of, counted{}, counted{}}
	for at := range of.in.Trace.Rows() {
		if at != of.at && rowwise(of.in.Table) {
			continue
		}
		_, asked, tokens := s.look(of.in, at)
		a.asked.add(asked, goldilocks.Element.Add)
		a.tokens.add(tokens, goldilocks.Element.Add)
	}
	return a
}

// given are the rows' current columns. The run's tables answer the same messages as before and, on lookup buses, more
// messages if they can.
func (a *surroundings) given(more counted) given {
	asked := maps.Clone(a.asked)
	asked.add(more, goldilocks.Element.Add)
	public := circuit.Public{Values: a.execution.Public().Values}
	for _, list := range []counted{a.tokens, asked} {
		for k, n := range list {
			bus, message := a.message(k)
			if n == 0 {
				continue
			}
			if bus.Kind == air.Lookup {
				if _, ok := a.answer(bus, message); !ok {
					continue
				}
			}
			public.Data = appendAnswer(public.Data, bus, air.Send, n, message)
		}
	}
	columns := a.of.in.Trace.Main
	if rowwise(a.of.in.Table) {
		columns = alone(a.of.in.Table, func(column int) goldilocks.Element { return columns[column][a.of.at] })
	}
	return ofOneTable(public, columns)
}
