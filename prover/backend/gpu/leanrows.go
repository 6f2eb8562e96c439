package gpu

import (
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/tree"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// rowMemory is memory for the opened rows of a lean proof's phases, and for the cosets from which they are read.
type rowMemory struct {
	rows, numbers    cuda.Span // the part that no phase uses yet
	columns, scratch cuda.Span // a batch of columns on another coset
}

func takeRows(scope *cuda.Scope, shape *protocol.Shape) (*rowMemory, error) {
	var words, numbers, columns uint64
	for _, phase := range leanPhases {
		for _, matrix := range shape.Matrices(phase) {
			n := uint64(1) << matrix.LogHeight
			most := min(tree.MostRows, n<<shape.Params.LogBlowup)
			words += uint64(matrix.Width) * most
			numbers += most
			columns = max(columns, coefficientColumns(n, matrix.Width, coefficientBytes)*n*wordBytes)
		}
	}
	var t device.Taker
	m := &rowMemory{
		rows:    t.Take(scope, "opened rows of all cosets", words*wordBytes),
		numbers: t.Take(scope, "rows to open", numbers*wordBytes),
		columns: t.Take(scope, "columns on another coset", columns),
		scratch: t.Take(scope, "coefficients", columns),
	}
	return m, t.Err
}

// split removes the first words of a span, and returns them.
func split(span *cuda.Span, words uint64) (first cuda.Span, err error) {
	if first, err = span.Part(0, words*wordBytes); err == nil {
		*span, err = span.Part(words*wordBytes, span.Size()-words*wordBytes)
	}
	return first, err
}

// pickedRows are the rows of a phase that a plan opens, of every coset: matrices of only these rows, and a plan that
// opens them by their indices there.
type pickedRows struct {
	list []kernels.Columns // by matrix
	plan merkle.Plan
}

// pickRows computes the rows that a plan opens. It sorts them, so that the rows of one part of the extension are
// adjacent.
func (p *proof) pickRows(memory *rowMemory, phase protocol.Phase, plan *merkle.Plan) (*pickedRows, error) {
	matrices := p.shape.Matrices(phase)
	if len(plan.Rows) != len(matrices) {
		return nil, fmt.Errorf("a plan for %d matrices, the tree is over %d", len(plan.Rows), len(matrices))
	}
	picked := &pickedRows{list: make([]kernels.Columns, len(matrices)), plan: *plan}
	picked.plan.Rows = make([][]uint64, len(matrices))
	for k, matrix := range matrices {
		if len(plan.Rows[k]) > tree.MostRows {
			return nil, fmt.Errorf("a plan for %d rows, a lean proof opens %d", len(plan.Rows[k]), tree.MostRows)
		}
		sorted := slices.Sorted(slices.Values(plan.Rows[k]))
		for _, row := range plan.Rows[k] {
			at, _ := slices.BinarySearch(sorted, row)
			picked.plan.Rows[k] = append(picked.plan.Rows[k], uint64(at))
		}
		count := uint64(len(sorted))
		span, err := split(&memory.rows, count*uint64(matrix.Width))
		if err != nil {
			return nil, err
		}
		picked.list[k] = kernels.Columns{Span: span, Stride: count, Count: uint32(matrix.Width)}
		if err := p.pickMatrix(memory, picked.list[k], p.phases[phase].list[matrix.Index], matrix.LogHeight,
			sorted); err != nil {
			return nil, err
		}
	}
	return picked, nil
}

// pickMatrix picks the rows of one matrix, part by part of its extension.
func (p *proof) pickMatrix(memory *rowMemory, to, from kernels.Columns, logHeight int, sorted []uint64) error {
	numbers, err := split(&memory.numbers, uint64(len(sorted)))
	if err != nil || len(sorted) == 0 {
		return err
	}
	words := make([]uint64, len(sorted))
	for i, row := range sorted {
		words[i] = row & (1<<logHeight - 1)
	}
	if err := p.upload(numbers, words); err != nil {
		return err
	}
	for part := range 1 << p.shape.Params.LogBlowup {
		lo, _ := slices.BinarySearch(sorted, uint64(part)<<logHeight)
		hi, _ := slices.BinarySearch(sorted, uint64(part+1)<<logHeight)
		if lo == hi {
			continue
		}
		first, count := uint64(lo), uint64(hi-lo)
		listed, errListed := numbers.Part(first*wordBytes, count*wordBytes)
		span, errSpan := to.Span.Part(first*wordBytes, to.Span.Size()-first*wordBytes)
		if err := errors.Join(errListed, errSpan); err != nil {
			return err
		}
		rows := kernels.Columns{Span: span, Stride: to.Stride, Count: to.Count}
		if err := p.pickPart(memory, rows, from, logHeight, part, listed); err != nil {
			return err
		}
	}
	return nil
}

// pickPart picks rows of one part of the extension, in batches of columns.
func (p *proof) pickPart(memory *rowMemory, to, from kernels.Columns, logHeight, part int, numbers cuda.Span) error {
	return p.eachPart(from, logHeight, memory.scratch, func(columns, work kernels.Columns, first uint32) error {
		own, err := to.Part(first, columns.Count, numbers.Size()/wordBytes)
		if err != nil {
			return err
		}
		if part > 0 {
			again := kernels.Columns{Span: memory.columns, Stride: columns.Stride, Count: columns.Count}
			if err := p.cosetOf(again, columns, work.Span, logHeight, part); err != nil {
				return err
			}
			columns = again
		}
		return p.set.PickRows(p.device.Stream, own, columns, numbers, 1<<logHeight)
	})
}
