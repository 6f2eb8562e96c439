package tape

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature"
)

// randomTable returns a table with every kind of node, shared and unshared subexpressions, uniform ones and constraints
// under selectors.
func randomTable(t *rapid.T) *air.Table {
	b := air.NewTable("random")
	b.Heights(4, 4)
	b.FillPreprocessed(func(columns [][]goldilocks.Element) {
		for i, column := range columns {
			copy(column, randomElements(rand.New(rand.NewPCG(7, uint64(i))), len(column)))
		}
	})
	var buses air.Buses
	bus := air.NewToken[struct{ X, Y, Z air.Expr }](&buses, "bus")
	pool := []air.Expr{b.First(), b.Last(), b.Transition(), b.Public(0), b.Public(1), b.Constant(0),
		b.Constant(1), b.Constant(1 << 63)}
	columns := b.MainColumns("m", rapid.IntRange(1, 6).Draw(t, "columns"))
	columns = append(columns, b.Preprocessed("p"))
	for i := range rapid.IntRange(0, 3).Draw(t, "periodic") {
		values := make([]uint64, 1<<rapid.IntRange(0, 4).Draw(t, "log period"))
		for k := range values {
			values[k] = rapid.Uint64().Draw(t, "periodic value")
		}
		pool = append(pool, b.Periodic(fmt.Sprint("periodic ", i), values...))
	}
	for _, column := range columns {
		pool = append(pool, column, column.Next())
	}
	degree := func(e air.Expr) int { return int(e.Node().Degree) }
	pick := func(label string) air.Expr { return pool[rapid.IntRange(0, len(pool)-1).Draw(t, label)] }
	transitions := map[air.Expr]int{b.Transition(): 1} // at most, of the expressions that have any
	note := func(e air.Expr, count int) { transitions[e] = max(transitions[e], count) }
	for range rapid.IntRange(5, 60).Draw(t, "operations") {
		x, y := pick("x"), pick("y")
		either := max(transitions[x], transitions[y])
		var e air.Expr
		switch rapid.IntRange(0, 5).Draw(t, "operation") {
		case 0:
			e = x.Add(y)
			note(e, either)
		case 1:
			e = x.Sub(y)
			note(e, either)
		case 2:
			if degree(x)+degree(y) > air.MaxDegree {
				continue
			}
			e = x.Mul(y)
			note(e, transitions[x]+transitions[y])
		case 3:
			if degree(x)+degree(y) > air.MaxDegree {
				continue
			}
			z := pick("z")
			e = x.Mul(y).Add(z)
			note(e, max(transitions[x]+transitions[y], transitions[z]))
		case 4:
			e = randomPacking(t, b, columns)
		default:
			z := pick("z")
			e = b.Pack(3, x, y, z)
			note(e, max(either, transitions[z]))
		}
		pool = append(pool, e)
	}
	for i, column := range columns {
		if rapid.Bool().Draw(t, "boolean") {
			b.AssertBoolean(fmt.Sprint("boolean ", i), column.Next())
		}
	}
	isConstant := func(e air.Expr) bool { return e.Node().Op == air.Constant }
	for i := range rapid.IntRange(1, 20).Draw(t, "constraints") {
		e := pick("constraint")
		count := transitions[e]
		if rapid.Bool().Draw(t, "selector") && degree(e) < air.MaxDegree {
			which := rapid.IntRange(0, 2).Draw(t, "which")
			e = e.Mul([]air.Expr{b.First(), b.Last(), b.Transition()}[which])
			count += which / 2
		}
		if !isConstant(e) && count <= air.MaxTransitions {
			b.AssertZero(fmt.Sprint("constraint ", i), e)
		}
	}
	for range rapid.IntRange(0, 5).Draw(t, "interactions") {
		m, x, y, z := pick("m"), pick("v"), pick("v"), pick("v")
		if transitions[m] <= air.MaxTransitions && max(transitions[x], transitions[y], transitions[z]) == 0 &&
			degree(m) <= 3 && max(degree(x), degree(y), degree(z)) <= 2 {
			bus.Produce(b, m, struct{ X, Y, Z air.Expr }{x, y, z})
		}
	}
	for i, column := range columns { // so that every column is used
		b.AssertZero(fmt.Sprint("use ", i), column.Sub(b.Public(0)))
	}
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// randomPacking packs terms of the kinds that tapes process in bulk, with others between them.
func randomPacking(t *rapid.T, b *air.Builder, columns []air.Expr) air.Expr {
	column := func() air.Expr {
		c := columns[rapid.IntRange(0, len(columns)-1).Draw(t, "column")]
		if rapid.Bool().Draw(t, "next") {
			return c.Next()
		}
		return c
	}
	xor := func(x, y air.Expr) air.Expr { return x.Mul(b.Constant(1).Sub(y.Double())).Add(y) }
	var terms []air.Expr
	for range rapid.IntRange(1, 4).Draw(t, "runs") {
		kind := rapid.IntRange(0, 3).Draw(t, "kind")
		for range rapid.IntRange(1, 8).Draw(t, "terms") {
			term := column()
			switch kind {
			case 1:
				term = xor(column(), term)
			case 2:
				term = xor(column().Not().Mul(column()), term)
			case 3:
				term = xor(b.Public(1), term)
			}
			terms = append(terms, term)
		}
	}
	return b.Pack(1, terms...)
}

func randomElements(random *rand.Rand, n int) []goldilocks.Element {
	elements := make([]goldilocks.Element, n)
	for i := range elements {
		elements[i] = goldilocks.FromUint64(random.Uint64())
	}
	return elements
}

func randomTrace(random *rand.Rand, table *air.Table, rows int) air.Trace {
	trace := air.Trace{Preprocessed: table.PreprocessedColumns()}
	for range table.Main {
		trace.Main = append(trace.Main, randomElements(random, rows))
	}
	return trace
}

// blockOf is rows [at, at+rows) of a trace as a tape reads them.
func blockOf(table *air.Table, trace air.Trace, at, rows int) *Block {
	n := trace.Rows()
	b := &Block{First: make([]goldilocks.Element, rows), Last: make([]goldilocks.Element, rows),
		Transition: make([]goldilocks.Element, rows)}
	next := func(column []goldilocks.Element) []goldilocks.Element {
		shifted := make([]goldilocks.Element, rows)
		for i := range shifted {
			shifted[i] = column[(at+i+1)%n]
		}
		return shifted
	}
	for _, column := range trace.Main {
		b.Main = append(b.Main, column[at:])
	}
	for _, column := range trace.Preprocessed {
		b.Preprocessed = append(b.Preprocessed, column[at:])
	}
	for _, c := range table.NextMain {
		b.NextMain = append(b.NextMain, next(trace.Main[c]))
	}
	for _, c := range table.NextPreprocessed {
		b.NextPreprocessed = append(b.NextPreprocessed, next(trace.Preprocessed[c]))
	}
	for _, column := range table.Periodic {
		values := make([]goldilocks.Element, rows)
		for i := range values {
			values[i] = column.Values[(at+i)%len(column.Values)]
		}
		b.Periodic = append(b.Periodic, values)
	}
	for i := range rows {
		b.Transition[i] = 1
		switch at + i {
		case 0:
			b.First[i] = 1
		case n - 1:
			b.Last[i], b.Transition[i] = 1, 0
		}
	}
	return b
}

// The tape equals the reference, row by row, and the verifier's evaluator agrees at points of the base field.
func TestEvaluatorsAgree(t *testing.T) {
	before := cpufeature.Active()
	defer cpufeature.SetByteDots(true)
	defer cpufeature.SetMultiplyAdd(true)
	defer func() {
		if err := cpufeature.Set(before); err != nil {
			t.Fatal(err)
		}
	}()
	rapid.Check(t, func(t *rapid.T) {
		table := randomTable(t)
		const rows = 16
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		trace := randomTrace(random, table, rows)
		public := randomElements(random, 2)
		weights := make([]goldilocks.Extension, len(table.Constraints))
		for i := range weights {
			weights[i] = goldilocks.Extension(randomElements(random, 3))
		}
		level := rapid.SampledFrom(cpufeature.Supported()).Draw(t, "level")
		if err := cpufeature.Set(level); err != nil {
			t.Fatal(err)
		}
		cpufeature.SetByteDots(rapid.Bool().Draw(t, "byte dots"))
		cpufeature.SetMultiplyAdd(rapid.Bool().Draw(t, "multiply-adds"))
		at := rapid.IntRange(0, rows-1).Draw(t, "at")
		if rapid.Bool().Draw(t, "whole registers") {
			at = 8 * (at / 8)
		}
		count := rapid.IntRange(1, rows-at).Draw(t, "rows")
		if at%8 == 0 {
			count = rows - at
		}
		block := blockOf(table, trace, at, count)
		block.Public, block.Weights = public, weights
		byRow := *block // the same rows, in whole columns
		byRow.Main, byRow.Preprocessed, byRow.Row = trace.Main, trace.Preprocessed, at

		whole := Compile(table, ConstraintPart|InteractionPart).NewEvaluator(rows)
		constraints := Compile(table, ConstraintPart).NewEvaluator(rows)
		interactions := Compile(table, InteractionPart).NewEvaluator(rows)
		for range 2 { // a second run finds the registers as the first left them
			whole.Run(&byRow, count)
			constraints.Run(block, count)
			interactions.Run(block, count)
		}
		apart := Compile(table, ConstraintPart).NewEvaluator(rows)
		apart.RunApart(block, count, true)
		high := Compile(table, ConstraintPart).NewEvaluator(rows)
		high.RunApart(block, count, false)
		values := make([]goldilocks.Element, len(table.Graph))
		starts := make([]goldilocks.Extension, len(table.Interactions))
		scales := make([][]goldilocks.Extension, len(table.Interactions))
		for k, interaction := range table.Interactions {
			starts[k] = goldilocks.Extension(randomElements(random, 3))
			for range interaction.Values {
				scales[k] = append(scales[k], goldilocks.Extension(randomElements(random, 3)))
			}
		}
		prints := fingerprints(interactions, count, interactions.tape.NewPrints(public,
			func(k int) (goldilocks.Extension, []goldilocks.Extension) { return starts[k], scales[k] }))
		for i := range count {
			table.EvaluateRow(trace, at+i, public, values)
			var folded, foldedLow goldilocks.Extension
			for k, c := range table.Constraints {
				term := weights[k].MulBase(values[c.Root])
				folded = folded.Add(term)
				if c.IsLow() {
					foldedLow = foldedLow.Add(term)
				}
			}
			if apart.FoldedLow().At(i) != foldedLow || apart.Folded().At(i) != folded.Sub(foldedLow) || high.Folded().
				At(i) != folded.Sub(foldedLow) {
				t.Fatalf("row %d: low constraints %v, others %v and %v, want %v and %v\n%v",
					at+i, apart.FoldedLow().At(i), apart.Folded().At(i), high.Folded().At(i), foldedLow,
					folded.Sub(foldedLow), table.Text())
			}
			if whole.Folded().At(i) != folded || constraints.Folded().At(i) != folded {
				t.Fatalf("row %d: folded %v and %v, want %v\n%v", at+i, whole.Folded().At(i),
					constraints.Folded().At(i), folded, table.Text())
			}
			for k, interaction := range table.Interactions {
				print := starts[k]
				for j, v := range interaction.Values {
					print = print.Add(scales[k][j].MulBase(values[v]))
				}
				if got := prints[k].At(i); got != print {
					t.Fatalf("row %d: fingerprint %d is %v, want %v", at+i, k, got, print)
				}
				for _, e := range []*Evaluator{whole, interactions} {
					if got, want := e.Multiplicity(k)[i], values[interaction.Multiplicity]; got != want {
						t.Fatalf("row %d: multiplicity %d is %d, want %d", at+i, k, got, want)
					}
					for j, v := range interaction.Values {
						if got, want := e.Value(k, j)[i], values[v]; got != want {
							t.Fatalf("row %d: value %d of interaction %d is %d, want %d", at+i, j, k, got, want)
						}
					}
				}
			}
			checkExtension(t, table, block, i, values)
		}
	})
}

// fingerprints are those of all interactions of an evaluator's last run.
func fingerprints(e *Evaluator, rows int, prints *Prints) (list []goldilocks.ExtensionVector) {
	for k := range e.tape.interactions {
		list = append(list, goldilocks.NewExtensionVector(rows))
		e.Fingerprint(list[k], prints, k)
	}
	return list
}

// Values that are equal on all rows follow the public values and the number of rows.
func TestUniformValuesFollow(t *testing.T) {
	var buses air.Buses
	bus := air.NewToken[struct{ X air.Expr }](&buses, "bus")
	b := air.NewTable("uniform")
	bus.Produce(b, b.Main("x"), struct{ X air.Expr }{b.Public(0).Double()})
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	const most = 16
	trace := air.Trace{Main: [][]goldilocks.Element{make([]goldilocks.Element, most)}}
	run := Compile(table, InteractionPart).NewEvaluator(most)
	public := []goldilocks.Element{0}
	for _, test := range []struct {
		rows  int
		value goldilocks.Element
	}{{4, 5}, {8, 5}, {4, 6}, {16, 6}, {16, 7}} {
		block := blockOf(table, trace, 0, test.rows)
		public[0] = test.value // in place, like a cheating prover
		block.Public = public
		run.Run(block, test.rows)
		for row, have := range run.Value(0, 0) {
			if want := test.value.Double(); have != want {
				t.Errorf("%d rows, public value %d, row %d: %d, want %d", test.rows, test.value, row, have, want)
			}
		}
	}
}

// checkExtension compares the verifier's evaluator on a row of a block.
func checkExtension(t *rapid.T, table *air.Table, block *Block, i int, want []goldilocks.Element) {
	point := &air.Point{
		First: goldilocks.FromBase(block.First[i]), Last: goldilocks.FromBase(block.Last[i]),
		Transition: goldilocks.FromBase(block.Transition[i]),
		Public:     block.Public,
	}
	row := func(columns [][]goldilocks.Element) (values []goldilocks.Extension) {
		for _, column := range columns {
			values = append(values, goldilocks.FromBase(column[i]))
		}
		return values
	}
	point.Main, point.NextMain = row(block.Main), row(block.NextMain)
	point.Preprocessed, point.NextPreprocessed = row(block.Preprocessed), row(block.NextPreprocessed)
	point.Periodic = row(block.Periodic)
	got, err := table.EvaluateExtension(point)
	if err != nil {
		t.Fatal(err)
	}
	for id := range want {
		if got[id] != goldilocks.FromBase(want[id]) {
			t.Fatalf("node %d is %v, want %d", id, got[id], want[id])
		}
	}
}
