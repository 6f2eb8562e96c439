package generate

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
)

// neighbours are two packed positions that share a product: the exclusive ors of d and (1 - x) y, and of x and (1 - y)
// z, as in chi. With n = (1 - x)(1 - y) - 1/2
//
//	d + (1 - 2d)(1 - x) y is -(x + n) + 2 (x + n) d + 1/2, as (1 - x) y - 1/2 = -(x + n),
//	x + (1 - 2x)(1 - y) z is x + (y + 2n) z.
//
// Two additions, one with a doubling, replace the second product and its reduction. The halves of the first position
// are added up like those of other exclusive ors.
type neighbours struct {
	product    int // the step (1 - x) y, which no other step reads: its variable holds n instead
	notX, notY int // the steps 1 - x and 1 - y
	d, x, y, z int
}

// neighbour is one of the two positions.
type neighbour struct {
	*neighbours
	second bool
}

// andNot is a step (1 - x) y.
type andNot struct{ not, x, y int }

// andNot matches a product.
func (f *shape) andNot(i int) (andNot, bool) {
	s := f.steps[i]
	for _, factors := range [2][2]int{{s.a, s.b}, {s.b, s.a}} {
		not := f.steps[factors[0]]
		if s.op == air.Mul && not.op == air.Sub && f.steps[not.a].op == air.Constant && f.steps[not.a].value == 1 {
			return andNot{factors[0], not.b, factors[1]}, true
		}
	}
	return andNot{}, false
}

// neighbours pairs exclusive ors that are added up by Horner's rule. The result is by position; a position has at most
// one neighbour.
func (s slots) neighbours(shape *shape, xors []*exclusiveOr) []neighbour {
	found := make([]neighbour, len(xors))
	for j, first := range xors {
		for k, second := range xors {
			if first == nil || second == nil || j == k || found[j].neighbours != nil || found[k].neighbours != nil {
				continue
			}
			a, isFirst := shape.andNot(first.a)
			b, isSecond := shape.andNot(second.a)
			if isFirst && isSecond && b.x == a.y && second.b == a.x {
				shared := &neighbours{first.a, a.not, b.not, first.b, a.x, a.y, b.y}
				found[j], found[k] = neighbour{shared, false}, neighbour{shared, true}
			}
		}
	}
	return found
}

// add writes what a repetition adds to the position's sum.
func (n neighbour) add(to *Source, w *writer, sum string) {
	notX, notY := w.value(n.notX), w.value(n.notY)
	if w.values[n.product].text == "" {
		w.values[n.product] = w.define(n.product, false, "multiply_add(%s, %s, MINUS_HALF)", notX, notY)
	}
	neither := w.values[n.product].text
	if n.second {
		to.Line("shift_left(%s, 1);", sum)
		to.Line("add_word(%s, %s);", sum, w.value(n.x))
		to.Line("add_product(%s, add_twice(%s, %s), %s);", sum, w.value(n.y), neither, w.value(n.z))
		return
	}
	either := fmt.Sprintf("either%d", n.product)
	to.Line("const u64 %s = add_residue(%s, %s);", either, neither, w.canonical(n.x))
	to.Line("add_product(%s, %s, %s);", sum, either, w.value(n.d))
	to.Line("shift_left(%s, 1);", sum)
	to.Line("subtract_word(%s, %s);", sum, either)
}
