package gpu

import (
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// proverContext is one shape on the device.
type proverContext struct {
	backend *Backend
	shape   backend.Shape
	pool    *parallel.Pool

	device     *cuda.Context
	stream     *cuda.Stream
	copies     *cuda.Stream
	arena      *cuda.Arena
	set        *kernels.Set
	transforms *kernels.Transforms
	fixed      *fixedMemory
	points     kernels.Columns // of the largest extension domain, see fillPoints
	peak       uint64
	closed     bool

	preprocessed *cuda.Scope // of the commitment that lives as long as the context; nil without one
}

// Prepare loads the machine's kernels, predicts the peak, checks that it fits and takes the arena.
func (b *Backend) Prepare(shape backend.Shape) (backend.Context, error) {
	if len(shape.LogHeights) != len(shape.Machine.Tables) {
		return nil, fmt.Errorf("prepare: %d heights for %d tables", len(shape.LogHeights), len(shape.Machine.Tables))
	}
	shape.LogHeights = slices.Clone(shape.LogHeights)
	shape.Schedule = slices.Clone(shape.Schedule)
	c := &proverContext{backend: b, shape: shape, pool: b.pool, device: b.device, stream: b.stream, copies: b.copies}
	if err := b.bound("prepare", c.open); err != nil {
		return nil, errors.Join(err, b.bound("prepare", c.close))
	}
	return c, nil
}

func (c *proverContext) open() (err error) {
	if c.peak, err = predictPeak(&c.shape, c.arenaOptions(0)); err != nil {
		return err
	}
	// Kernels and their local memory come before the arena, so that what is free then is free for it.
	if c.set, err = c.backend.kernels(c.shape.Machine); err != nil {
		return err
	}
	if err := c.admit(); err != nil {
		return err
	}
	if c.arena, err = cuda.NewArena(c.device, c.stream, c.arenaOptions(c.peak)); err != nil {
		return err
	}
	if c.fixed, err = takeFixed(c.arena, &c.shape); err != nil {
		return err
	}
	if c.transforms, err = kernels.NewTransforms(c.set, c.stream, c.fixed.scope, uint64(goldilocks.Generator)); err != nil {
		return err
	}
	return c.fillPoints()
}

// arenaOptions are those of the context's arena, and of its rehearsal.
func (c *proverContext) arenaOptions(budget uint64) cuda.ArenaOptions {
	checked := c.backend.options.Checked || c.backend.opened.device.Architecture == "softgpu_checked"
	return cuda.ArenaOptions{Budget: budget, Checked: checked}
}

// admit compares the predicted peak with what may be used.
func (c *proverContext) admit() error {
	free, total, err := c.device.MemoryInfo()
	if err != nil {
		return err
	}
	c.backend.meter.usedBefore = total - free
	have := free
	if c.backend.options.VRAM != 0 {
		have = min(have, c.backend.options.VRAM)
	}
	if c.peak > have {
		return &backend.MemoryError{NeedBytes: c.peak, HaveBytes: have}
	}
	return nil
}

// fillPoints sets x[i] to the point s*w^rev(i) of entry i of the largest extension domain. Bit k of i stands for the
// root of order 2^(k+1), so every smaller domain is a prefix.
func (c *proverContext) fillPoints() error {
	c.points = kernels.Columns{Span: c.fixed.points.All(), Stride: c.fixed.points.Size() / 8, Count: 1}
	return c.transforms.Points(c.stream, c.fixed.points.All(), maxLogSize(&c.shape))
}

// PredictedPeak is the arena's size.
func (c *proverContext) PredictedPeak() uint64 { return c.peak }

// close gives back what open took. After a sticky failure nothing is freed.
func (c *proverContext) close() error {
	if c.arena == nil {
		return nil
	}
	if err := c.backend.drain(); err != nil {
		return nil // and the failure is known as Lost
	}
	var err error
	if c.preprocessed != nil {
		err = c.preprocessed.End()
	}
	if c.fixed != nil {
		err = errors.Join(err, c.fixed.scope.End())
	}
	return errors.Join(err, c.arena.Close())
}

// context checks that a context is this backend's and open.
func (b *Backend) context(h backend.Context) (*proverContext, error) {
	c, ok := h.(*proverContext)
	if !ok || c.backend != b {
		return nil, fmt.Errorf("context %T: %w", h, backend.ErrForeignHandle)
	}
	if c.closed {
		return nil, errors.New("gpu: the context is closed")
	}
	return c, b.Lost()
}

// stage runs one stage: its working memory lives in the scope, which ends with it. After a failure the device is
// drained first, so that no queued work touches memory that is used again.
func (c *proverContext) stage(name string, work func(scope *cuda.Scope) error) error {
	return c.backend.bound(name, func() error {
		scope := c.arena.Scope(name)
		err := c.backend.meter.time(c, name, func() error { return work(scope) })
		if err != nil && c.backend.drain() != nil {
			return err // the memory stays taken
		}
		return errors.Join(err, scope.End())
	})
}

// settle waits for what a stage has queued, where it did not fail already. Stages that bring something back wait anyway; with
// the others waiting too, the host's time of a stage is that stage's, and a fault is reported where it happened.
func (c *proverContext) settle(err error) error {
	if err != nil {
		return err
	}
	return c.backend.transfer.synchronize()
}

func (c *proverContext) upload(to cuda.Span, words []uint64) error {
	return c.backend.transfer.upload(to, words)
}

// download waits for all queued work.
func (c *proverContext) download(from cuda.Span) ([]uint64, error) {
	return c.backend.transfer.download(from)
}

// height is the number of a table's rows.
func (c *proverContext) height(table int) uint64 { return 1 << c.shape.LogHeights[table] }

// classes are the different log heights, descending.
func classes(shape *backend.Shape) []int {
	heights := slices.Clone(shape.LogHeights)
	slices.Sort(heights)
	slices.Reverse(heights)
	return slices.Compact(heights)
}
