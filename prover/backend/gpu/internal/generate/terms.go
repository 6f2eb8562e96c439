package generate

import "github.com/chiasmus/chiasmus/prover/air"

// term is a part of a packed position's value: a step, or the product of two, times plus or minus 1 or 2.
type term struct {
	step, factor int // factor is -1 for none
	coefficient  int
	half         bool // the step less a half, see exclusiveOr
}

// A sum by Horner's rule holds B 2^(s+1) 2^64 at most, where B bounds the terms of a position in units of 2^64 and s is
// the largest shift, and its third word is signed: B = 8 and s = 27 are the most.
const (
	hornerBits = 28
	placeBound = 8
)

// bound bounds the absolute value of a term, in units of 2^64. An unreduced product is between -1 and 2.
func (t term) bound() int {
	bound := max(t.coefficient, -t.coefficient)
	if t.factor >= 0 {
		bound *= 2
	}
	return bound
}

// doubled reports whether the coefficient is 2 or -2. Such a term is added before the sum is doubled.
func (t term) doubled() bool { return t.coefficient == 2 || t.coefficient == -2 }

// terms splits a step into terms that cost three additions each in an unreduced sum; the step's own sums and products
// would be reduced one by one. A step that other steps read stays whole. Doubled terms are for sums that are doubled
// from position to position.
func (f *shape) terms(root, doubly int) []term {
	e := expander{shape: f, uses: f.uses(), doubling: doubly == 1}
	e.expand(root, 1)
	total := 0
	for _, t := range e.list {
		total += t.bound()
	}
	if total > placeBound {
		return []term{{step: root, factor: -1, coefficient: 1}}
	}
	return e.list
}

// uses counts the readers of each step.
func (f *shape) uses() []int {
	uses := make([]int, len(f.steps))
	for _, root := range f.roots {
		uses[root]++
	}
	for _, s := range f.steps {
		if s.op.IsBinary() {
			uses[s.a]++
			uses[s.b]++
		}
		for _, term := range s.terms {
			uses[term]++
		}
	}
	return uses
}

type expander struct {
	shape    *shape
	uses     []int
	doubling bool
	list     []term
}

func (e *expander) expand(i, coefficient int) {
	s := e.shape.steps[i]
	switch {
	case e.uses[i] > 1:
		e.emit(term{step: i, factor: -1, coefficient: coefficient})
	case s.op == air.Add && s.a != s.b:
		e.expand(s.a, coefficient)
		e.expand(s.b, coefficient)
	case s.op == air.Sub:
		e.expand(s.a, coefficient)
		e.expand(s.b, -coefficient)
	case s.op == air.Mul:
		e.multiply(s, coefficient)
	default:
		e.emit(term{step: i, factor: -1, coefficient: coefficient})
	}
}

// multiply expands (1 - 2y) z, which occurs in exclusive ors, to z - 2 y z, which saves computing 1 - 2y.
func (e *expander) multiply(s step, coefficient int) {
	for _, operands := range [2][2]int{{s.a, s.b}, {s.b, s.a}} {
		if y := e.complement(operands[0]); y >= 0 {
			e.emit(term{step: operands[1], factor: -1, coefficient: coefficient})
			e.emit(term{step: y, factor: operands[1], coefficient: -2 * coefficient})
			return
		}
	}
	e.emit(term{step: s.a, factor: s.b, coefficient: coefficient})
}

// complement returns y if a step is 1 - 2y and no other step reads it, else -1.
func (e *expander) complement(i int) int {
	if !e.doubling || e.uses[i] > 1 {
		return -1
	}
	return e.shape.complement(i)
}

// complement returns y if a step is 1 - 2y, else -1.
func (f *shape) complement(i int) int {
	s := f.steps[i]
	if s.op != air.Sub {
		return -1
	}
	one, twice := f.steps[s.a], f.steps[s.b]
	if one.op != air.Constant || one.value != 1 || twice.op != air.Add || twice.a != twice.b {
		return -1
	}
	return twice.a
}

func (e *expander) emit(t term) { e.list = append(e.list, t) }
