package generate

import "github.com/chiasmus/chiasmus/prover/air"

// difference is a weighed root a b + c - d, or its negation. The writer adds c - d to the product a b before its
// reduction, and moves the sign to the weight.
type difference struct {
	product, plus, minus int
	negative             bool
}

// difference matches a root that no step reads. It returns nil for a root of another form.
func (f *shape) difference(root int) *difference {
	uses, s := f.uses(), f.steps[root]
	if s.op != air.Sub || uses[root] > 1 || s.a == s.b {
		return nil
	}
	for _, order := range []struct {
		sum, other int
		negative   bool
	}{{s.a, s.b, false}, {s.b, s.a, true}} {
		sum := f.steps[order.sum]
		if sum.op != air.Add || uses[order.sum] > 1 || sum.a == sum.b {
			continue
		}
		for _, product := range []int{sum.a, sum.b} {
			if f.isProduct(product) && uses[product] == 1 {
				return &difference{product, f.other(order.sum, product), order.other, order.negative}
			}
		}
	}
	return nil
}

// signed returns a root's weight, negated if the root is a negated difference.
func (f *shape) signed(j int, w Weight) Weight {
	if d := f.difference(f.roots[j]); d != nil && d.negative {
		w.Coefficient = w.Coefficient.Neg()
	}
	return w
}

// weighed returns the expression of a root, or of its negation if signed negates the weight.
func (w *writer) weighed(j int) string {
	root := w.shape.roots[j]
	d := w.shape.difference(root)
	if d == nil || w.values != nil && w.values[d.product].text != "" {
		return w.value(root)
	}
	product := w.shape.steps[d.product]
	a, b := w.value(product.a), w.value(product.b)
	w.values[root] = w.define(root, false, "multiply_add(%s, %s, %s)", a, b, w.minus(d.plus, d.minus))
	return w.values[root].text
}

// minus returns the expression of a - b, which may be a step.
func (w *writer) minus(a, b int) string {
	for i, s := range w.shape.steps {
		if s.op == air.Sub && s.a == a && s.b == b {
			return w.value(i)
		}
	}
	return "subtract_words(" + w.value(a) + ", " + w.canonical(b) + ")"
}
