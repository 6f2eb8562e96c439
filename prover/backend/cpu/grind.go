package cpu

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

// grindShare is how many nonces a worker tries at a time.
const grindShare = 1 << 12

// Grind tries nonces from 0 on, a share a worker. Shares are handed out in
// order and one below the best nonce found is always finished, so
// the result is the smallest, whatever the number of workers.
func (p *proof) Grind(seed [32]byte, bits int) (nonce, hashes uint64, err error) {
	err = p.order.Run(backend.StepGrind, func() error {
		if bits < 1 || bits > 63 {
			return fmt.Errorf("grind: %d bits, want 1 to 63", bits)
		}
		nonce = grind(p.pool, seed, bits)
		hashes = nonce + 1
		return nil
	})
	return nonce, hashes, err
}

// grind is the smallest nonce that passes.
func grind(pool *parallel.Pool, seed [32]byte, bits int) uint64 {
	var next, best atomic.Uint64
	best.Store(math.MaxUint64)
	pool.For(pool.Workers(), 1, func(int, int) {
		search := transcript.NewNonceSearch(seed, bits)
		for {
			first := next.Add(grindShare) - grindShare
			if first >= best.Load() {
				return
			}
			if found, ok := search.In(first, grindShare); ok {
				keepLeast(&best, found)
			}
		}
	})
	return best.Load()
}

// keepLeast lowers best to what was found, and never raises it: a worker may finish an earlier share later.
func keepLeast(best *atomic.Uint64, found uint64) {
	for old := best.Load(); found < old && !best.CompareAndSwap(old, found); old = best.Load() {
	}
}
