package generate

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// fraction is an interaction of a batch: its multiplicity, less than nothing where it receives, over its message's
// fingerprint.
type fraction struct {
	*air.Interaction
	values Values // of the batch
	place  int    // of the multiplicity among them; the message's values follow
}

// fractionsOf are those of a batch. Of each interaction the values are the multiplicity and then the message.
func fractionsOf(t *air.Table, batch []int, values Values) []fraction {
	list, place := make([]fraction, len(batch)), 0
	for k, i := range batch {
		list[k] = fraction{&t.Interactions[i], values, place}
		place += 1 + len(t.Interactions[i].Values)
	}
	return list
}

// print writes alpha + bus + the sum of beta^j v_j, as Residues whose name it returns. challenges is an expression for
// alpha, beta, beta^2 and so on, three words each.
func (f fraction) print(s *Source, k int, challenges string) (name string) {
	name = fmt.Sprint("print", k)
	s.Line("Weighed %s_sum = weighed_message(%s, %du);", name, challenges, f.Bus.Index)
	for j := range f.Bus.Arity() {
		if word, constant := f.values.Constant(f.place + 1 + j); !constant || word != 0 {
			s.Line("weigh(%s_sum, %s, %s + %d);", name, f.values.Residue(f.place+1+j), challenges, 3*(j+1))
		}
	}
	end(s, name)
	return name
}

// negative says that the fraction is taken off the sum.
func (f fraction) negative() bool { return f.Kind == air.Receive }

// multiplicity is its expression, or that of minus it: any residue.
func (f fraction) multiplicity(negative bool) string {
	if !negative {
		return f.values.Residue(f.place)
	}
	if word, constant := f.values.Constant(f.place); constant {
		return literal(uint64(goldilocks.Element(word).Neg()))
	}
	return "GOLDILOCKS_P - " + f.values.Node(f.place)
}

// begin writes a sum that begins with the multiplicity, or minus it, times some Residues.
func (f fraction) begin(s *Source, sum string, negative bool, factor string) {
	if word, constant := f.values.Constant(f.place); !constant || word != 1 {
		s.Line("Weighed %s = weighed_zero();", sum)
		s.Line("add_product(%s, %s, %s);", sum, factor, f.multiplicity(negative))
		return
	}
	s.Line("Weighed %s = %s(%s);", sum, begun(negative), factor)
}

// begun is the function that begins a sum with something, or with minus it.
func begun(negative bool) string {
	if negative {
		return "weighed_less"
	}
	return "weighed_of"
}

// end reduces a sum to Residues of that name.
func end(s *Source, name string) { s.Line("Residues %s = residues_of(%s_sum);", name, name) }

// batchConstraint writes A D - N, where N/D is the sum of a batch's fractions and A the Factor column, as Residues
// whose name it returns: of the first fraction A d - m, and with each further one C d - m D, of what C and D are before
// it.
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

// multiplyDenominator multiplies Residues by Factor k.
func multiplyDenominator(s *Source, denominator string, k int) (name string) {
	name = fmt.Sprint("denominator", k)
	s.Line("Residues %s = multiply(%s, factor%d);", name, denominator, k)
	return name
}

// batchSum writes the sum N/D of a batch's fractions, as the variables numerator and denominator of type Fp3: of the
// first two m_0 d_1 + m_1 d_0 over d_0 d_1, and with each further one N d + m D over D d.
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
