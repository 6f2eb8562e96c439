package cpu

import (
	"fmt"
	"runtime"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Backend proves on the host's cores.
type Backend struct {
	pool *parallel.Pool
	once bool
}

var _ backend.Backend = (*Backend)(nil)

// New returns a backend that runs its loops on the pool.
func New(pool *parallel.Pool) *Backend { return &Backend{pool: pool} }

// NewOnce returns a backend for a process that makes one proof: it lets go of
// memory as soon as the proof has no use for it, which lowers the peak. Another
// proof is made as well, but pays for its memory again.
func NewOnce(pool *parallel.Pool) *Backend { return &Backend{pool: pool, once: true} }

// Name is "cpu".
func (b *Backend) Name() string { return "cpu" }

// Device says on what and how many cores it runs.
func (b *Backend) Device() string {
	return fmt.Sprintf("%s/%s, %d workers", runtime.GOOS, runtime.GOARCH, b.pool.Workers())
}

// Gather opens a commitment or a layer.
func (b *Backend) Gather(ctx backend.Context, tree backend.Tree, plan *merkle.Plan) (merkle.Opening, error) {
	c, err := b.context(ctx)
	if err != nil {
		return merkle.Opening{}, err
	}
	switch handle := tree.(type) {
	case *commitment:
		if _, err := backend.Own[*commitment](c, "gather: commitment", handle); err != nil {
			return merkle.Opening{}, err
		}
		return handle.tree.Open(plan), nil
	default:
		own, err := backend.Own[*layer](c, "gather: layer", handle)
		if err != nil {
			return merkle.Opening{}, err
		}
		return own.tree.Open(plan), nil
	}
}

// Release gives handles back. Slabs return to the context.
func (b *Backend) Release(ctx backend.Context, handles ...backend.Handle) {
	c, err := b.context(ctx)
	if err != nil {
		return
	}
	for _, handle := range handles {
		switch handle := handle.(type) {
		case *columns:
			c.release(&handle.state, handle.slab)
		case *commitment:
			c.release(&handle.state, handle.slab, &handle.kept.loan)
		case *layer:
			c.release(&handle.state, nil, &handle.memory)
		case *codewords:
			c.release(&handle.state, nil, handle.loans()...)
		}
	}
}

// Close drops the context's memory. Its handles become invalid.
func (b *Backend) Close(ctx backend.Context) error {
	c, err := b.context(ctx)
	if err != nil {
		return err
	}
	c.closed = true
	c.free = [backend.PhaseCount]*slab{}
	c.workspace = newWorkspace(nil)
	c.mappings.release()
	c.points = nil
	return nil
}
