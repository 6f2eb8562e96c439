package generate

import "github.com/chiasmus/chiasmus/prover/air"

// exclusiveOr is a packed position of the form x (1 - 2y) + y, in which one operand, a, is a product, and b is the
// other. With a' = a - 1/2 the value is a' - 2 a' b + 1/2. Adding a constant to a product is free, and neither 1 - 2y
// nor b by itself is needed. The halves are added up by starting the sum with 1/2 and subtracting 1/2 at the end,
// because 2 (s + 1/2) is 2s + 1/2 + 1/2.
//
// If several positions share a', it is multiplied by the position's power of two before it is reduced, which takes five
// shifts. The products with it are then added up whole, without Horner's rule, in seven instructions each, and the
// halves of a part's positions are added up in advance.
type exclusiveOr struct{ a, b int }

// exclusiveOrs returns the exclusive ors by position, nil for positions of another form. A step that is used as a' has
// no other reader, so it is computed once.
func (s slots) exclusiveOrs(shape *shape) []*exclusiveOr {
	found := make([]*exclusiveOr, len(s.packed))
	if s.doubly != 1 {
		return found
	}
	uses, addends := shape.uses(), s.addends(shape)
	forms := make([]*xorForm, len(s.packed))
	for j, root := range shape.roots {
		if s.packed[j] {
			forms[j] = shape.xorForm(root, uses)
		}
	}
	for j, form := range forms {
		switch {
		case form == nil:
		case shape.isProduct(form.y) && form.readsAll(forms, uses):
			found[j] = &exclusiveOr{form.y, form.x}
		case shape.isProduct(form.x) && addends[j] < 0 && uses[form.x] == 1:
			found[j] = &exclusiveOr{form.x, form.y}
		}
	}
	return found
}

// own returns the exclusive ors whose a' belongs to one position.
func own(xors []*exclusiveOr, addends []int) []*exclusiveOr {
	list := make([]*exclusiveOr, len(xors))
	for j, xor := range xors {
		if addends[j] < 0 {
			list[j] = xor
		}
	}
	return list
}

// terms returns the terms of a position that does not share a'.
func (x *exclusiveOr) terms() []term {
	return []term{
		{step: x.a, factor: x.b, coefficient: -2, half: true},
		{step: x.a, factor: -1, coefficient: 1, half: true},
	}
}

// isProduct reports whether a step is a product that multiply_add computes.
func (f *shape) isProduct(i int) bool { return f.steps[i].op == air.Mul && f.small(f.steps[i]) < 0 }

// xorForm is the steps of x (1 - 2y) + y.
type xorForm struct{ x, y, doubled, complement int }

// xorForm matches a root that no step reads.
func (f *shape) xorForm(root int, uses []int) *xorForm {
	sum := f.steps[root]
	if sum.op != air.Add || uses[root] > 1 {
		return nil
	}
	for _, operands := range [2][2]int{{sum.a, sum.b}, {sum.b, sum.a}} {
		product, y := f.steps[operands[0]], operands[1]
		if product.op != air.Mul || uses[operands[0]] > 1 {
			continue
		}
		for _, factors := range [2][2]int{{product.a, product.b}, {product.b, product.a}} {
			if f.complement(factors[0]) == y {
				return &xorForm{factors[1], y, f.steps[factors[0]].b, factors[0]}
			}
		}
	}
	return nil
}

// readsAll reports whether only exclusive ors with this y read y.
func (x *xorForm) readsAll(forms []*xorForm, uses []int) bool {
	count := 0
	for _, other := range forms {
		if other != nil && other.y == x.y {
			count++
		}
	}
	return uses[x.doubled] == 1 && uses[x.complement] == count && uses[x.y] == count+2
}
