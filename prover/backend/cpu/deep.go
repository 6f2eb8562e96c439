package cpu

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/ntt"
)

// Deep computes the codewords of all classes. For one point the sum of
// coefficient*(f(x)-v)/(x-z) is (F(x)-F(z))/(x-z), where F is the sum of the
// columns times their coefficients: a polynomial of degree below n, so it is
// summed up on the first n entries only and then extended itself.
func (p *proof) Deep(coefficients backend.Openings) error {
	return p.order.Run(backend.StepDeep, func() error {
		if err := p.checkCoefficients(coefficients); err != nil {
			return err
		}
		p.combine(coefficients)
		return nil
	})
}

func (p *proof) combine(coefficients backend.Openings) {
	p.joining = make(map[int]*codeword)
	for i, class := range p.shape.Classes {
		current, next := p.selectColumns(coefficients, i)
		openedCurrent, openedNext := p.selectColumns(p.openings, i)
		made := p.deepCodeword(class.LogHeight,
			newCombination(p.z, current, openedCurrent),
			newCombination(p.z.MulBase(goldilocks.RootOfUnity(class.LogHeight)), next, openedNext))
		if i == 0 {
			p.current = made
		} else {
			p.joining[made.Len()] = made
		}
	}
}

// checkCoefficients compares the shapes of coefficients and openings.
func (p *proof) checkCoefficients(coefficients backend.Openings) error {
	for phase, entries := range p.openings {
		if len(coefficients[phase]) != len(entries) {
			return fmt.Errorf("cpu: deep: %s coefficients for %d entries, want %d", backend.Phase(phase), len(coefficients[phase]), len(entries))
		}
		for i, entry := range entries {
			if have := coefficients[phase][i]; len(have.Current) != len(entry.Current) || len(have.Next) != len(entry.Next) {
				return fmt.Errorf("cpu: deep: %d and %d %s coefficients of entry %d, want %d and %d", len(have.Current), len(have.Next),
					backend.Phase(phase), i, len(entry.Current), len(entry.Next))
			}
		}
	}
	return nil
}

// combination is F for one point: columns, their coefficients, and F(point)
// from the openings.
type combination struct {
	point        goldilocks.Extension
	columns      [][]goldilocks.Element
	coefficients []goldilocks.Extension
	atPoint      goldilocks.Extension
}

func newCombination(point goldilocks.Extension, list, opened []weighed) *combination {
	f := &combination{point: point}
	for i, w := range list {
		f.columns = append(f.columns, w.column)
		f.coefficients = append(f.coefficients, *w.value)
		f.atPoint = f.atPoint.Add(w.value.Mul(*opened[i].value))
	}
	return f
}

// deepCodeword is the sum of (F(x)-F(point))/(x-point) over two points. Both F
// are extended in one batch.
func (p *proof) deepCodeword(logHeight int, current, next *combination) *codeword {
	n, size := 1<<logHeight, 1<<(logHeight+p.shape.Params.LogBlowup)
	result, second := p.takeCodeword(size), p.takeCodeword(size)
	defer p.workspace.give(&second.loan)
	type part struct {
		*combination
		sum goldilocks.ExtensionVector
	}
	parts := []part{{current, result.ExtensionVector}, {next, second.ExtensionVector}}
	rows := blockRows(p.pool, n, sumBlock)
	scratch := newFreeList(func() [][]goldilocks.Element { return make([][]goldilocks.Element, len(current.columns)) })
	inBlocks(p.pool, n, rows, func(lo, hi int) {
		columns := scratch.take()
		defer scratch.put(columns)
		for _, part := range parts {
			bindCurrent(columns, part.columns, lo, hi)
			block := part.sum.Slice(lo, hi)
			block.Fill(goldilocks.Extension{})
			block.AddCombination(part.coefficients, columns[:len(part.columns)])
		}
	})
	ntt.ExtendCoset(p.pool, append(result.C[:], second.C[:]...), p.shape.Params.LogBlowup)

	distances := newFreeList(func() *distanceBlock { return newDistanceBlock(sumBlock) })
	inBlocks(p.pool, size, sumBlock, func(lo, hi int) {
		b := distances.take()
		defer distances.put(b)
		for _, part := range parts {
			block := part.sum.Slice(lo, hi)
			block.AddScalar(block, part.atPoint.Neg())
			block.Mul(block, b.inverses(p.points[lo:hi], part.point))
		}
		target := result.Slice(lo, hi)
		target.Add(target, second.Slice(lo, hi))
	})
	return result
}
