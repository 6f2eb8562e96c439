package ntt

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/chiasmus/chiasmus/prover/parallel"
)

// phase is a step of a transform over several columns, each of which falls into
// pieces that are independent of each other. A phase begins when the one before
// has ended.
type phase struct {
	pieces int // of a column
	grain  int // pieces that must be taken together
	body   func(w *workspace, column, lo, hi int)
}

// phaseState is how far the workers are in a phase, in grains.
type phaseState struct {
	taken, done atomic.Int64
}

// logShare is the number of entries, each counted once a transform, from which
// a further worker is worth waking: some 60 microseconds of work.
const logShare = 14

// runPhases runs phases over columns, in all so many transforms of entries.
// Workers go from phase to phase together: transforms of few columns are over in
// less time than it takes to wake all workers for every phase.
func runPhases(pool *parallel.Pool, columns, transformed int, phases []phase) {
	workers := min(pool.Workers(), transformed>>logShare)
	if workers <= 1 {
		w := workspaces.Get().(*workspace)
		for _, p := range phases {
			for column := range columns {
				p.body(w, column, 0, p.pieces)
			}
		}
		workspaces.Put(w)
		return
	}
	states := make([]phaseState, len(phases))
	var failed atomic.Bool
	pool.For(workers, 1, func(lo, hi int) {
		ended := false
		defer func() {
			if !ended {
				failed.Store(true) // a panic: let the others go
			}
		}()
		w := workspaces.Get().(*workspace)
		for i := range phases {
			phases[i].work(w, &states[i], columns, workers)
			if !states[i].wait(int64(columns*phases[i].pieces/phases[i].grain), &failed) {
				break
			}
		}
		workspaces.Put(w)
		ended = true
	})
}

// work takes pieces until none are left.
func (p *phase) work(w *workspace, state *phaseState, columns, workers int) {
	perColumn := p.pieces / p.grain
	total := columns * perColumn
	step := max(total/(workers*piecesPerWorker), 1)
	for {
		lo := int(state.taken.Add(int64(step))) - step
		if lo >= total {
			return
		}
		hi := min(lo+step, total)
		for at := lo; at < hi; {
			column := at / perColumn
			end := min(hi, (column+1)*perColumn)
			p.body(w, column, at%perColumn*p.grain, (end-column*perColumn)*p.grain)
			at = end
		}
		state.done.Add(int64(hi - lo))
	}
}

// piecesPerWorker is how many times a worker takes pieces of a phase on average.
const piecesPerWorker = 4

// spins is how often a worker looks whether a phase is over before it sleeps in
// between: some 200 microseconds' worth, longer than a piece takes.
const spins = 2000

// wait waits for the end of a phase of total grains, and says whether it came.
func (s *phaseState) wait(total int64, failed *atomic.Bool) bool {
	for i := 0; s.done.Load() < total; i++ {
		switch {
		case failed.Load():
			return false
		case i < spins:
			runtime.Gosched()
		default:
			time.Sleep(50 * time.Microsecond)
		}
	}
	return true
}
