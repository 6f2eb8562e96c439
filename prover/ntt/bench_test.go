package ntt

import (
	"fmt"
	"testing"

	gnark "github.com/consensys/gnark-crypto/field/goldilocks"
	"github.com/consensys/gnark-crypto/field/goldilocks/fft"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// uniformColumns is random data without the edge cases that tests add.
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

// BenchmarkForward transforms coefficients: gnark-crypto's transform of one column of 2^20 on one core, then ours of
// one column and of batches, on one and two workers.
func BenchmarkForward(b *testing.B) {
	b.Run("gnark", func(b *testing.B) {
		const log = 20
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
	for _, c := range []struct{ log, columns int }{{20, 1}, {20, 16}, {16, 256}} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("log=%d/columns=%d/workers=%d", c.log, c.columns, workers), func(b *testing.B) {
				columns := uniformColumns(c.columns, 1<<c.log)
				pool := parallel.New(workers)
				for b.Loop() {
					ForwardCoset(pool, columns, 1)
				}
				perColumn(b, c.columns)
			})
		}
	}
}

// BenchmarkExtend extends columns to twice their length: three transforms of 2^log points. Their time per point and
// level should not depend on the size.
func BenchmarkExtend(b *testing.B) {
	for _, c := range []struct{ log, columns int }{{9, 512}, {12, 256}, {14, 64}, {15, 64}, {16, 32}, {17, 16},
		{18, 8}, {19, 4}, {20, 4}} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("log=%d/columns=%d/workers=%d", c.log, c.columns, workers), func(b *testing.B) {
				columns := uniformColumns(c.columns, 2<<c.log)
				pool := parallel.New(workers)
				for b.Loop() {
					Extend(pool, columns, 1)
				}
				perColumn(b, c.columns)
				points := float64(b.N) * float64(c.columns) * float64(int(1)<<c.log)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/points/float64(3*c.log), "ns/point/level")
			})
		}
	}
}

// BenchmarkFewColumns extends three columns from a coset on all cores, as DEEP does.
func BenchmarkFewColumns(b *testing.B) {
	for _, log := range []int{13, 15, 17} {
		b.Run(fmt.Sprintf("log=%d", log), func(b *testing.B) {
			columns := uniformColumns(3, 2<<log)
			pool := parallel.New(0)
			for b.Loop() {
				ExtendCoset(pool, columns, 1)
			}
			perColumn(b, 3)
		})
	}
}
