// Package acceleratortest tests the tables of one accelerator in isolation. There is no machine around them: tests
// supply the words of calls, and Go functions answer lookups.
package acceleratortest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	host "github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// logHeight is the logarithm of the height of both tables.
const logHeight = 8

// Subject is the rows of some calls, which a test may change: the table of calls, and table Work if the accelerator has
// one.
type Subject struct {
	Calls, Work *Instance
	all         []*Instance
	lookups     map[*air.Bus]func(values []goldilocks.Element) bool
}

// Instance is a table with its columns.
type Instance struct {
	Table   *air.Table
	Columns [][]goldilocks.Element
	honest  [][]goldilocks.Element
}

// Messages to the machine's lookup tables: value is a message of one number.
type (
	value  struct{ Value air.Expr }
	signed struct{ Signed, Half, Sign air.Expr }
	bytes  struct{ Op, X, Y, Z air.Expr }
	digits struct {
		Digits [accelerator.EvenDigits]air.Expr
	}
)

// New declares an accelerator's tables and fills them with calls, each given by the words that it reads. Call i has the
// time 4 (i + 1).
func New(t testing.TB, filler host.Filler, calls ...[]uint64) *Subject {
	t.Helper()
	kind := filler.Kind
	s := &Subject{}
	var buses air.Buses
	circuit := kind.Declare(&buses, s.answers(&buses))

	b := air.NewTable("calls")
	b.Heights(logHeight, logHeight)
	m, ts := b.Main("m"), b.Main("ts")
	b.AssertBoolean("m is boolean", m)
	asked := air.NewLookup[value](&buses, "CALL") // accepts any time
	asked.Ask(b, m, value{ts})
	s.lookups[asked.Bus] = func([]goldilocks.Element) bool { return true }
	read, written := b.MainColumns("read", 2*kind.Read()), b.MainColumns("written", 2*kind.Written())
	for i := range kind.Numbers() {
		b.AssertZero("a number is below 2^32", read[2*i+1])
	}
	circuit.Call(b, m, ts, read, written)
	s.Calls = s.add(t, b)
	if circuit.Work != nil {
		b := air.NewTable("work")
		b.Heights(logHeight, logHeight)
		circuit.Work(b)
		s.Work = s.add(t, b)
	}
	s.fill(t, filler, calls)
	for _, in := range s.all {
		in.honest = clone(in.Columns)
	}
	return s
}

// answers returns lookups whose buses are answered by functions, which it adds to s.lookups.
func (s *Subject) answers(buses *air.Buses) accelerator.Lookups {
	s.lookups = map[*air.Bus]func([]goldilocks.Element) bool{}
	below := func(name string, bound goldilocks.Element) func(b *air.Builder, m, v air.Expr) {
		bus := air.NewLookup[value](buses, name)
		s.lookups[bus.Bus] = func(v []goldilocks.Element) bool { return v[0] < bound }
		return func(b *air.Builder, m, v air.Expr) { bus.Ask(b, m, value{v}) }
	}
	sign, pair := air.NewLookup[signed](buses, "SGN"), air.NewLookup[bytes](buses, "B8")
	s.lookups[sign.Bus] = func(v []goldilocks.Element) bool {
		return v[0] < 2 && v[1] < 1<<16 && v[2] == v[0]*(v[1]>>15)
	}
	s.lookups[pair.Bus] = func(v []goldilocks.Element) bool {
		if v[0] >= 4 || v[1] >= 256 || v[2] >= 256 {
			return false
		}
		return v[3] == []goldilocks.Element{v[1] & v[2], v[1] | v[2], v[1] ^ v[2], 0}[v[0]]
	}
	even := air.NewLookup[digits](buses, "EVEN")
	s.lookups[even.Bus] = func(v []goldilocks.Element) bool {
		return !slices.ContainsFunc(v, func(d goldilocks.Element) bool { return d > 8 || d%2 != 0 })
	}
	return accelerator.Lookups{
		Range16: below("R16", 1<<16), Range20: below("R20", 1<<20),
		Sign:  func(b *air.Builder, m, is, half, e air.Expr) { sign.Ask(b, m, signed{is, half, e}) },
		Bytes: func(b *air.Builder, m, op, x, y, z air.Expr) { pair.Ask(b, m, bytes{op, x, y, z}) },
		Even: func(b *air.Builder, m air.Expr, list []air.Expr) {
			zeros := slices.Repeat([]air.Expr{b.Constant(0)}, accelerator.EvenDigits)
			even.Ask(b, m, digits{[accelerator.EvenDigits]air.Expr(append(slices.Clone(list), zeros[len(list):]...))})
		},
	}
}

func (s *Subject) add(t testing.TB, b *air.Builder) *Instance {
	t.Helper()
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	in := &Instance{Table: table, Columns: make([][]goldilocks.Element, len(table.Main))}
	for i := range in.Columns {
		in.Columns[i] = make([]goldilocks.Element, 1<<logHeight)
	}
	s.all = append(s.all, in)
	return in
}

func (s *Subject) fill(t testing.TB, filler host.Filler, calls [][]uint64) {
	t.Helper()
	var times, words []uint64
	for i, read := range calls {
		written, err := filler.Kind.Result(read)
		if err != nil {
			t.Fatal(err)
		}
		times, words = append(times, 4*uint64(i+1)), append(words, read...)
		own := make([]goldilocks.Element, len(s.Calls.Columns)-2-2*len(read)-2*len(written))
		overwritten(own)
		if filler.Call != nil {
			filler.Call(own, read, written)
		}
		s.Claim(i, read, written, own)
	}
	if s.Work != nil {
		for _, column := range s.Work.Columns {
			overwritten(column)
		}
		filler.Work(parallel.New(2), s.Work.Columns, times, words)
	}
}

// overwritten sets cells to a value that a filler must overwrite: fillers must not assume that cells are zero.
func overwritten(cells []goldilocks.Element) {
	for i := range cells {
		cells[i] = 12345
	}
}

// Claim writes a row of the table of calls: the words read, the words written, and the accelerator's own columns.
func (s *Subject) Claim(call int, read, written []uint64, own []goldilocks.Element) {
	cells := []goldilocks.Element{1, goldilocks.Element(4 * (call + 1))}
	for _, w := range slices.Concat(read, written) {
		cells = append(cells, goldilocks.Element(w&(1<<32-1)), goldilocks.Element(w>>32))
	}
	for c, v := range append(cells, own...) {
		s.Calls.Columns[c][call] = v
	}
}

func clone(columns [][]goldilocks.Element) [][]goldilocks.Element {
	list := make([][]goldilocks.Element, len(columns))
	for i, column := range columns {
		list[i] = slices.Clone(column)
	}
	return list
}

// Clone returns a copy whose columns may be changed independently.
func (s *Subject) Clone() *Subject {
	c := &Subject{lookups: s.lookups}
	for _, in := range s.all {
		c.all = append(c.all, &Instance{in.Table, clone(in.Columns), in.honest})
	}
	c.Calls = c.all[0]
	if s.Work != nil {
		c.Work = c.all[1]
	}
	return c
}

// Cell returns the cell in a row of the column with this name. It panics if there is no such column.
func (in *Instance) Cell(column string, row int) *goldilocks.Element {
	c := slices.Index(in.Table.Main, column)
	if c < 0 {
		panic(fmt.Sprintf("acceleratortest: table %s has no column %s", in.Table.Name, column))
	}
	return &in.Columns[c][row]
}

// Constraint returns the value of a constraint in a row, which is 0 if the constraint holds.
func (in *Instance) Constraint(name string, row int) goldilocks.Element {
	return in.Constraints(row)(name)
}

// Constraints evaluates all constraints in a row, and returns a function that looks up their values by name.
func (in *Instance) Constraints(row int) func(name string) goldilocks.Element {
	values := make([]goldilocks.Element, len(in.Table.Graph))
	in.Table.EvaluateRow(air.Trace{Main: in.Columns}, row, nil, values)
	return func(name string) goldilocks.Element {
		for _, c := range in.Table.Constraints {
			if c.Name == name {
				return values[c.Root]
			}
		}
		panic(fmt.Sprintf("acceleratortest: table %s has no constraint %q", in.Table.Name, name))
	}
}

// Solve sets a cell to the value with which a constraint holds in a row. The constraint must be linear in the cell.
func (in *Instance) Solve(cell *goldilocks.Element, constraint string, row int) {
	*cell = 0
	first := in.Constraint(constraint, row)
	*cell = 1
	*cell = first.Neg().Mul(in.Constraint(constraint, row).Sub(first).Inverse())
}
