package gpu

import (
	"math/bits"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/hashing"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/tree"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// A lean proof keeps only the first coset s*H of the extensions of main and auxiliary columns, n entries a column.
// Openings, DEEP and half of the quotient read no other entries. It recomputes the other cosets where they are read:
// when rows are hashed, for the other half of the quotient, and for rows that are opened. At blowup 2 that takes ten
// transforms of n points a column instead of three, and half the memory for the columns. The proof's bytes are the
// same.

// leanPhases are the phases whose columns a lean proof keeps on one coset only.
var leanPhases = []protocol.Phase{protocol.Main, protocol.Auxiliary}

// isLean reports whether a proof, which is lean or not, keeps only one coset of a phase.
func isLean(phase protocol.Phase, lean bool) bool { return lean && slices.Contains(leanPhases, phase) }

// alwaysLean makes every proof lean. Tests set it.
var alwaysLean bool

// cosetPart maps the number of a coset to the index of its part of an extension, n entries, and back. Extensions are in
// bit-reversed order, so the map is its own inverse.
func cosetPart(number, logBlowup int) int {
	return int(bits.Reverse64(uint64(number)) >> 1 >> (63 - logBlowup))
}

// commitCosets hashes the rows coset by coset, in place. The first coset comes last, and its values remain.
func (p *proof) commitCosets(own *commitment, memory *commitMemory) error {
	logBlowup, widths := p.shape.Params.LogBlowup, map[int]int{}
	for _, height := range own.heights {
		logRows, n := height.logHeight+logBlowup, uint64(1)<<height.logHeight
		widths[logRows] = int(height.Count)
		for coset := 1<<logBlowup - 1; coset >= 0; coset-- {
			if err := p.nextCoset(height, coset, memory.coefficients.All()); err != nil {
				return err
			}
			rows := tree.Rows{Log: logRows, First: uint64(cosetPart(coset, logBlowup)) * n,
				Rows: hashing.Rows{Count: n, Segments: []kernels.Segment{height.Segment()}}}
			if err := p.trees().HashRows(p.device.Stream, own.tree, memory.joining, rows); err != nil {
				return err
			}
		}
	}
	return p.trees().HashNodes(own.tree, widths, memory.joining)
}

// nextCoset replaces values by those on the given coset. For the last coset the values are over the trace domain, else
// on coset+1. From values on coset k, with shift s*w^k, interpolation gives the coefficients of f(w^k x), and
// evaluating them on coset -1 gives the values of f on coset k-1.
func (p *proof) nextCoset(own heightColumns, coset int, scratch cuda.Span) error {
	last := 1<<p.shape.Params.LogBlowup - 1
	order, number := kernels.Reversed, -1
	if coset == last {
		order, number = kernels.Natural, last
	}
	return p.eachPart(own.Columns, own.logHeight, scratch, func(columns, work kernels.Columns, _ uint32) error {
		return p.evaluateCoset(columns, columns, work, own.logHeight, order, number)
	})
}

// evaluateCoset interpolates values on the trace domain (natural order) or on the first coset (reversed order), and
// evaluates on another coset. to and from may be the same.
func (p *proof) evaluateCoset(to, from, work kernels.Columns, logHeight int, order kernels.Order, coset int) error {
	stream := p.device.Stream
	err := p.transforms.Interpolate(stream, to, from, work, logHeight, order, order == kernels.Reversed)
	if err != nil {
		return err
	}
	return p.transforms.ExtendCoset(stream, to, to, logHeight, p.shape.Params.LogBlowup, coset)
}

// eachPart visits columns in batches, with scratch memory of the same size as the batch. first is the index of the
// batch's first column.
func (p *proof) eachPart(all kernels.Columns, logHeight int, scratch cuda.Span,
	visit func(columns, work kernels.Columns, first uint32) error) error {
	n := uint64(1) << logHeight
	step := uint32(coefficientColumns(n, int(all.Count), scratch.Size()))
	for first := uint32(0); first < all.Count; first += step {
		count := min(step, all.Count-first)
		columns, err := all.Part(first, count, n)
		if err != nil {
			return err
		}
		if err := visit(columns, kernels.Columns{Span: scratch, Stride: n, Count: count}, first); err != nil {
			return err
		}
	}
	return nil
}

// takeCosets takes the scratch memory for moving instances' columns to another coset.
func takeCosets(t *device.Taker, scope *cuda.Scope, shape *protocol.Shape) cuda.Span {
	scratch := uint64(0)
	for _, phase := range leanPhases {
		for _, matrix := range shape.Matrices(phase) {
			n := uint64(1) << matrix.LogHeight
			scratch = max(scratch, coefficientColumns(n, matrix.Width, coefficientBytes)*n*wordBytes)
		}
	}
	return t.Take(scope, "coefficients", scratch)
}

// turn moves an instance's columns, in place, from their coset to the one whose number is higher by coset.
func (p *proof) turn(i, coset int, scratch cuda.Span) error {
	logHeight := p.shape.Instances[i].LogHeight
	for _, phase := range leanPhases {
		own := p.phases[phase].of(i)
		if own.Count == 0 {
			continue
		}
		if err := p.eachPart(own, logHeight, scratch, func(columns, work kernels.Columns, _ uint32) error {
			return p.evaluateCoset(columns, columns, work, logHeight, kernels.Reversed, coset)
		}); err != nil {
			return err
		}
	}
	return nil
}

// sumSecondCoset does for the entries n to 2n what [proof.sumConstraints] does for the first n. It moves an instance's
// columns to the coset of those entries, and back.
func (p *proof) sumSecondCoset(memory *quotientMemory, first *generate.ExtendedRows, sums kernels.Columns,
	i int) error {
	n, coset := p.rows(i), cosetPart(1, p.shape.Params.LogBlowup)
	rows := *first
	if rows.PreprocessedColumns != 0 {
		rows.PreprocessedColumns += n * wordBytes
	}
	rows.Points += n * wordBytes
	rows.Inverses += n * wordBytes
	rows.PeriodicColumns += periodicWords(p.shape.Table(i), p.shape.Params.LogBlowup) * wordBytes
	rows.Vanishing[0], rows.Scale[0] = rows.Vanishing[1], rows.Scale[1]
	second, err := sums.Span.Part(n*wordBytes, sums.Span.Size()-n*wordBytes)
	if err != nil {
		return err
	}
	if err := p.turn(i, coset, memory.scratch); err != nil {
		return err
	}
	for _, kernel := range p.program.quotients[p.shape.Instances[i].Table].Kernels {
		if kernel.Low {
			continue // it works only on the first n entries
		}
		if err := p.launchQuotient(p.device.Stream, memory.bytes[i], kernel, &rows,
			kernels.Columns{Span: second, Stride: sums.Stride}, n); err != nil {
			return err
		}
	}
	return p.turn(i, -coset, memory.scratch)
}

// cosetOf computes a part of the extensions of columns from their values on the first coset.
func (p *proof) cosetOf(to, from kernels.Columns, scratch cuda.Span, logHeight, part int) error {
	coset := cosetPart(part, p.shape.Params.LogBlowup)
	return p.eachPart(from, logHeight, scratch, func(columns, work kernels.Columns, first uint32) error {
		own, err := to.Part(first, columns.Count, 1<<logHeight)
		if err != nil {
			return err
		}
		return p.evaluateCoset(own, columns, work, logHeight, kernels.Reversed, coset)
	})
}
