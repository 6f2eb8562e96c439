package ntt

import "github.com/chiasmus/chiasmus/prover/parallel"

// phase is a step of a transform over several columns, each of which consists of independent pieces.
type phase struct {
	pieces int // of a column
	grain  int // pieces that a worker must take together
	body   func(w *workspace, column, lo, hi int)
}

// runPhases runs phases over columns, one after another.
func runPhases(pool *parallel.Pool, columns int, phases []phase) {
	for _, p := range phases {
		perColumn := p.pieces / p.grain
		pool.For(columns*perColumn, 1, func(lo, hi int) {
			w := workspaces.Get().(*workspace)
			defer workspaces.Put(w)
			for lo < hi {
				column := lo / perColumn
				end := min(hi, (column+1)*perColumn)
				p.body(w, column, lo%perColumn*p.grain, (end-column*perColumn)*p.grain)
				lo = end
			}
		})
	}
}
