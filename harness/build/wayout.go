package build

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/chiasmus/chiasmus/harness/egress"
)

// A wayOut is the network of an isolated step.
type wayOut struct {
	*egress.Gateway
	ctx    context.Context
	cancel context.CancelCauseFunc
}

// refusalDelay is how long a step that has reached nothing keeps running after its first connection was refused.
// Without a limit Cargo retries for minutes.
const refusalDelay = 5 * time.Second

// openWayOut opens the gateway. Its context ends if the step can reach nothing.
func openWayOut(ctx context.Context, delay time.Duration) (*wayOut, error) {
	w := &wayOut{}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	gateway, err := egress.Open(ctx, egress.Options{Refused: func(why string) {
		time.AfterFunc(delay, func() {
			if !w.Connected() {
				w.cancel(errors.New(why))
			}
		})
	}})
	if err != nil {
		w.cancel(err)
		return nil, err
	}
	w.Gateway = gateway
	return w, nil
}

// end closes the gateway, logs the refusals, and adds the first one to the error of a failed step.
func (w *wayOut) end(failed error, out io.Writer) error {
	refusals := w.Refusals()
	for _, one := range refusals {
		fmt.Fprintf(out, "note: %s\n", one)
	}
	if failed != nil && w.ctx.Err() == nil && len(refusals) > 0 {
		failed = fmt.Errorf("%w: %s", failed, refusals[0])
	}
	w.cancel(nil)
	return errors.Join(failed, w.Close())
}
