package cpu

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/ntt"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Deep computes the codewords of all classes. For one point z, the sum of coefficient*(f(x)-v)/(x-z) over the columns f
// is (F(x)-F(z))/(x-z), where F is the sum of the columns times their coefficients. This is a polynomial of degree
// below n, so Deep computes it on the first n entries and then extends it.
func (p *opened) Deep(coefficients protocol.Coefficients) (backend.Codeword, error) {
	all, _ := coefficients.Draw()
	if err := p.checkCoefficients(all); err != nil {
		return nil, err
	}
	next := &foldable{folding: &folding{proof: p.proof, joining: make(map[int]*codeword)}}
	for i, class := range p.shape.Classes {
		current, following := p.selectColumns(all, i)
		openedCurrent, openedNext := p.selectColumns(p.openings, i)
		made := p.deepCodeword(class.LogHeight,
			newCombination(p.z, current, openedCurrent),
			newCombination(p.z.MulBase(goldilocks.RootOfUnity(class.LogHeight)), following, openedNext))
		if i == 0 {
			next.current = made
		} else {
			next.joining[made.Len()] = made
		}
	}
	return next, nil
}

// checkCoefficients returns an error if the coefficients and openings differ in shape.
func (p *opened) checkCoefficients(coefficients protocol.Openings) error {
	for phase, entries := range p.openings {
		if len(coefficients[phase]) != len(entries) {
			return fmt.Errorf("cpu: deep: %s coefficients for %d entries, want %d", protocol.Phase(phase),
				len(coefficients[phase]), len(entries))
		}
		for i, entry := range entries {
			if have := coefficients[phase][i]; len(have.Current) != len(entry.Current) || len(have.Next) != len(entry.Next) {
				return fmt.Errorf("cpu: deep: %d and %d %s coefficients of entry %d, want %d and %d",
					len(have.Current), len(have.Next),
					protocol.Phase(phase), i, len(entry.Current), len(entry.Next))
			}
		}
	}
	return nil
}

// combination is F for one point: columns, their coefficients, and F(point) computed from the openings.
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

// deepCodeword returns the sum of (F(x)-F(point))/(x-point) over two points.
func (p *proof) deepCodeword(logHeight int, current, next *combination) *codeword {
	n := 1 << logHeight
	result := p.takeCodeword(n << p.shape.Params.LogBlowup)
	widest := max(len(current.columns), len(next.columns))
	blocks := newFreeList(func() *deepBlock { return newDeepBlock(widest) })
	inBlocks(p.pool, n, blockRows(p.pool, n, sumBlock), func(lo, hi int) {
		b := blocks.take()
		defer blocks.put(b)
		target, term := result.Slice(lo, hi), b.term.Slice(0, hi-lo)
		x := b.distances.at(p.points, lo, hi)
		b.divide(target, current, x, lo)
		b.divide(term, next, x, lo)
		target.Add(target, term)
	})
	ntt.ExtendCoset(p.pool, result.C[:], p.shape.Params.LogBlowup)
	return result
}

// deepBlock is the scratch memory of a worker for a block of rows.
type deepBlock struct {
	columns   [][]goldilocks.Element
	term      goldilocks.ExtensionVector
	distances *distanceBlock
}

func newDeepBlock(columns int) *deepBlock {
	return &deepBlock{make([][]goldilocks.Element, columns), goldilocks.NewExtensionVector(sumBlock),
		newDistanceBlock(sumBlock)}
}

// divide sets dst to (F(x)-F(point))/(x-point) in the rows of the points x, which start at lo.
func (b *deepBlock) divide(dst goldilocks.ExtensionVector, f *combination, x []goldilocks.Element, lo int) {
	dst.Fill(f.atPoint.Neg())
	bindCurrent(b.columns, f.columns, lo, lo+len(x))
	dst.AddCombination(f.coefficients, b.columns[:len(f.columns)])
	dst.Mul(dst, b.distances.inverses(x, f.point))
}
