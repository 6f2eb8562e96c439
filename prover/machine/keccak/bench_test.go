package keccak

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/tape"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// randomColumns are columns of arbitrary field elements, as the quotient sees them.
func randomColumns(columns, rows int) [][]goldilocks.Element {
	random := rand.New(rand.NewPCG(1, uint64(columns)))
	list := make([][]goldilocks.Element, columns)
	for c := range list {
		list[c] = make([]goldilocks.Element, rows)
		for row := range list[c] {
			list[c][row] = goldilocks.FromUint64(random.Uint64())
		}
	}
	return list
}

func randomWeights(n int) []goldilocks.Extension {
	weights := make([]goldilocks.Extension, n)
	for j := range 3 {
		for i, v := range randomColumns(n, 1) {
			weights[i][j] = v[0].Add(goldilocks.Element(j))
		}
	}
	return weights
}

// The tapes of the real tables agree with the reference, on random cells.
func TestTapesAgainstReference(t *testing.T) {
	const rows = 17
	for _, table := range mustProgram(t).Machine().Tables[:tableXor] {
		trace := air.Trace{Main: randomColumns(len(table.Main), rows)}
		public := randomColumns(1, publicCount)[0]
		weights := randomWeights(len(table.Constraints))
		evaluator := tape.Compile(table, tape.ConstraintPart|tape.InteractionPart).NewEvaluator(rows)
		evaluator.Run(blockOf(table, trace, public, weights), rows-1)
		values := make([]goldilocks.Element, len(table.Graph))
		for row := range rows - 1 {
			table.EvaluateRow(trace, row, public, values)
			var want goldilocks.Extension
			for i, c := range table.Constraints {
				want = want.Add(weights[i].MulBase(values[c.Root]))
			}
			if got := evaluator.Folded().At(row); got != want {
				t.Errorf("table %s, row %d: %v, want %v", table.Name, row, got, want)
			}
			for i, interaction := range table.Interactions {
				if got, want := evaluator.Multiplicity(i)[row], values[interaction.Multiplicity]; got != want {
					t.Errorf("table %s, row %d: multiplicity %d is %d, want %d", table.Name, row, i, got, want)
				}
				for k, v := range interaction.Values {
					if got := evaluator.Value(i, k)[row]; got != values[v] {
						t.Errorf("table %s, row %d: value %d of interaction %d is %d, want %d", table.Name, row, k, i, got, values[v])
					}
				}
			}
		}
	}
}

// blockOf is all rows except the last, as a block.
func blockOf(table *air.Table, trace air.Trace, public []goldilocks.Element,
	weights []goldilocks.Extension) *tape.Block {
	rows := trace.Rows()
	b := &tape.Block{Main: trace.Main, Public: public, Weights: weights}
	for _, c := range table.NextMain {
		b.NextMain = append(b.NextMain, trace.Main[c][1:])
	}
	b.First, b.Last, b.Transition = make([]goldilocks.Element, rows), make([]goldilocks.Element, rows),
		make([]goldilocks.Element, rows)
	b.First[0], b.Last[rows-1] = 1, 1
	for row := range rows - 1 {
		b.Transition[row] = 1
	}
	for _, column := range table.Periodic {
		repeated := make([]goldilocks.Element, rows)
		for row := range repeated {
			repeated[row] = column.Values[row%len(column.Values)]
		}
		b.Periodic = append(b.Periodic, repeated)
	}
	return b
}

// BenchmarkConstraints evaluates the constraints of a table on random columns,
// one core, in blocks.
func BenchmarkConstraints(b *testing.B) {
	const rows = 1 << 12
	for _, table := range mustProgram(b).Machine().Tables[:tableXor] {
		trace := air.Trace{Main: randomColumns(len(table.Main), rows)}
		public := randomColumns(1, publicCount)[0]
		whole := blockOf(table, trace, public, randomWeights(len(table.Constraints)))
		compiled := tape.Compile(table, tape.ConstraintPart)
		for _, size := range []int{64, 128, 256, 512, 1024} {
			b.Run(fmt.Sprintf("%s/block=%d", table.Name, size), func(b *testing.B) {
				evaluator := compiled.NewEvaluator(size)
				block := &tape.Block{Public: public, Weights: whole.Weights, Periodic: whole.Periodic}
				cut := func(dst, src [][]goldilocks.Element, at int) [][]goldilocks.Element {
					dst = dst[:0]
					for _, column := range src {
						dst = append(dst, column[at:])
					}
					return dst
				}
				runs := 0
				for b.Loop() {
					for at := 0; at+size < rows; at += size {
						block.Main, block.NextMain = cut(block.Main, whole.Main, at), cut(block.NextMain, whole.NextMain, at)
						block.First, block.Last, block.Transition = whole.First[at:], whole.Last[at:], whole.Transition[at:]
						evaluator.Run(block, size)
						runs++
					}
				}
				perRow := float64(b.Elapsed().Nanoseconds()) / float64(runs*size)
				b.ReportMetric(perRow, "ns/row")
				b.ReportMetric(perRow/float64(compiled.Steps()), "ns/step/row")
				b.ReportMetric(float64(compiled.Steps()), "steps")
				b.ReportMetric(float64(compiled.Registers()), "registers")
			})
		}
	}
}

// BenchmarkFill generates the traces of 682 permutations of a random file. The limit is writing the columns once:
// write-only clears them.
func BenchmarkFill(b *testing.B) {
	e := executed(b, run.Input{Size: 682, Seed: 1, MinLogHeight: 8})
	for table, width := range map[int]int{tableSponge: width(tableSponge), tablePermutation: width(tablePermutation)} {
		columns := make([][]goldilocks.Element, width)
		for c := range columns {
			columns[c] = make([]goldilocks.Element, 1<<e.Instances()[table].LogHeight)
		}
		for _, workers := range []int{1, 0} {
			pool := parallel.New(workers)
			b.Run(fmt.Sprintf("table=%d/workers=%d", table, pool.Workers()), func(b *testing.B) {
				for b.Loop() {
					if err := defined.fillers.Tables[table].Fill(pool, e, table, columns); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/682, "ns/permutation")
			})
			b.Run(fmt.Sprintf("write-only/table=%d/workers=%d", table, pool.Workers()), func(b *testing.B) {
				for b.Loop() {
					pool.For(width, 1, func(lo, hi int) {
						for c := lo; c < hi; c++ {
							clear(columns[c])
						}
					})
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/682, "ns/permutation")
			})
		}
	}
}

// BenchmarkExecute is the host phase: absorbing the file.
func BenchmarkExecute(b *testing.B) {
	data := randomBytes(682*rateBytes - 1)
	for b.Loop() {
		executed(b, run.Input{Data: data, MinLogHeight: 8})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/682, "ns/permutation")
}
