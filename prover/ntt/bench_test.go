package ntt

import (
	"fmt"
	"testing"

	gnark "github.com/consensys/gnark-crypto/field/goldilocks"
	"github.com/consensys/gnark-crypto/field/goldilocks/fft"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// uniformColumns is random data without the edges that tests add.
func uniformColumns(count, n int) [][]element {
	r := newRand(100)
	columns := make([][]element, count)
	for i := range columns {
		columns[i] = make([]element, n)
		for j := range columns[i] {
			columns[i][j] = element(r.Uint64N(goldilocks.Modulus))
		}
	}
	return columns
}

func perColumn(b *testing.B, columns int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(columns)/1e6, "ms/column")
}

// BenchmarkForward transforms 2^20 coefficients: one column beside
// gnark-crypto's transform, and a batch of 16, on one and two workers.
func BenchmarkForward(b *testing.B) {
	const log = 20
	b.Run("gnark", func(b *testing.B) {
		column := make([]gnark.Element, 1<<log)
		for i, e := range uniformColumns(1, 1<<log)[0] {
			column[i] = gnark.NewElement(uint64(e))
		}
		domain := fft.NewDomain(1 << log)
		for b.Loop() {
			domain.FFT(column, fft.DIF, fft.WithNbTasks(1))
		}
		perColumn(b, 1)
	})
	for _, count := range []int{1, 16} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("columns=%d/workers=%d", count, workers), func(b *testing.B) {
				columns := uniformColumns(count, 1<<log)
				pool := parallel.New(workers)
				for b.Loop() {
					Forward(pool, columns)
				}
				perColumn(b, count)
			})
		}
	}
}

// BenchmarkExtend extends columns to twice their length.
func BenchmarkExtend(b *testing.B) {
	for _, c := range []struct{ log, columns int }{{10, 256}, {14, 64}, {19, 8}} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("log=%d/columns=%d/workers=%d", c.log, c.columns, workers), func(b *testing.B) {
				columns := uniformColumns(c.columns, 2<<c.log)
				pool := parallel.New(workers)
				for b.Loop() {
					Extend(pool, columns, 1)
				}
				perColumn(b, c.columns)
			})
		}
	}
}
