package cpu

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// sumBlock is the number of rows in a block of the long sums over columns. The weights of a block stay in the
// first-level cache while the columns are streamed.
const sumBlock = 1 << 10

// Open evaluates columns by the barycentric formula on the coset s*H, the first n entries of an extension:
//
//	f(z) = (z^n - s^n) / (n s^n) * sum of f(x) x/(z-x) over x in s*H,
//
// so all columns of a height are dot products with the same weights.
func (p *committedStage) Open(z goldilocks.Extension) (protocol.Openings, backend.Opened, error) {
	next := &opened{proof: p.proof, z: z}
	for phase := range protocol.Phase(protocol.PhaseCount) {
		next.openings[phase] = make([]protocol.Opened, p.shape.Entries(phase))
		for i := range next.openings[phase] {
			current, following := p.shape.OpenedWidths(phase, i)
			next.openings[phase][i] = protocol.Opened{Current: make([]goldilocks.Extension, current),
				Next: make([]goldilocks.Extension, following)}
		}
	}
	for i, class := range p.shape.Classes {
		current, following := p.selectColumns(next.openings, i)
		p.evaluate(class.LogHeight, z, current)
		p.evaluate(class.LogHeight, z.MulBase(goldilocks.RootOfUnity(class.LogHeight)), following)
	}
	return next.openings, next, nil
}

// weighed is a committed column with a pointer to a value that belongs to it: its opening, or its DEEP coefficient.
type weighed struct {
	column []goldilocks.Element
	value  *goldilocks.Extension
}

// selectColumns lists the columns of a class with their values at z, and the next-row columns with their values at g*z.
func (p *proof) selectColumns(values protocol.Openings, class int) (current, next []weighed) {
	for phase := range protocol.Phase(protocol.PhaseCount) {
		if len(values[phase]) == 0 {
			continue
		}
		members := p.shape.Classes[class].Members
		if phase == protocol.Quotient {
			members = []int{class}
		}
		for _, i := range members {
			columns := p.phases[phase].columns[i]
			for j := range values[phase][i].Current {
				current = append(current, weighed{columns[j], &values[phase][i].Current[j]})
			}
			if phase == protocol.Quotient {
				continue
			}
			for k, j := range protocol.NextColumns(p.shape.Table(i), phase) {
				next = append(next, weighed{columns[j], &values[phase][i].Next[k]})
			}
		}
	}
	return current, next
}

// evaluate sets each value in the list to its column's value at a point.
func (p *proof) evaluate(logHeight int, point goldilocks.Extension, list []weighed) {
	if len(list) == 0 {
		return
	}
	n := 1 << logHeight
	lent := p.workspace.take(vectorElements(n))
	defer p.workspace.give(&lent)
	weights := lent.vector(n)
	distances := newFreeList(func() *distanceBlock { return newDistanceBlock(sumBlock) })
	inBlocks(p.pool, n, sumBlock, func(lo, hi int) {
		b := distances.take()
		defer distances.put(b)
		x := b.at(p.points, lo, hi)
		weights.Slice(lo, hi).MulBase(b.inverses(x, point), x)
	})
	// x/(z-x) is the negated weight.
	shiftPower := goldilocks.Generator.Exp(uint64(n))
	scale := goldilocks.FromBase(shiftPower).Sub(point.Exp(uint64(n))).
		MulBase(shiftPower.Mul(goldilocks.Element(n)).Inverse())
	p.pool.For(len(list), 8, func(lo, hi int) {
		for _, w := range list[lo:hi] {
			*w.value = goldilocks.Extension{}
		}
		for start := 0; start < n; start += sumBlock {
			end := min(start+sumBlock, n)
			block := weights.Slice(start, end)
			for _, w := range list[lo:hi] {
				*w.value = w.value.Add(block.Dot(w.column[start:end]))
			}
		}
		for _, w := range list[lo:hi] {
			*w.value = w.value.Mul(scale)
		}
	})
}

// distanceBlock computes 1/(x - z) for blocks of base points x and a point z outside the base field.
//
// With z1 and z2 the other conjugates of z, 1/(x-z) is (x-z1)(x-z2) divided by the norm of x-z. The norm is the minimal
// polynomial of z at x and lies in the base field. With the trace t of z and its norm v, (x-z1)(x-z2) is x^2 + (z-t) x
// + v/z. Only base elements are inverted.
type distanceBlock struct {
	x, norms, squares []goldilocks.Element
	result            goldilocks.ExtensionVector
}

// newDistanceBlock returns a distanceBlock for at most rows points.
func newDistanceBlock(rows int) *distanceBlock {
	return &distanceBlock{
		x:       make([]goldilocks.Element, rows),
		norms:   make([]goldilocks.Element, rows),
		squares: make([]goldilocks.Element, rows),
		result:  goldilocks.NewExtensionVector(rows),
	}
}

// at returns the points of entries lo to hi. They are valid until the next call.
func (b *distanceBlock) at(points *points, lo, hi int) []goldilocks.Element {
	x := b.x[:hi-lo]
	points.fill(x, lo)
	return x
}

// inverses returns 1/(x[i] - z). The result is valid until the next call.
func (b *distanceBlock) inverses(x []goldilocks.Element, z goldilocks.Extension) goldilocks.ExtensionVector {
	linear, constant, polynomial := conjugateQuotient(z)
	norms, squares, result := b.norms[:len(x)], b.squares[:len(x)], b.result.Slice(0, len(x))
	goldilocks.MulVector(squares, x, x)

	// The minimal polynomial by Horner's rule: its leading coefficient is 1.
	goldilocks.AddScalarVector(norms, x, polynomial[2])
	for _, coefficient := range []goldilocks.Element{polynomial[1], polynomial[0]} {
		goldilocks.MulVector(norms, norms, x)
		goldilocks.AddScalarVector(norms, norms, coefficient)
	}
	goldilocks.BatchInverse(norms, norms)

	for j, numerator := range result.C {
		goldilocks.ScaleVector(numerator, x, linear[j])
		goldilocks.AddScalarVector(numerator, numerator, constant[j])
	}
	goldilocks.AddVector(result.C[0], result.C[0], squares)
	result.MulBase(result, norms)
	return result
}

// conjugateQuotient returns the lower coefficients of the monic minimal polynomial of z, and the quotient of the
// polynomial by X - z, which is X^2 + linear X + constant.
func conjugateQuotient(z goldilocks.Extension) (linear, constant goldilocks.Extension,
	polynomial [3]goldilocks.Element) {
	// Dividing X^3 + p2 X^2 + p1 X + p0 by X - z gives X^2 + (p2+z) X + (p1 + p2 z + z^2). The minimal polynomial is the
	// characteristic polynomial of the matrix of multiplication by z, which determines its coefficients:
	//	trace 3 z0, norm z0^3 + 2 z1^3 + 4 z2^3 - 6 z0 z1 z2,
	//	sum of the principal minors 3 z0^2 - 6 z1 z2.
	three, six := goldilocks.Element(3), goldilocks.Element(6)
	trace := three.Mul(z[0])
	minors := three.Mul(z[0].Square()).Sub(six.Mul(z[1]).Mul(z[2]))
	cube := func(e goldilocks.Element) goldilocks.Element { return e.Square().Mul(e) }
	norm := cube(z[0]).Add(cube(z[1]).Double()).Add(cube(z[2]).Double().Double()).Sub(six.Mul(z[0]).Mul(z[1]).Mul(z[2]))
	polynomial = [3]goldilocks.Element{norm.Neg(), minors, trace.Neg()}
	linear = z.AddBase(polynomial[2])
	constant = z.MulBase(polynomial[2]).Add(z.Square()).AddBase(polynomial[1])
	return linear, constant, polynomial
}
