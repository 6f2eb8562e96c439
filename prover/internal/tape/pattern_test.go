package tape

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature"
)

// Every pattern is found where it is written, and no near miss is.
func TestPatternsAreFound(t *testing.T) {
	for name, c := range patternCases() {
		found := false
		for _, s := range Compile(c.table(t), ConstraintPart).steps {
			found = found || s.op == c.op
		}
		if found == c.miss {
			t.Errorf("%s: found %v", name, found)
		}
	}
}

// Patterns equal their nodes computed one by one, at every level, for whole registers and not, on extreme values.
func TestPatternsAreComputed(t *testing.T) {
	before := cpufeature.Active()
	defer cpufeature.Set(before)
	random := rand.New(rand.NewPCG(5, 6))
	for name, c := range patternCases() {
		table := c.table(t)
		tape := Compile(table, ConstraintPart)
		weights := []goldilocks.Extension{{1, 2, 3}}
		for _, rows := range []int{2, 8, 16, 24, 32, 40, 44, 72} {
			for _, draw := range []func() goldilocks.Element{
				func() goldilocks.Element { return edgeOrRandom(random) },
				func() goldilocks.Element { return goldilocks.Element(random.IntN(2)) },
				func() goldilocks.Element { return goldilocks.Element(goldilocks.Modulus - 1) },
			} {
				trace := air.Trace{Main: make([][]goldilocks.Element, len(table.Main))}
				for i := range trace.Main {
					trace.Main[i] = make([]goldilocks.Element, rows)
					for row := range trace.Main[i] {
						trace.Main[i][row] = draw()
					}
				}
				block := blockOf(table, trace, 0, rows)
				block.Weights = weights
				for _, level := range cpufeature.Supported() {
					if err := cpufeature.Set(level); err != nil {
						t.Fatal(err)
					}
					run := tape.NewEvaluator(rows)
					run.Run(block, rows)
					values := make([]goldilocks.Element, len(table.Graph))
					for row := range rows {
						table.EvaluateRow(trace, row, nil, values)
						want := weights[0].MulBase(values[table.Constraints[0].Root])
						if got := run.Folded().At(row); got != want {
							t.Fatalf("%s, %v, row %d of %d: %v, want %v", name, level, row, rows, got, want)
						}
					}
				}
			}
		}
	}
}

type patternCase struct {
	op         opcode
	columns    int
	expression func(b *air.Builder, x []air.Expr) air.Expr
	miss       bool // not to be found
}

func (c patternCase) table(t *testing.T) *air.Table {
	b := air.NewTable("pattern")
	b.AssertZero("c", c.expression(b, b.MainColumns("x", c.columns)))
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func patternCases() map[string]patternCase {
	cases := map[string]patternCase{
		"square of a difference": {squareDifference, 2, func(_ *air.Builder, x []air.Expr) air.Expr {
			return x[0].Sub(x[1]).Square()
		}, false},
		"square of a difference that is read again": {squareDifference, 2, func(_ *air.Builder, x []air.Expr) air.Expr {
			d := x[0].Sub(x[1])
			return d.Square().Mul(d)
		}, true},
		"square of a difference with a constant": {squareDifference, 1, func(_ *air.Builder, x []air.Expr) air.Expr {
			return x[0].SubConstant(5).Square()
		}, true},
		"signed xor": {signedXor, 2, func(b *air.Builder, x []air.Expr) air.Expr {
			return signed(b, x[0], x[1])
		}, false},
		"signed xor of a product": {signedXor, 3, func(b *air.Builder, x []air.Expr) air.Expr {
			return signed(b, x[0].Mul(x[1]), x[2])
		}, false},
		"signed xor with another sign": {signedXor, 3, func(b *air.Builder, x []air.Expr) air.Expr {
			return x[0].Mul(b.Constant(1).Sub(x[1].Double())).Add(x[2])
		}, true},
		"sum of too few": {sumTerms, 3, func(_ *air.Builder, x []air.Expr) air.Expr {
			return x[0].Add(x[1]).Sub(x[2])
		}, true},
		"sum with a part that is read again": {sumTerms, 4, func(_ *air.Builder, x []air.Expr) air.Expr {
			sum := x[0].Add(x[1]).Add(x[2])
			return sum.Add(x[3]).Mul(sum)
		}, true},
		"sum less zero": {sumTerms, 4, func(b *air.Builder, x []air.Expr) air.Expr {
			return b.Sum(x[1:]...).Add(x[0].Neg()).Add(x[1])
		}, false},
		"sum of computed terms": {sumTerms, 40, func(b *air.Builder, x []air.Expr) air.Expr {
			sum := x[0]
			for i := range x[1:] {
				sum = sum.Sub(x[i].Mul(x[i+1]))
			}
			return sum
		}, false},
		"difference without positive terms": {sumTerms, 4, func(_ *air.Builder, x []air.Expr) air.Expr {
			return x[0].Neg().Sub(x[1]).Sub(x[2]).Sub(x[3])
		}, true},
	}
	for _, n := range []int{4, 5, 9, 28, 29, 57} {
		cases[fmt.Sprintf("sum of %d", n)] = patternCase{sumTerms, n, func(b *air.Builder, x []air.Expr) air.Expr {
			return b.Sum(x...)
		}, false}
		cases[fmt.Sprintf("one less %d", n)] = patternCase{sumTerms, n + 1, func(_ *air.Builder, x []air.Expr) air.Expr {
			sum := x[0]
			for _, y := range x[1:] {
				sum = sum.Sub(y)
			}
			return sum
		}, false}
		cases[fmt.Sprintf("packing of %d", n)] = patternCase{packXor, n + 1, func(b *air.Builder, x []air.Expr) air.Expr {
			terms := make([]air.Expr, n)
			for i := range terms {
				terms[i] = signed(b, x[i], x[i+1])
			}
			return b.Pack(1, terms...)
		}, false}
		cases[fmt.Sprintf("packing of chi of %d", n)] = patternCase{packChi, n + 2,
			func(b *air.Builder, x []air.Expr) air.Expr {
				terms := make([]air.Expr, n)
				for i := range terms {
					terms[i] = signed(b, x[i+1].Not().Mul(x[i+2]), x[i])
				}
				return b.Pack(1, terms...)
			}, false}
	}
	return cases
}

// signed is x(1-2y) + y.
func signed(b *air.Builder, x, y air.Expr) air.Expr {
	return x.Mul(b.Constant(1).Sub(y.Double())).Add(y)
}
