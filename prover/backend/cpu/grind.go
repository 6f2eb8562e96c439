package cpu

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// grindShare is the number of nonces that a worker tries at a time.
const grindShare = 1 << 12

// Grind tries nonces from 0 on. Workers take shares of nonces in increasing order, and every share below the best nonce
// found is finished. Therefore the result is the smallest nonce that passes, whatever the number of workers.
func (q *queries) Grind(seed [32]byte, bits int) (nonce, hashes uint64, err error) {
	grinding := protocol.GrindingOf(q.owner.params.Hash)
	if most := grinding.MaxBits(); bits < 1 || bits > most {
		return 0, 0, fmt.Errorf("grind: %d bits, want 1 to %d", bits, most)
	}
	nonce = grind(q.pool, func() protocol.NonceSearch { return grinding.NewSearch(seed, bits) })
	return nonce, nonce + 1, nil
}

// grind returns the smallest nonce that passes. Every worker creates its own search.
func grind(pool *parallel.Pool, newSearch func() protocol.NonceSearch) uint64 {
	var next, best atomic.Uint64
	best.Store(math.MaxUint64)
	pool.For(pool.Workers(), 1, func(int, int) {
		search := newSearch()
		for {
			first := next.Add(grindShare) - grindShare
			if first >= best.Load() {
				return
			}
			if found, ok := search(first, grindShare); ok {
				keepLeast(&best, found)
			}
		}
	})
	return best.Load()
}

// keepLeast lowers best to found, but never raises it: a worker may finish an earlier share later.
func keepLeast(best *atomic.Uint64, found uint64) {
	for old := best.Load(); found < old && !best.CompareAndSwap(old, found); old = best.Load() {
	}
}
