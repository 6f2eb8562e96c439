package gpu

import (
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/device"
)

// keptHeight are, of the columns of a height, those whose values over the trace domain are read later.
type keptHeight struct {
	logHeight int
	before    uint64          // how many columns of earlier heights are kept
	numbers   []uint64        // among the columns of the height
	columns   kernels.Columns // their values, dense
}

// keptHeights lists a phase's kept columns, height by height in the order of its matrices.
func keptHeights(shape *backend.Shape, phase backend.Phase) (kept []keptHeight) {
	if phase == backend.Quotient {
		return nil
	}
	list := shape.Matrices(phase)
	logHeights, _ := heightsOf(list)
	before := uint64(0)
	for _, logHeight := range logHeights {
		own, first := keptHeight{logHeight: logHeight, before: before}, uint64(0)
		for _, matrix := range list {
			if matrix.LogHeight != logHeight {
				continue
			}
			for _, column := range backend.KeptColumns(shape.Table(matrix.Index).Table, phase) {
				own.numbers = append(own.numbers, first+uint64(column))
			}
			first += uint64(matrix.Width)
		}
		if len(own.numbers) > 0 {
			kept = append(kept, own)
		}
		before += uint64(len(own.numbers))
	}
	return kept
}

// take finds memory for the kept columns: behind the values of columns that are not extended yet, if there are enough
// of that height, or else of its own.
func (k *keptHeight) take(t *device.Taker, scope *cuda.Scope, unextended *matrices) {
	n, count := uint64(1)<<k.logHeight, uint32(len(k.numbers))
	if unextended != nil {
		for _, own := range unextended.heights {
			if own.logHeight != k.logHeight || own.Count < count || own.Stride < 2*n {
				continue
			}
			if span, err := own.Span.Part(n*wordBytes, own.Span.Size()-n*wordBytes); err == nil {
				k.columns = kernels.Columns{Span: span, Stride: own.Stride, Count: count}
				return
			}
		}
	}
	k.columns = kernels.Columns{Stride: n, Count: count}
	k.columns.Span = t.Take(scope, "kept columns", n*wordBytes*uint64(count))
}

// keptNumbers are those of all heights.
func keptNumbers(list []keptHeight) (numbers []uint64) {
	for _, kept := range list {
		numbers = append(numbers, kept.numbers...)
	}
	return numbers
}

// takeKept takes memory for what is kept of a phase, from a scope or behind columns that are not extended yet, which
// may be nil.
func takeKept(scope *cuda.Scope, unextended *matrices, shape *backend.Shape,
	phase backend.Phase) ([]keptHeight, error) {
	list, t := keptHeights(shape, phase), device.Taker{}
	for i := range list {
		list[i].take(&t, scope, unextended)
	}
	return list, t.Err
}

// takeKept takes memory for what is kept of a phase: of main columns behind the auxiliary ones, which are taken for
// that.
func (p *proof) takeKept(phase backend.Phase) (err error) {
	var unextended *matrices
	if phase == backend.Main && p.shape.Present(backend.Auxiliary) {
		if err := p.columns(backend.Auxiliary); err != nil {
			return err
		}
		unextended = p.phases[backend.Auxiliary].matrices
	}
	own := p.phases[phase]
	if own.keptHeights, err = takeKept(p.kept, unextended, p.shape, phase); err != nil {
		return err
	}
	return own.bindKept(p.shape, phase)
}

// sendKeptNumbers sends which columns are kept.
func (p *proof) sendKeptNumbers(own *commitment, memory *extensionMemory) error {
	if memory.indices == nil {
		return nil
	}
	return p.upload(memory.indices.All(), keptNumbers(own.keptHeights))
}

// columnRun are columns of a height that follow one another, of whole matrices.
type columnRun struct {
	height          int // its number among the heights
	first, count    uint32
	kept, keptCount uint32 // the first kept one's number among those of the height, and how many they are
}

// unextended are the columns that are not extended yet, and count as extended from now on: of some matrices, or with
// nil of all.
func (c *commitment) unextended(shape *backend.Shape, phase backend.Phase,
	some func(index int) bool) (runs []columnRun) {
	if c.extended == nil {
		c.extended = make([]bool, len(c.list))
	}
	for number, height := range c.heights {
		next := columnRun{height: number}
		for _, matrix := range shape.Matrices(phase) {
			if matrix.LogHeight != height.logHeight {
				continue
			}
			kept := uint32(0)
			if phase != backend.Quotient {
				kept = uint32(len(backend.KeptColumns(shape.Table(matrix.Index).Table, phase)))
			}
			if c.extended[matrix.Index] || some != nil && !some(matrix.Index) {
				runs = next.end(runs)
				next.first, next.kept = next.first+uint32(matrix.Width), next.kept+kept
				continue
			}
			c.extended[matrix.Index] = true
			next.count, next.keptCount = next.count+uint32(matrix.Width), next.keptCount+kept
		}
		runs = next.end(runs)
	}
	return runs
}

// extendedAt reports whether the columns of an instance, or class, are extended.
func (c *commitment) extendedAt(index int) bool { return c.extended != nil && c.extended[index] }

// end appends a run that has columns, and begins the next one behind it.
func (r *columnRun) end(runs []columnRun) []columnRun {
	if r.count > 0 {
		runs = append(runs, *r)
	}
	r.first, r.kept = r.first+r.count, r.kept+r.keptCount
	r.count, r.keptCount = 0, 0
	return runs
}

// keepColumns copies the values over the trace domain of those that are kept.
func (p *proof) keepColumns(own *commitment, memory *extensionMemory, runs []columnRun) error {
	for _, run := range runs {
		if run.keptCount == 0 {
			continue
		}
		height := own.heights[run.height]
		at := slices.IndexFunc(own.keptHeights, func(k keptHeight) bool { return k.logHeight == height.logHeight })
		kept, n := &own.keptHeights[at], uint64(1)<<height.logHeight
		to, err := kept.columns.Part(run.kept, run.keptCount, n)
		if err != nil {
			return err
		}
		numbers, err := memory.indices.Span((kept.before+uint64(run.kept))*wordBytes, uint64(run.keptCount)*wordBytes)
		if err != nil {
			return err
		}
		if err := p.set.CopyColumns(p.device.Stream, to, height.Columns, numbers, n); err != nil {
			return err
		}
	}
	return nil
}

// bindKept finds the kept columns of every matrix: those of a height lie behind each other, in the order of its
// matrices.
func (c *commitment) bindKept(shape *backend.Shape, phase backend.Phase) (err error) {
	c.kept = make([]map[int]kernels.Columns, len(c.list))
	next := map[int]uint32{} // by log height
	if len(c.keptHeights) == 0 {
		return nil
	}
	for _, matrix := range shape.Matrices(phase) {
		at := slices.IndexFunc(c.keptHeights, func(k keptHeight) bool { return k.logHeight == matrix.LogHeight })
		for _, column := range backend.KeptColumns(shape.Table(matrix.Index).Table, phase) {
			if c.kept[matrix.Index] == nil {
				c.kept[matrix.Index] = map[int]kernels.Columns{}
			}
			values, n := c.keptHeights[at].columns, uint64(1)<<matrix.LogHeight
			c.kept[matrix.Index][column], err = values.Part(next[matrix.LogHeight], 1, n)
			if err != nil {
				return err
			}
			next[matrix.LogHeight]++
		}
	}
	return nil
}
