package cpu

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// proverContext is the backend's context: a shape and the memory for it.
type proverContext struct {
	backend *Backend
	pool    *parallel.Pool
	shape   backend.Shape
	tables  []*tableProgram
	points  []goldilocks.Element // of the largest extension domain, see fillPoints
	free    [backend.PhaseCount]*slab
	closed  bool

	mappings  *mappings
	workspace *workspace
}

// Prepare compiles the machine's graphs, makes the domain's points and takes the
// memory of the first proof, each on cores that the others leave idle.
func (b *Backend) Prepare(shape backend.Shape) (backend.Context, error) {
	if len(shape.LogHeights) != len(shape.Machine.Tables) {
		return nil, fmt.Errorf("prepare: %d heights for %d tables", len(shape.LogHeights), len(shape.Machine.Tables))
	}
	shape.LogHeights = slices.Clone(shape.LogHeights)
	shape.Schedule = slices.Clone(shape.Schedule)
	c := &proverContext{backend: b, pool: b.pool, shape: shape, mappings: new(mappings)}
	runtime.AddCleanup(c, (*mappings).release, c.mappings)
	var compiled sync.WaitGroup
	compiled.Go(func() { c.tables = c.newPrograms() })
	for _, phase := range []backend.Phase{backend.Main, backend.Auxiliary} {
		c.free[phase] = c.newSlab(phase, c.allocate(slabElements(&c.shape, phase)))
	}
	c.workspace = newWorkspace(c.allocate(workspaceElements(&c.shape)))
	c.points = make([]goldilocks.Element, 1<<(slices.Max(shape.LogHeights)+shape.LogBlowup))
	fillPoints(c.points)
	compiled.Wait()
	if b.once {
		debug.FreeOSMemory() // of what compiling left, which is more than it made
	}
	return c, nil
}

// context checks that a context is this backend's and open.
func (b *Backend) context(h backend.Context) (*proverContext, error) {
	c, ok := h.(*proverContext)
	if !ok || c.backend != b {
		return nil, fmt.Errorf("context %T: %w", h, backend.ErrForeignHandle)
	}
	if c.closed {
		return nil, errors.New("cpu: the context is closed")
	}
	return c, nil
}

// fillPoints sets x[i] to the point s*w^rev(i) of entry i of an extension
// domain. Bit k of i stands for the root of order 2^(k+1), whatever the size.
func fillPoints(x []goldilocks.Element) {
	x[0] = goldilocks.Generator
	for logSize := 1; 1<<logSize <= len(x); logSize++ {
		half := 1 << (logSize - 1)
		goldilocks.ScaleVector(x[half:2*half], x[:half], goldilocks.RootOfUnity(logSize))
	}
}

// take returns a phase's slab: the context's own, unless another proof's handle
// still holds it. What is in it is left over from earlier proofs.
func (c *proverContext) take(phase backend.Phase) *slab {
	if memory := c.free[phase]; memory != nil {
		c.free[phase] = nil
		return memory
	}
	return c.newSlab(phase, c.allocate(slabElements(&c.shape, phase)))
}

// height is the number of a table's rows.
func (c *proverContext) height(table int) int { return 1 << c.shape.LogHeights[table] }

// classes are the different log heights, descending.
func classes(shape *backend.Shape) []int {
	heights := slices.Clone(shape.LogHeights)
	slices.Sort(heights)
	slices.Reverse(heights)
	return slices.Compact(heights)
}

// blocks calls body on blocks of at most block entries that cover [0, n), in
// parallel.
func (c *proverContext) blocks(n, block int, body func(lo, hi int)) {
	c.pool.For(n, block, func(lo, hi int) {
		for start := lo; start < hi; start += block {
			body(start, min(start+block, hi))
		}
	})
}

// PredictedPeak adds up the slabs, what is kept, the trees and the largest of
// the working sets of the stages.
func (c *proverContext) PredictedPeak() uint64 {
	return PredictPeak(&c.shape)
}
