package generate

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// fraction is an interaction of a batch: its multiplicity, negated if it receives, over its message's fingerprint.
type fraction struct {
	*air.Interaction
	values   Values // of the batch
	position int    // of the multiplicity in values; the message's values follow
}

// fractionsOf returns the fractions of a batch. values holds each interaction's multiplicity, followed by its message.
func fractionsOf(t *air.Table, batch []int, values Values) []fraction {
	list, position := make([]fraction, len(batch)), 0
	for k, i := range batch {
		list[k] = fraction{&t.Interactions[i], values, position}
		position += 1 + len(t.Interactions[i].Values)
	}
	return list
}

// print writes the fingerprint alpha + bus + the sum of beta^j v_j as Residues, and returns their name. challenges is
// an expression for alpha, beta, beta^2 and so on, three words each.
func (f fraction) print(s *Source, k int, challenges string) (name string) {
	return f.sum(s, k, fmt.Sprintf("weighed_message(%s, %du)", challenges, f.Bus.Index), challenges, 1)
}

// weighedPrint writes the fingerprint times a weight. weights is an expression for the words that [weightsOf]
// describes.
func (f fraction) weighedPrint(s *Source, k int, weights string) (name string) {
	return f.sum(s, k, fmt.Sprintf("weighed_of(residues_at(%s + 3))", weights), weights, 2)
}

// sum writes a sum that starts with begin and adds the message's values, weighed by the elements of weights from
// position on.
func (f fraction) sum(s *Source, k int, begin, weights string, position int) (name string) {
	name = fmt.Sprint("print", k)
	s.Line("Weighed %s_sum = %s;", name, begin)
	for j := range f.Bus.Arity() {
		if word, constant := f.values.Constant(f.position + 1 + j); !constant || word != 0 {
			s.Line("weigh(%s_sum, %s, %s + %d);", name, f.values.Residue(f.position+1+j), weights, 3*(position+j))
		}
	}
	end(s, name)
	return name
}

// weightsOf returns the weights of a batch whose first fraction has a message on a bus: the constraint's, and its
// products with alpha + bus, beta, beta^2 and so on.
func weightsOf(constraint int, bus *air.Bus) []Weight {
	weight := Weight{Constraint: constraint, Coefficient: 1}
	list := []Weight{weight}
	weight.Challenge, weight.Bus = 1, bus.Index
	for range 1 + bus.Arity() {
		list = append(list, weight)
		weight.Challenge, weight.Bus = weight.Challenge+1, 0
	}
	return list
}

// once reports whether the multiplicity is 1 in all rows.
func (f fraction) once() bool {
	word, constant := f.values.Constant(f.position)
	return constant && word == 1
}

// negative reports whether the fraction is subtracted.
func (f fraction) negative() bool { return f.Kind == air.Receive }

// multiplicity returns the expression of the multiplicity, or of its negation: any residue.
func (f fraction) multiplicity(negative bool) string {
	if !negative {
		return f.values.Residue(f.position)
	}
	if word, constant := f.values.Constant(f.position); constant {
		return literal(uint64(goldilocks.Element(word).Neg()))
	}
	return "GOLDILOCKS_P - " + f.values.Node(f.position)
}

// begin writes a sum that starts with the multiplicity, or its negation, times the Residues factor.
func (f fraction) begin(s *Source, sum string, negative bool, factor string) {
	if !f.once() {
		s.Line("Weighed %s = weighed_zero();", sum)
		s.Line("add_product(%s, %s, %s);", sum, factor, f.multiplicity(negative))
		return
	}
	s.Line("Weighed %s = %s(%s);", sum, begun(negative), factor)
}

// begun returns the function that starts a sum with a value, or with its negation.
func begun(negative bool) string {
	if negative {
		return "weighed_less"
	}
	return "weighed_of"
}

// end reduces a sum to Residues with the given name.
func end(s *Source, name string) { s.Line("Residues %s = residues_of(%s_sum);", name, name) }

// batchConstraint writes A D - N, where N/D is the sum of a batch's fractions and A the Factor column, as Residues, and
// returns their name. It starts with C = A d - m and D = d of the first fraction. Each further fraction turns C into C
// d - m D, and D into D d.
func batchConstraint(s *Source, fractions []fraction, column, challenges string) (name string) {
	denominator := ""
	for k, f := range fractions {
		print, before := f.print(s, k, challenges), name
		name = fmt.Sprint("constraint", k)
		if k == 0 {
			s.Line("Weighed %s_sum = %s(%s);", name, begun(!f.negative()), f.multiplicity(false))
			s.Line("add_product(%s_sum, %s, %s);", name, print, column)
			end(s, name)
			denominator = print
			continue
		}
		f.begin(s, name+"_sum", !f.negative(), denominator)
		s.Line("Factor factor%d = factor(%s);", k, print)
		s.Line("add_product(%s_sum, %s, factor%d);", name, before, k)
		end(s, name)
		if k+1 < len(fractions) {
			denominator = multiplyDenominator(s, denominator, k)
		}
	}
	return name
}

// weighBatch adds w (A D - N), w the batch's weight, to the Weighed total and the Rest rest. The first fingerprint is
// computed times w, as a sum of w beta^j v_j, so that C = w (A d - m) and D = w d of the first fraction. Each further
// fraction turns C into C d - m D, and D into D d. Thus weighing takes no product of its own, and the last products are
// added up unreduced. weights is an expression for the words that [weightsOf] describes.
func weighBatch(s *Source, fractions []fraction, column, challenges, weights string) {
	first, last, weight := fractions[0], len(fractions)-1, fmt.Sprintf("residues_at(%s)", weights)
	denominator := first.weighedPrint(s, 0, weights)
	if last == 0 {
		first.add(s, weight, !first.negative())
		s.Line("add_product(total, %s, %s);", denominator, column)
		return
	}
	first.begin(s, "constraint0_sum", !first.negative(), weight)
	s.Line("add_product(constraint0_sum, %s, %s);", denominator, column)
	end(s, "constraint0")
	for k, f := range fractions {
		if k == 0 {
			continue
		}
		name, before := fmt.Sprint("constraint", k), fmt.Sprint("constraint", k-1)
		print := f.print(s, k, challenges)
		s.Line("Factor factor%d = factor(%s);", k, print)
		if k == last {
			f.add(s, denominator, !f.negative())
			s.Line("add_product(total, %s, factor%d);", before, k)
			return
		}
		f.begin(s, name+"_sum", !f.negative(), denominator)
		s.Line("add_product(%s_sum, %s, factor%d);", name, before, k)
		end(s, name)
		denominator = multiplyDenominator(s, denominator, k)
	}
}

// add adds the multiplicity, or its negation, times the Residues factor to the sum over all batches.
func (f fraction) add(s *Source, factor string, negative bool) {
	if !f.once() {
		s.Line("add_product(total, %s, %s);", factor, f.multiplicity(negative))
		return
	}
	call := "add"
	if negative {
		call = "take_off"
	}
	s.Line("%s(rest, %s);", call, factor)
}

// multiplyDenominator multiplies a denominator by Factor k, and returns the product's name.
func multiplyDenominator(s *Source, denominator string, k int) (name string) {
	name = fmt.Sprint("denominator", k)
	s.Line("Residues %s = multiply(%s, factor%d);", name, denominator, k)
	return name
}

// batchSum writes the sum N/D of a batch's fractions, as the variables numerator and denominator of type Fp3. The first
// two fractions give N = m_0 d_1 + m_1 d_0 and D = d_0 d_1. Each further fraction turns N into N d + m D, and D into D
// d.
func batchSum(s *Source, fractions []fraction, challenges string) {
	first, numerator := fractions[0], "numerator0"
	denominator := first.print(s, 0, challenges)
	if len(fractions) == 1 {
		s.Line("Fp3 numerator = fp3(canonical(%s)), denominator = canonical(%s);", first.multiplicity(first.negative()),
			denominator)
		return
	}
	for k, f := range fractions[1:] {
		k++
		print, before := f.print(s, k, challenges), numerator
		s.Line("Factor factor%d = factor(%s);", k, print)
		numerator = fmt.Sprint("numerator", k)
		if k == 1 {
			first.begin(s, numerator+"_sum", first.negative(), print)
			s.Line("add_product(%s_sum, %s, %s);", numerator, denominator, f.multiplicity(f.negative()))
		} else {
			f.begin(s, numerator+"_sum", f.negative(), denominator)
			s.Line("add_product(%s_sum, %s, factor%d);", numerator, before, k)
		}
		end(s, numerator)
		denominator = multiplyDenominator(s, denominator, k)
	}
	s.Line("Fp3 numerator = canonical(%s), denominator = canonical(%s);", numerator, denominator)
}
