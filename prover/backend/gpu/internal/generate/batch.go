package generate

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
)

// batches generates LogUp's constraints: A D - N for each batch, with N/D the sum of +-m/d over it and d = alpha + bus
// + sum of beta^j v_j. A is the batch's auxiliary column. The last batch's column is the running sum S; there A is the
// growth of S beyond the other batches plus a row's share of the claimed sum: S' - S - sum of the other columns +
// share.
func (g *quotientGenerator) batches() {
	t := g.table
	var items [2][]Item
	var numbers [2][]int
	for b, batch := range t.Batches {
		class := 0
		if air.IsLow(t.BatchDegree(b), g.transitions(batch)) {
			class = 1
		}
		item := Item{Extra: []uint32{uint32(3 * b)}}
		if b == len(t.Batches)-1 {
			item.Key = "last "
		}
		for _, i := range batch {
			interaction := t.Interactions[i]
			item.Key += fmt.Sprintf("%s %d,", interaction.Kind, interaction.Bus.Index)
			item.Nodes = append(append(item.Nodes, interaction.Multiplicity), interaction.Values...)
		}
		items[class] = append(items[class], item)
		numbers[class] = append(numbers[class], b)
	}
	for class := range items {
		runs := findRuns(g.shaper, items[class])
		for len(runs) > 0 {
			count, values := 0, 0
			for count < len(runs) && (count == 0 || values+runs[count].values() <= kernelValues) {
				values += runs[count].values()
				count++
			}
			g.batchKernel(runs[:count], numbers[class], class == 1)
			runs = runs[count:]
		}
	}
}

// kernelValues bounds the multiplicities and message values of the forms of one kernel, unless a single form has more.
// A kernel of several forms lets each thread read and write its sums once.
const kernelValues = 48

// values returns the number of multiplicities and message values of one repetition.
func (r *Run) values() int { return len(r.shape.roots) }

// transitions bounds how often the transition selector is multiplied into a batch's numerator.
func (g *quotientGenerator) transitions(batch []int) int {
	count := 0
	for _, i := range batch {
		if g.table.Reads(g.table.Interactions[i].Multiplicity).Any(air.Transition) {
			count = 2
		}
	}
	return count
}

// maxArity returns the largest number of values in a message of the table. The challenges hold alpha and then this
// number of powers of beta.
func maxArity(t *air.Table) int {
	arity := 0
	for _, interaction := range t.Interactions {
		arity = max(arity, interaction.Bus.Arity())
	}
	return arity
}

// batchKernel writes a kernel for batches of some forms.
func (g *quotientGenerator) batchKernel(runs []*Run, numbers []int, low bool) {
	total := size{}
	for _, run := range runs {
		total = total.add(sizeOf(run))
	}
	blocks, add := batchBlocks, g.weighFingerprints
	if len(runs) > 1 {
		blocks, add = formsBlocks, g.weighConstraints
	} else if len(runs[0].items) >= longLoop {
		blocks = formsBlocks
	}
	s := g.open(low, total, blocks)
	s.Line("Weighed total = weighed_zero();")
	for _, run := range runs {
		g.runs++
		add(s, run, numbers)
	}
	s.Line("add_to_sums(row, total, row.scale());")
	s.Line("}")
}

// weighConstraints adds up the constraints of batches of one form.
func (g *quotientGenerator) weighConstraints(s *Source, run *Run, numbers []int) {
	first := len(g.quotient.Weights)
	for _, item := range run.items {
		g.weigh(Weight{Constraint: g.batchNumber(numbers[item]), Coefficient: 1})
	}
	g.writeBatches(s, run, numbers, func(fractions []fraction, index string) {
		constraint := batchConstraint(s, fractions, "column", "rows.challenges")
		s.Line("add_product(total, %s, factor(extension_at(rows.weights, %d + %s)));", constraint, first, index)
	})
}

// weighFingerprints is weighConstraints with weights for the parts of each batch's first message, which saves a quarter
// of the arithmetic. But these weights must be loaded, and in a kernel of several forms they occupy the registers of
// the values that the forms share.
func (g *quotientGenerator) weighFingerprints(s *Source, run *Run, numbers []int) {
	first, batch := len(g.quotient.Weights), g.table.Batches[numbers[run.items[0]]]
	for _, item := range run.items {
		for _, w := range weightsOf(g.batchNumber(numbers[item]), g.table.Interactions[batch[0]].Bus) {
			g.weigh(w)
		}
	}
	each := (len(g.quotient.Weights) - first) / len(run.items)
	s.Line("Rest rest = rest_zero();")
	g.writeBatches(s, run, numbers, func(fractions []fraction, index string) {
		s.Line("const u64 *weights = rows.weights + 3 * (%d + %d * %s);", first, each, index)
		weighBatch(s, fractions, "column", "rows.challenges", "weights")
	})
	s.Line("add_rest(total, rest);")
}

// batchNumber returns the index of a batch's constraint.
func (g *quotientGenerator) batchNumber(batch int) int { return len(g.table.Constraints) + batch }

// writeBatches writes the loop over batches of one form: it reads each batch's column and then calls add.
func (g *quotientGenerator) writeBatches(s *Source, run *Run, numbers []int,
	add func(fractions []fraction, index string)) {
	batch, last := numbers[run.items[0]], len(g.table.Batches)-1
	run.WriteLazily(s, g.runName(), func(v Values) {
		column := fmt.Sprintf("auxiliary_at(row, %s)", v.Extra[0])
		if batch == last {
			column = fmt.Sprintf("running_step(row, %d, rows.challenges + %d)", last, 3*(1+maxArity(g.table)))
		}
		s.Line("Factor column = factor(%s);", column)
		add(fractionsOf(g.table, g.table.Batches[batch], v), v.Index)
	})
}
