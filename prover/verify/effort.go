package verify

import (
	"context"

	"github.com/chiasmus/chiasmus/prover/parallel"
)

// effort bounds a verification: the pool its goroutines, the context its time. The zero effort runs on the calling
// goroutine to the end.
type effort struct {
	ctx  context.Context
	pool *parallel.Pool
}

// unlimited is the effort of a verification that nobody limits.
func unlimited() effort { return effort{context.Background(), parallel.New(0)} }

// err is the context's error once the verification is to stop. Every step asks before it begins: on their own they
// take milliseconds.
func (e effort) err() error {
	if e.ctx == nil {
		return nil
	}
	return e.ctx.Err()
}
