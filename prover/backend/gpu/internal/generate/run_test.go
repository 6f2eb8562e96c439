package generate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

const testLogRows = 4

// everything is a table whose constraints have every operation, next rows, public values, preprocessed columns and the
// selectors. They form runs of many and of one, with operands of commutative operations in both orders.
func everything(t testing.TB) *air.Table {
	t.Helper()
	b := air.NewTable("every thing")
	b.Heights(testLogRows, testLogRows)
	m := b.MainColumns("m", 24)
	p := []air.Expr{b.Preprocessed("p"), b.Preprocessed("q")}
	b.FillPreprocessed(func([][]goldilocks.Element) {})
	for i, x := range m {
		b.AssertBoolean(fmt.Sprint("boolean", i), x)
	}
	one := b.Constant(1)
	for i := range 20 {
		x, y, z := m[i], m[(7*i+3)%24], m[(i+1)%24]
		b.AssertEqual(fmt.Sprint("xor", i), x.Mul(one.Sub(y.Double())).Add(y), z.Next())
		b.WhenTransition().AssertEqual(fmt.Sprint("held", i), x.Next().Mul(p[i%2]), y.Mul(p[1].Next()))
		b.WhenFirst().AssertZero(fmt.Sprint("first", i), x.Mul(y).Sub(b.Public(i%3)))
		b.WhenLast().AssertZero(fmt.Sprint("last", i), x.Sub(y).Square().Add(b.Constant(goldilocks.Modulus-5)))
		b.AssertZero(fmt.Sprint("scaled", i), x.Scale(3).Add(y.Scale(1<<40)).Sub(b.Constant(7).Sub(z)).
			Mul(p[0].Add(b.Public(1))))
	}
	sum := b.Sum(m[0], m[1], m[2], m[3], m[4]).Sub(m[6]).Sub(m[7].Add(m[8]))
	b.AssertZero("sum", b.Sum(m[9:15]...).Add(m[0].Mul(m[1])).Sub(b.Sum(m[15:21]...)).AddConstant(5))
	b.AssertZero("cubic of a sum", sum.Mul(sum.SubConstant(2)).Mul(sum.SubConstant(4)))
	b.AssertZero("cubic", m[0].SubConstant(6).Mul(m[0].SubConstant(3).Mul(m[0])))
	b.AssertZero("no cubic", m[1].SubConstant(5).Mul(m[1].SubConstant(3).Mul(m[1])))
	b.AssertZero("packed", b.Pack(1, m...).Sub(b.Pack(3, p[0], p[1], b.First().Add(b.Last()))))
	b.AssertZero("sums of residues", m[0].Mul(m[1]).Sub(m[2].Mul(m[3])).Add(m[4].Mul(m[5]).Double()).
		Sub(b.Transition().Mul(b.Public(0))))
	b.AssertZero("periodic", b.Periodic("phase", 3, 1, 4, 1).Mul(m[9]).Sub(b.Periodic("other", 5).Mul(m[8])))
	b.AssertZero("constant minus", b.Constant(goldilocks.Modulus-1).Sub(m[0].Mul(m[1])))
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// perConstraint makes an item of each constraint.
func perConstraint(table *air.Table) []generate.Item {
	items := make([]generate.Item, len(table.Constraints))
	for i, c := range table.Constraints {
		items[i] = generate.Item{Nodes: []air.NodeID{c.Root}, Extra: []uint32{uint32(i)}}
	}
	return items
}

// traceKernel writes the value of every constraint in every row.
func traceKernel(table *air.Table) string {
	s := generate.NewSource()
	s.Line("KERNEL(constraints, 64, TraceRows rows, u64 *out) {")
	s.Line("u64 i = global_index();")
	s.Line("if (i >= rows.n) return;")
	s.Line("TraceRow row = trace_row(rows, i);")
	for r, run := range generate.FindRuns(table, perConstraint(table)) {
		run.Write(s, fmt.Sprint("run_", r), func(v generate.Values) {
			s.Line("out[%s * rows.n + i] = %s;", v.Extra[0], v.Nodes[0])
		})
	}
	s.Line("}")
	return s.String()
}

func TestRunsAgreeWithTheReference(t *testing.T) {
	table := everything(t)
	const rows = 1 << testLogRows
	source := rand.New(rand.NewPCG(1, 2))
	trace := air.Trace{Main: randomColumns(source, len(table.Main), rows),
		Preprocessed: randomColumns(source, len(table.Preprocessed), rows)}
	public := randomColumns(source, 1, 3)[0]
	want := selectorTrace(table, trace, public)
	// for each column the offset and the log of the number of its values, then the values
	periodic := []uint64{4, 2, 8, 0, 3, 1, 4, 1, 5}
	for _, checked := range []bool{false, true} {
		t.Run(fmt.Sprint("checked ", checked), func(t *testing.T) {
			d := open(t, checked)
			f := d.function(traceKernel(table), "constraints")
			out := d.take(len(table.Constraints) * rows)
			g := goldilocks.RootOfUnity(testLogRows)
			publics := d.put([]uint64{uint64(public[0]), uint64(public[1]), uint64(public[2])})
			fatal(t, f.Launch(d.stream, cuda.Linear(rows, 8), cuda.Value(generate.TraceRows{
				MainColumns:         uint64(d.columns(trace.Main).Pointer()),
				PreprocessedColumns: uint64(d.columns(trace.Preprocessed).Pointer()),
				PublicValues:        uint64(publics.Pointer()), PeriodicColumns: uint64(d.put(periodic).Pointer()),
				N: rows, Generator: uint64(g), GeneratorInverse: uint64(g.Inverse()),
			}), cuda.Address(out)))
			for k, got := range d.get(out) {
				if i, row := k/rows, k%rows; got != uint64(want[i][row]) {
					t.Fatalf("constraint %q, row %d: %d, want %d", table.Constraints[i].Name, row, got, want[i][row])
				}
			}
		})
	}
}

// selectorTrace evaluates the constraints with the reference evaluator on a table whose selectors are read from cells
// with their polynomials' values.
func selectorTrace(table *air.Table, trace air.Trace, public []goldilocks.Element) [][]goldilocks.Element {
	rows := trace.Rows()
	g := goldilocks.RootOfUnity(testLogRows)
	selectors := [3][]goldilocks.Element{make([]goldilocks.Element, rows), make([]goldilocks.Element, rows),
		make([]goldilocks.Element, rows)}
	selectors[0][0] = goldilocks.Element(rows)
	selectors[1][rows-1] = g.Mul(goldilocks.Element(rows))
	for row := range rows {
		selectors[2][row] = g.Exp(uint64(row)).Sub(g.Inverse())
	}
	read := *table
	read.Graph = slices.Clone(table.Graph)
	for id, n := range read.Graph {
		if n.Op == air.First || n.Op == air.Last || n.Op == air.Transition {
			read.Graph[id] = air.Node{Op: air.Main, Column: int32(len(table.Main)) + int32(n.Op-air.First)}
		}
	}
	trace.Main = append(slices.Clone(trace.Main), selectors[:]...)
	values := make([]goldilocks.Element, len(read.Graph))
	result := make([][]goldilocks.Element, len(table.Constraints))
	for row := range rows {
		read.EvaluateRow(trace, row, public, values)
		for i, c := range table.Constraints {
			result[i] = append(result[i], values[c.Root])
		}
	}
	return result
}

func TestRunsAreFewAndTheTextIsTheSame(t *testing.T) {
	table := everything(t)
	runs := generate.FindRuns(table, perConstraint(table))
	if len(runs) > 15 {
		t.Errorf("%d runs for %d constraints of 13 forms", len(runs), len(table.Constraints))
	}
	seen := map[int]bool{}
	for _, run := range runs {
		for _, item := range run.Items() {
			if seen[item] {
				t.Errorf("constraint %d is in two runs", item)
			}
			seen[item] = true
		}
	}
	if len(seen) != len(table.Constraints) {
		t.Errorf("%d of %d constraints are in runs", len(seen), len(table.Constraints))
	}
	if first, second := traceKernel(table), traceKernel(everything(t)); first != second {
		t.Error("the same table gave two texts")
	}
}

// A table in constant memory has sufficiently wide words, and no table is longer than fits there.
func TestLongRunsAndLargeNumbers(t *testing.T) {
	const columns = 9000
	b := air.NewTable("wide")
	for i, x := range b.MainColumns("m", columns) {
		b.AssertBoolean(fmt.Sprint(i), x)
	}
	table, err := b.Build()
	fatal(t, err)
	items := perConstraint(table)
	for i := range items {
		items[i].Extra[0] *= 100 // up to 899,900
	}
	runs := generate.FindRuns(table, items)
	if len(runs) < 2 || len(runs) > 4 {
		t.Fatalf("%d runs", len(runs))
	}
	s := generate.NewSource()
	s.Line("KERNEL(numbers, 1, u64 *out) {")
	s.Line("struct { DEVICE_MEMBER u64 main(u32 column) const { return column; } } row;")
	s.Line("u32 at = 0;")
	for r, run := range runs {
		run.WriteLazily(s, fmt.Sprint("run_", r), func(v generate.Values) { s.Line("out[at++] = %s;", v.Extra[0]) })
	}
	s.Line("}")
	d := open(t, false)
	out := d.take(columns)
	fatal(t, d.function(s.String(), "numbers").Launch(d.stream, cuda.Linear(1, 1), cuda.Address(out)))
	for i, got := range d.get(out) {
		if got != uint64(i)*100 {
			t.Fatalf("item %d has number %d", i, got)
		}
	}
}
