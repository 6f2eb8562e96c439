package verify

import (
	"context"

	"github.com/chiasmus/chiasmus/prover/parallel"
)

// effort limits a verification: the pool limits its goroutines, the context its time. The zero effort runs on the
// calling goroutine without a time limit.
type effort struct {
	ctx  context.Context
	pool *parallel.Pool
}

// unlimited returns the effort of all processors without a time limit.
func unlimited() effort { return effort{pool: parallel.New(0)} }

// err returns the context's error, if any. Every step checks it before it begins; each step takes milliseconds.
func (e effort) err() error {
	if e.ctx == nil {
		return nil
	}
	return e.ctx.Err()
}
