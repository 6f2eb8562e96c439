package ntt

import (
	"sync/atomic"
	"testing"

	"github.com/chiasmus/chiasmus/prover/parallel"
)

// TestRunPhases counts how often each piece of each phase runs, and checks that no phase starts before the previous
// one has ended.
func TestRunPhases(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 16} {
		for _, columns := range []int{1, 3, 40} {
			var ended [3]atomic.Int64
			var hits [3][40][64]atomic.Int64
			var phases []phase
			for i, c := range []struct{ pieces, grain int }{{64, 8}, {5, 1}, {24, 8}} {
				phases = append(phases, phase{c.pieces, c.grain, func(_ *workspace, column, lo, hi int) {
					if lo%c.grain != 0 || hi%c.grain != 0 || lo >= hi || hi > c.pieces {
						t.Errorf("phase %d: range [%d, %d) of %d", i, lo, hi, c.pieces)
					}
					if i > 0 && ended[i-1].Load() != int64(columns*phases[i-1].pieces) {
						t.Errorf("phase %d began before phase %d ended", i, i-1)
					}
					for j := lo; j < hi; j++ {
						hits[i][column][j].Add(1)
					}
					ended[i].Add(int64(hi - lo))
				}})
			}
			runPhases(parallel.New(workers), columns, phases)
			for i := range phases {
				for column := range columns {
					for j := range phases[i].pieces {
						if n := hits[i][column][j].Load(); n != 1 {
							t.Fatalf("%d workers: phase %d ran piece %d of column %d %d times", workers, i, j, column, n)
						}
					}
				}
			}
		}
	}
}

// TestRunPhasesPanics checks that a panic reaches the caller and stops the remaining phases.
func TestRunPhasesPanics(t *testing.T) {
	for _, workers := range []int{1, 2, 16} {
		second := false
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d workers: no panic", workers)
				}
			}()
			runPhases(parallel.New(workers), 2, []phase{
				{8, 1, func(_ *workspace, column, lo, hi int) {
					if column == 1 && hi == 8 {
						panic("wrong")
					}
				}},
				{1, 1, func(*workspace, int, int, int) { second = true }},
			})
		}()
		if second {
			t.Errorf("%d workers: the second phase began after the first had failed", workers)
		}
	}
}
