package generate

import (
	"fmt"
	"math/big"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// minSummed is the number of terms from which a sum is added up in three words, three additions a term and six for
// the residue, where sums of residues take five additions each.
const minSummed = 6

// summand is a term of a sum.
type summand struct {
	step     int
	negative bool
}

// sum splits a step into the terms of nested sums and differences, and a constant. It does not split nested steps that
// other steps read or that are already written.
func (w *writer) sum(i int) (terms []summand, constant goldilocks.Element) {
	var visit func(i int, negative, root bool)
	visit = func(i int, negative, root bool) {
		s := w.shape.steps[i]
		whole := !root && w.uses()[i] > 1 || w.values[i].text != "" || s.a == s.b
		switch {
		case s.op == air.Constant && negative:
			constant = constant.Sub(goldilocks.Element(s.value))
		case s.op == air.Constant:
			constant = constant.Add(goldilocks.Element(s.value))
		case (s.op == air.Add || s.op == air.Sub) && !whole:
			visit(s.a, negative, false)
			visit(s.b, negative != (s.op == air.Sub), false)
		default:
			terms = append(terms, summand{i, negative})
		}
	}
	visit(i, false, true)
	return terms, constant
}

// summed writes a sum plus a constant and returns its expression, or "" if the sum has fewer than minSummed terms.
func (w *writer) summed(i int, plus goldilocks.Element) string {
	terms, constant := w.sum(i)
	if len(terms) < minSummed {
		return ""
	}
	name := fmt.Sprintf("v%ds", i)
	w.source.Line("Lazy %s = %s;", name, lazyStart(terms, constant.Add(plus)))
	for _, t := range terms {
		verb := "add"
		if t.negative {
			verb = "subtract"
		}
		w.source.Line("%s_word(%s, %s);", verb, name, w.value(t.step))
	}
	return fmt.Sprintf("positive_residue(%s)", name)
}

// lazyStart returns the words of the constant plus the multiple of p that keeps the sum positive when the negative
// terms are subtracted.
func lazyStart(terms []summand, constant goldilocks.Element) string {
	p := new(big.Int).SetUint64(goldilocks.Modulus)
	total := new(big.Int).SetUint64(uint64(constant))
	if uint64(constant) > goldilocks.Modulus/2 {
		total.Sub(total, p)
	}
	for _, t := range terms {
		if t.negative { // below 2^64, and so below 2p
			total.Add(total, p).Add(total, p)
		}
	}
	if total.Sign() < 0 {
		total.Add(total, p)
	}
	word := func(k uint) uint64 { return new(big.Int).Rsh(total, 32*k).Uint64() & (1<<32 - 1) }
	return fmt.Sprintf("{%du, %du, %du}", word(0), word(1), word(2))
}

// cubic matches x (x - c) (x - 2c), whose factors no other step reads. It returns the step x and c; x is -1 if there is
// no match. With y = x - c the product is y (y^2 - c^2), which takes one difference fewer, and adding a constant to a
// product is free.
func (w *writer) cubic(i int) (x int, c goldilocks.Element) {
	product := w.shape.steps[i]
	if product.op != air.Mul {
		return -1, 0
	}
	var factors []int
	for _, j := range []int{product.a, product.b} {
		if s := w.shape.steps[j]; s.op == air.Mul && w.uses()[j] == 1 && len(factors) < 2 {
			factors = append(factors, s.a, s.b)
		} else {
			factors = append(factors, j)
		}
	}
	if len(factors) != 3 {
		return -1, 0
	}
	for k, x := range factors {
		first, second := factors[(k+1)%3], factors[(k+2)%3]
		c, okFirst := w.less(first, x)
		d, okSecond := w.less(second, x)
		if !okFirst || !okSecond || w.uses()[x] != 3 {
			continue
		}
		switch {
		case d == c.Add(c):
			return x, c
		case c == d.Add(d):
			return x, d
		}
	}
	return -1, 0
}

// less matches a step x - c that no other step reads, and returns c.
func (w *writer) less(i, x int) (c goldilocks.Element, ok bool) {
	s := w.shape.steps[i]
	if s.op != air.Sub || s.a != x || w.shape.steps[s.b].op != air.Constant || w.uses()[i] > 1 {
		return 0, false
	}
	return goldilocks.Element(w.shape.steps[s.b].value), true
}

// writeCubic writes a product that cubic has matched.
func (w *writer) writeCubic(i, x int, c goldilocks.Element) value {
	middle := w.summed(x, c.Neg())
	if middle == "" {
		middle = fmt.Sprintf("subtract_words(%s, %s)", w.value(x), literal(uint64(c)))
	}
	name := fmt.Sprintf("v%dm", i)
	w.source.Line("u64 %s = %s;", name, middle)
	return w.define(i, false, "multiply_residues(%s, multiply_add(%s, %s, %s))", name, name, name,
		literal(uint64(c.Mul(c).Neg())))
}
