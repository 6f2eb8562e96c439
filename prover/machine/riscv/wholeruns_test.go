package riscv_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// runCheat is a lie that spans several rows: every row is possible, but the run is not.
type runCheat struct {
	name string
	// plan chooses the rows and the changes.
	plan   func(s *subject) (rows []row, change func())
	refuse []string // all buses that refuse it
}

// runCheats are lies about the sample's run with an instance of REFRESH, which has no rows yet.
func runCheats() []runCheat {
	return []runCheat{
		{"a second run from some instruction on", func(s *subject) ([]row, func()) {
			from, to := s.rows("J", nil)[0], s.spare("J")
			return []row{to}, func() { to.copy(from) }
		}, []string{"bus S"}},
		{"a chain of states that closes on itself", func(s *subject) ([]row, func()) {
			// An instruction that jumps to itself. At its time there is no successor but the next instruction.
			from, to := s.rows("J", nil)[0], s.spare("J")
			return []row{to}, func() { to.copy(from); *to.cell("npc") = *to.cell("pc"); to.add("ts", 4<<20) }
		}, []string{"bus P", "bus S"}},
		{"two ends", func(s *subject) ([]row, func()) {
			from, to := s.rows("HALT", nil)[0], s.spare("HALT")
			return []row{to}, func() { to.copy(from); to.add("ts", 4) }
		}, []string{"bus E", "bus R", "bus S"}},
		{"no end", func(s *subject) ([]row, func()) {
			end := s.rows("HALT", nil)[0]
			return []row{end}, func() { end.clear() }
		}, []string{"bus E", "bus R", "bus S"}},
		{"a boundary word twice", func(s *subject) ([]row, func()) {
			in := s.of("MB")[0] // nothing touches these two words
			at, next := row{in, 8}, row{in, 9}
			return []row{at, next}, func() {
				next.add("d", int64(at.get("d"))+1)
				*next.cell("w") = *at.cell("w")
				at.set("d", -1)
			}
		}, []string{"bus R20"}},
		{"a stale word", func(s *subject) ([]row, func()) {
			// The word has its value of two accesses ago: only the token is stale.
			load, earlier := s.stale("LD", "M", "mp")
			return []row{load}, func() { load.set("mp", earlier); load.settleGap() }
		}, []string{"bus M"}},
		{"a stale register", func(s *subject) ([]row, func()) {
			move, earlier := s.stale("MV", "R", "pt0")
			return []row{move}, func() { move.set("pt0", earlier) }
		}, []string{"bus R"}},
		{"two accesses in the other order", func(s *subject) ([]row, func()) {
			first, second, third := s.successors()
			return []row{first, second, third}, func() {
				// As if the second access came first: the third access now takes the token of the first.
				*second.cell("mp"), *first.cell("mp"), *third.cell("mp") = *first.cell("mp"), *third.cell("mp"), *second.cell("mp")
				first.settleGap()
				second.settleGap()
				third.settleGap()
			}
		}, []string{"bus R20"}},
		{"an access that takes its own token", func(s *subject) ([]row, func()) {
			load := s.rows("LD", nil)[0]
			return []row{load}, func() { load.set("mp", int64(load.get("ts"))+2); load.settleGap() }
		}, []string{"bus M", "bus R20"}},
		{"swapped times of two instructions", func(s *subject) ([]row, func()) {
			rows := s.rows("UJ", nil)
			a, b := rows[0], rows[1]
			return []row{a, b}, func() {
				x, y := a.cell("ts"), b.cell("ts")
				*x, *y = *y, *x
			}
		}, []string{"bus R", "bus S"}},
		{"a refresh of a token that is not there", func(s *subject) ([]row, func()) {
			r := s.spare("REFRESH")
			return []row{r}, func() { r.set("m", 1); r.set("idx", 5); r.set("pts", 3) }
		}, []string{"bus R"}},
		{"a refresh beyond the next access", func(s *subject) ([]row, func()) {
			move, r := s.rows("MV", nil)[0], s.spare("REFRESH")
			return []row{move, r}, func() {
				for to, from := range map[string]string{"idx": "rs1", "lo": "alo", "hi": "ahi", "pts": "pt0"} {
					*r.cell(to) = *move.cell(from)
				}
				r.set("m", 1)
				move.add("pt0", 1<<20)
			}
		}, []string{"bus R20"}},
	}
}

// spare is a row after the rows of a table.
func (s *subject) spare(table string) row {
	in := s.of(table)[0]
	return row{in, in.Trace.Rows() - 1}
}

// copy replaces the row by a copy of another row of its table.
func (r row) copy(from row) {
	for _, column := range r.in.Trace.Main {
		column[r.at] = column[from.at]
	}
}

func (r row) clear() {
	for _, column := range r.in.Trace.Main {
		column[r.at] = 0
	}
}

// settleGap splits the time since the token that the row takes, as a filler would: r + 2^14 y.
func (r row) settleGap() {
	gap := int64(r.get("ts")) + 1 - int64(r.get("mp"))
	r.set("y", min(max(gap, 0)>>14, 1<<20-1))
}

// flow maps the senders and receivers of the tokens of a bus whose second value is a time.
type flow struct {
	bus   *air.Bus
	sent  map[string][]goldilocks.Element // times, by the token without its time
	taken map[string]row                  // by the token
}

func (s *subject) flow(name string) flow {
	f := flow{sent: map[string][]goldilocks.Element{}, taken: map[string]row{}}
	for i := range s.instances {
		in := &s.instances[i]
		for at := range in.Trace.Rows() {
			if len(in.Table.Interactions) == len(in.Table.Lookups) {
				break
			}
			_, _, tokens := s.look(in, at)
			for k, n := range tokens {
				switch bus, values := s.message(k); {
				case bus.Name != name:
				case n == 1:
					f.bus = bus
					timeless := key(bus, slices.Concat(values[:1], values[2:]))
					f.sent[timeless] = append(f.sent[timeless], values[1])
				default:
					f.taken[k] = row{in, at}
				}
			}
		}
	}
	return f
}

// stale is a row that takes a token, and the time of an older token that is otherwise equal.
func (s *subject) stale(table, bus, time string) (row, int64) {
	f := s.flow(bus)
	for _, r := range s.rows(table, nil) {
		_, _, tokens := s.look(r.in, r.at)
		for k, n := range tokens {
			of, values := s.message(k)
			if of.Name != bus || n == 1 || values[1] != *r.cell(time) {
				continue
			}
			for _, t := range f.sent[key(of, slices.Concat(values[:1], values[2:]))] {
				if t < values[1] {
					return r, int64(t)
				}
			}
		}
	}
	panic("no row of table " + table + " has an older token")
}

// successors are two loads of a word, of which the second takes the first one's token, and a row with mp that takes the
// second one's token.
func (s *subject) successors() (first, second, third row) {
	f := s.flow("M")
	after := func(r row) (row, bool) {
		word := r.cell("a").Add(*r.cell("imm")).Mul(goldilocks.Element(8).Inverse())
		next, ok := f.taken[key(f.bus, []goldilocks.Element{word, r.cell("ts").Add(2), *r.cell("v0"), *r.cell("v1")})]
		return next, ok
	}
	for _, first := range s.rows("LD", nil) {
		second, ok := after(first)
		if !ok || second.in.Table.Name != "LD" {
			continue
		}
		if third, ok := after(second); ok && column(third.in.Table, "mp") >= 0 {
			return first, second, third
		}
	}
	panic("no word is loaded twice and accessed again")
}

// Each lie that spans several rows is proven, and both verifiers refuse it. So are false claims about the run, wrong
// counts of lookups, and tables with too many or no instances.
func TestEachRunCheatIsRefused(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	s := honest(t)
	s.insert("REFRESH")
	v := refuseRuns(t, s, runCheats())
	truth := s.execution.Public()
	for name, c := range claimCheats(truth) {
		by := verify.CheckSums
		if s.program.Machine().CheckStated(c.of(truth)) != nil {
			by = verify.CheckPublic
		}
		v.trial.refuses(t, v.given(c.of(truth)), name, by)
	}
	for bus, answer := range s.answers {
		for k := range v.truth {
			if of, _ := s.message(k); of == bus {
				v.more = counted{k: 1}
				v.trial.refuses(t, v.given(truth), "a count too many in table "+answer.in.Table.Name, verify.CheckSums)
				break
			}
		}
	}
	v.more = nil
	for name, g := range v.shapes() {
		v.trial.refuses(t, g, name, verify.CheckInstances)
	}
}

// Each lie about calls that spans several rows is proven, and both verifiers refuse it.
func TestEachCallCheatIsRefused(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	refuseRuns(t, runs{}.of(t, instruction.ECALL), callRunCheats())
}

// refuseRuns proves a run, which both verifiers accept, and its cheats, which they refuse.
func refuseRuns(t *testing.T, s *subject, cheats []runCheat) *whole {
	t.Helper()
	asked := counted{}
	for _, c := range cheats {
		rows, change := c.plan(s)
		found := s.lieDuring(change, func(_ []string, more counted) { maps.Copy(asked, more) }, rows...)
		if !slices.Equal(found, c.refuse) {
			t.Errorf("%s: refused by %q, want %q", c.name, found, c.refuse)
		}
	}
	v := newWhole(t, s, asked)
	v.trial.accepts(t, v.given(s.execution.Public()), "the run as it is")
	for _, c := range cheats {
		rows, change := c.plan(s)
		v.refuses(t, c.name, change, rows...)
	}
	return v
}

// A run of a program that differs in one byte of its image is refused, also if its proof names the other program.
func TestAnotherImageIsRefused(t *testing.T) {
	var versions []*whole
	for change := range byte(2) {
		p := riscvtest.Random(4, 40)
		p.Data[100] ^= change
		versions = append(versions, newWhole(t, runOf(t, p.ELF(false), nil, nil), nil))
	}
	key := versions[0].trial.key
	proof := versions[1].trial.prove(t, versions[1].given(versions[1].execution.Public()))
	first, second := versions[0].trial.verify(t, proof)
	if check, _ := verify.RejectedBy(first); check != verify.CheckProgram || second == nil {
		t.Errorf("the verifier says %v, want a rejection by %q; the second one says %v", first, verify.CheckProgram, second)
	}
	proof.MachineDigest, proof.Program = key.Digest, key.Program
	if first, second := versions[0].trial.verify(t, proof); first == nil || second == nil {
		t.Errorf("by the other's name: the verifier says %v, the second one %v", first, second)
	}
}

// insert adds an instance of zeros of a table that the run does not need.
func (s *subject) insert(name string) {
	tables := s.program.Machine().Tables
	number := slices.IndexFunc(tables, func(table *air.Table) bool { return table.Name == name })
	at := slices.IndexFunc(s.list, func(i circuit.Instance) bool { return i.Table > number })
	columns := make([][]goldilocks.Element, len(tables[number].Main))
	for c := range columns {
		columns[c] = make([]goldilocks.Element, 1<<small.MinLogHeight)
	}
	s.list = slices.Insert(slices.Clone(s.list), at, circuit.Instance{Table: number, LogHeight: small.MinLogHeight})
	s.instances = slices.Insert(s.instances, at, air.Instance{
		Table: tables[number],
		Trace: air.Trace{Main: columns},
	})
	for i := range s.instances { // have moved
		in := &s.instances[i]
		for k := range in.Table.Lookups {
			s.answers[in.Table.Lookups[k].Bus] = answer{in, &in.Table.Lookups[k]}
		}
	}
}

// shapes are runs in which a table that must have one instance has none or two. Tables with preprocessed columns are
// opened together in trees that no prover makes again.
func (v *whole) shapes() map[string]given {
	list := map[string]given{}
	for i, in := range v.instances {
		if in.Table.MaxInstances > 1 || in.Table.Kind != air.NoPreprocessed {
			continue
		}
		for name, n := range map[string]int{"no table ": 0, "two of table ": 2} {
			g := v.given(v.execution.Public())
			g.instances = slices.Replace(g.instances, i, i+1, slices.Repeat(g.instances[i:i+1], n)...)
			g.columns = slices.Replace(g.columns, i, i+1, slices.Repeat(g.columns[i:i+1], n)...)
			list[name+in.Table.Name] = g
		}
	}
	return list
}
