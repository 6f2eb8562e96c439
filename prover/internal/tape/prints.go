package tape

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// Prints are the weights for fingerprints of a tape's messages: one weight per value of each interaction. Values that
// are equal on all rows, such as the zeros of unused fields, are summed once.
type Prints struct {
	folds   []fold // by interaction, the values that vary between rows
	weights foldWeights
	starts  []goldilocks.Extension // by interaction, the sum of the uniform values
	halves  []uint64               // of the starts, six each
}

// NewPrints prepares fingerprints for public values. weigh returns a start value and the weights of interaction i, one
// per value.
func (t *Tape) NewPrints(public []goldilocks.Element,
	weigh func(i int) (start goldilocks.Extension, weights []goldilocks.Extension)) *Prints {
	uniform := make([]goldilocks.Element, len(t.uniform))
	t.evaluateUniform(public, uniform)
	p := &Prints{folds: make([]fold, len(t.interactions)), starts: make([]goldilocks.Extension, len(t.interactions))}
	var values []goldilocks.Extension
	for i, vectors := range t.interactions {
		start, weights := weigh(i)
		f := &p.folds[i]
		for k, vector := range vectors.values {
			if slot := vectors.slots[k]; slot >= 0 {
				start = start.Add(weights[k].MulBase(uniform[slot]))
				continue
			}
			f.terms, f.constraints = append(f.terms, vector), append(f.constraints, int32(len(values)))
			values = append(values, weights[k])
		}
		f.plain, p.starts[i] = len(f.terms), start
		if f.plain > 0 {
			f.terms = append(f.terms, f.terms[0])[:f.plain] // kernels load one past the end
		}
	}
	p.weights.cut(p.folds, values, fingerprintForm())
	for _, start := range p.starts {
		p.halves = appendHalves(p.halves, start)
	}
	return p
}

// Fingerprint sets dst to the fingerprint of interaction i in each row of the last run.
func (e *Evaluator) Fingerprint(dst goldilocks.ExtensionVector, prints *Prints, i int) {
	f := &prints.folds[i]
	if fingerprintKernel(dst, e.addresses, prints, i) {
		return
	}
	dst.Fill(prints.starts[i])
	for k, term := range f.terms {
		dst.ScaleAdd(prints.weights.values[f.constraints[k]], e.vectors[term])
	}
}
