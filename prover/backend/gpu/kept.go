package gpu

import (
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// keptHeight is the columns of a height whose values over the trace domain are read later.
type keptHeight struct {
	logHeight int
	numbers   []uint64        // indices among the columns of the height
	columns   kernels.Columns // their values, dense
}

// keptHeights lists a phase's kept columns, height by height in the order of its matrices.
func keptHeights(shape *protocol.Shape, phase protocol.Phase) (kept []keptHeight) {
	if phase == protocol.Quotient {
		return nil
	}
	list := shape.Matrices(phase)
	logHeights, _ := heightsOf(list)
	own := map[int]*keptHeight{}
	before := map[int]uint64{} // number of columns seen, by log height
	kept = make([]keptHeight, len(logHeights))
	for i, logHeight := range logHeights {
		kept[i].logHeight = logHeight
		own[logHeight] = &kept[i]
	}
	for _, matrix := range list {
		height, first := own[matrix.LogHeight], before[matrix.LogHeight]
		for _, column := range protocol.KeptColumns(shape.Table(matrix.Index), phase) {
			height.numbers = append(height.numbers, first+uint64(column))
		}
		before[matrix.LogHeight] += uint64(matrix.Width)
	}
	return slices.DeleteFunc(kept, func(k keptHeight) bool { return len(k.numbers) == 0 })
}

// keptCount returns the number of columns of a phase that are kept.
func keptCount(shape *protocol.Shape, phase protocol.Phase) (count int) {
	if phase == protocol.Quotient {
		return 0
	}
	for _, matrix := range shape.Matrices(phase) {
		count += len(protocol.KeptColumns(shape.Table(matrix.Index), phase))
	}
	return count
}

// take finds memory for the kept columns. It uses the free part after the values of columns that are not extended yet,
// if there are enough such columns of that height, else memory of its own.
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

// keptNumbers returns the numbers of all heights.
func keptNumbers(list []keptHeight) (numbers []uint64) {
	for _, kept := range list {
		numbers = append(numbers, kept.numbers...)
	}
	return numbers
}

// takeKept takes memory for the kept columns, from a scope or from the free part of unextended, which may be nil.
func takeKept(scope *cuda.Scope, unextended *matrices, list []keptHeight) ([]keptHeight, error) {
	var t device.Taker
	for i := range list {
		list[i].take(&t, scope, unextended)
	}
	return list, t.Err
}

// takeKept takes memory for the kept main columns, in the free part of the auxiliary columns, which it takes for that.
func (p *mainColumns) takeKept() ([]keptHeight, error) {
	if p.shape.Present(protocol.Auxiliary) {
		if err := p.columns(protocol.Auxiliary); err != nil {
			return nil, err
		}
	}
	return takeKept(p.kept, p.phases[protocol.Auxiliary], p.keeping)
}

// keepColumns copies the kept columns' values over the trace domain.
func (p *proof) keepColumns(own *commitment, list []keptHeight, memory *commitMemory,
	phase protocol.Phase) error {
	if len(list) == 0 {
		return nil
	}
	if err := p.upload(memory.indices.All(), keptNumbers(list)); err != nil {
		return err
	}
	before := uint64(0)
	for _, kept := range list {
		count, n := uint64(len(kept.numbers)), uint64(1)<<kept.logHeight
		numbers, err := memory.indices.Span(before*wordBytes, count*wordBytes)
		if err != nil {
			return err
		}
		before += count
		at := slices.IndexFunc(own.heights, func(h heightColumns) bool { return h.logHeight == kept.logHeight })
		if err := p.set.CopyColumns(p.device.Stream, kept.columns, own.heights[at].Columns, numbers, n); err != nil {
			return err
		}
	}
	return own.bindKept(p.shape, list, phase)
}

// bindKept finds the kept columns of every matrix. The kept columns of a height are consecutive, in the order of its
// matrices.
func (c *commitment) bindKept(shape *protocol.Shape, list []keptHeight, phase protocol.Phase) (err error) {
	c.kept = make([][]kernels.Columns, len(c.list))
	next := map[int]uint32{} // by log height
	for _, matrix := range shape.Matrices(phase) {
		at := slices.IndexFunc(list, func(k keptHeight) bool { return k.logHeight == matrix.LogHeight })
		for _, column := range protocol.KeptColumns(shape.Table(matrix.Index), phase) {
			if c.kept[matrix.Index] == nil {
				c.kept[matrix.Index] = make([]kernels.Columns, matrix.Width)
			}
			values, n := list[at].columns, uint64(1)<<matrix.LogHeight
			c.kept[matrix.Index][column], err = values.Part(next[matrix.LogHeight], 1, n)
			if err != nil {
				return err
			}
			next[matrix.LogHeight]++
		}
	}
	return nil
}
