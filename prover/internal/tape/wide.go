package tape

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// These steps take many vectors at once. Each has a kernel that accumulates in the processor's registers, and a
// portable form of block operations.

// plain runs steps of one operation on vectors, or on a vector and a scalar.
func (e *Evaluator) plain(steps []step) {
	if stepsKernel(e, steps) {
		return
	}
	v, scratch := e.vectors, e.scratch[:e.rows]
	for i := range steps {
		s := &steps[i]
		switch s.op {
		case vectorAdd:
			goldilocks.AddVector(v[s.dst], v[s.a], v[s.b])
		case vectorSub:
			goldilocks.SubVector(v[s.dst], v[s.a], v[s.b])
		case vectorMul:
			goldilocks.MulVector(v[s.dst], v[s.a], v[s.b])
		case vectorMulAdd:
			goldilocks.MulAddVector(v[s.dst], v[s.a], v[s.b], v[s.c])
		case scalarAdd:
			goldilocks.AddScalarVector(v[s.dst], v[s.a], e.uniform[s.b])
		case scalarSubtractFrom:
			goldilocks.SubFromScalarVector(v[s.dst], e.uniform[s.b], v[s.a])
		case scalarMul:
			goldilocks.ScaleVector(v[s.dst], v[s.a], e.uniform[s.b])
		case squareDifference:
			goldilocks.SubVector(v[s.dst], v[s.a], v[s.b])
			goldilocks.MulVector(v[s.dst], v[s.dst], v[s.dst])
		case signedXor:
			goldilocks.MulVector(scratch, v[s.a], v[s.b])
			goldilocks.AddVector(v[s.dst], v[s.a], v[s.b])
			goldilocks.SubVector(v[s.dst], v[s.dst], scratch)
			goldilocks.SubVector(v[s.dst], v[s.dst], scratch)
		case sumTerms:
			e.sum(v[s.dst], e.tape.terms[s.a:s.a+s.b+s.c], int(s.b))
		}
	}
}

// sum adds the first plus terms and subtracts the others.
func (e *Evaluator) sum(dst []goldilocks.Element, terms []int32, plus int) {
	clear(dst)
	for _, term := range terms[:plus] {
		goldilocks.AddVector(dst, dst, e.vectors[term])
	}
	for _, term := range terms[plus:] {
		goldilocks.SubVector(dst, dst, e.vectors[term])
	}
}

// pack runs a packing.
func (e *Evaluator) pack(s *step) {
	p := &e.tape.packs[s.a]
	dst := e.vectors[s.dst]
	if p.start >= 0 {
		copy(dst, e.vectors[p.start])
	} else {
		clear(dst)
	}
	if packKernel(s.op, dst, e.addresses, p.terms) {
		return
	}
	scratch := e.scratch[:len(dst)]
	arity := termArity(s.op)
	for i := 0; i < len(p.terms); i += arity {
		goldilocks.AddVector(dst, dst, dst)
		x, y := e.vectors[p.terms[i]], e.vectors[p.terms[i+1]]
		if s.op == packChi { // x + (z - yz) - 2x(z - yz)
			z := e.vectors[p.terms[i+2]]
			goldilocks.MulVector(scratch, y, z)
			goldilocks.SubVector(scratch, z, scratch)
			y = scratch
		}
		goldilocks.AddVector(dst, dst, x)
		goldilocks.AddVector(dst, dst, y)
		goldilocks.MulVector(scratch, x, y)
		goldilocks.SubVector(dst, dst, scratch)
		goldilocks.SubVector(dst, dst, scratch)
	}
}

// fold adds weighted constraints to their group's sum.
func (e *Evaluator) fold(number int) {
	f := &e.tape.folds[number]
	sum := e.sums[f.group]
	if foldKernel(sum, e.addresses, f, &e.weights, number) {
		return
	}
	scratch := e.scratch[:e.rows]
	for i, term := range f.terms {
		x := e.vectors[term]
		if i >= f.plain {
			goldilocks.MulVector(scratch, x, x)
			goldilocks.SubVector(scratch, scratch, x)
			x = scratch
		}
		sum.ScaleAdd(e.weights.values[f.constraints[i]], x)
	}
}
