package gpu

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/fri"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Deep computes the codewords of all classes. For one point the sum of coefficient*(f(x)-v)/(x-z) is
// (F(x)-F(z))/(x-z), where F is the sum of the columns times their coefficients: a polynomial of degree below n, as are
// the quotient and its sum with that for g*z. So all is computed on the first n entries only, and the sum is extended.
func (p *proof) Deep(coefficients backend.Openings) error {
	return p.step(backend.StepDeep, "deep", func(scope *cuda.Scope) error {
		return p.settle(p.deep(scope, &coefficients))
	})
}

func (p *proof) deep(scope *cuda.Scope, coefficients *backend.Openings) (err error) {
	if p.folding, err = fri.New(p.trees(), p.transforms, p.shape); err != nil {
		return err
	}
	memory, err := takeDeep(scope, countOpened(p.shape))
	if err != nil {
		return err
	}
	p.setCoefficients(memory.plan, coefficients)
	if err := p.upload(memory.list.All(), p.terms); err != nil {
		return err
	}
	if err := p.set.Combine(p.device.Stream, memory.plan, memory.sums.All(), p.columnBase(),
		memory.list.All()); err != nil {
		return err
	}
	quotients, err := memory.plan.AppendQuotients(nil, p.combinedValues(coefficients)) // beside the device
	if err != nil {
		return err
	}
	if err := p.upload(memory.quotients.All(), quotients); err != nil {
		return err
	}
	if err := p.set.Quotients(p.device.Stream, memory.plan, memory.sums.All(), p.points.Span,
		memory.quotients.All()); err != nil {
		return err
	}
	return p.codewords(memory)
}

// deepMemory is the working memory: the columns of all classes with their coefficients, in the order of p.opened, their
// combinations at both points on the first n entries, and what the combinations' quotients are of.
type deepMemory struct {
	plan                  *kernels.Combinations
	list, sums, quotients *cuda.Buffer
}

func takeDeep(scope *cuda.Scope, counts []openedCount) (*deepMemory, error) {
	plan, err := planDeep(counts)
	if err != nil {
		return nil, err
	}
	var t device.Taker
	m := &deepMemory{
		plan:      plan,
		list:      t.Buffer(scope, "DEEP coefficients", plan.ListBytes()),
		sums:      t.Buffer(scope, "combined columns", plan.SumsBytes()),
		quotients: t.Buffer(scope, "points of DEEP quotients", plan.QuotientsBytes()),
	}
	return m, t.Err
}

func planDeep(counts []openedCount) (*kernels.Combinations, error) {
	parts := make([]kernels.CombinePart, 0, len(counts))
	for _, count := range counts {
		parts = append(parts, kernels.CombinePart{Rows: count.rows(), Terms: count.columns, Both: count.both})
	}
	return kernels.PlanCombinations(parts)
}

// listTerms lists the columns for their combinations, without coefficients, which are drawn while the device waits.
func (p *proof) listTerms() error {
	plan, err := planDeep(countOpened(p.shape))
	if err != nil {
		return err
	}
	p.terms = plan.AppendList(make([]uint64, 0, plan.ListBytes()/wordBytes))
	for c := range p.opened {
		for i := range p.opened[c].list {
			p.terms = kernels.AppendTerm(p.terms, p.opened[c].list[i].offset, kernels.Extension{}, kernels.Extension{})
		}
	}
	return nil
}

// setCoefficients completes the list.
func (p *proof) setCoefficients(plan *kernels.Combinations, coefficients *backend.Openings) {
	words := p.terms[:len(plan.AppendList(nil))]
	for c := range p.opened {
		class := &p.opened[c]
		for i := range class.list {
			column := &class.list[i]
			own := column.of(coefficients)
			var next goldilocks.Extension
			if i < class.both {
				next = own.Next[column.next]
			}
			current := own.Current[column.current]
			words = kernels.AppendTerm(words, column.offset, kernelExtension(current), kernelExtension(next))
		}
	}
}

// combinedValues are the values of the classes' combinations at both points, by the columns' coefficients and openings.
func (p *proof) combinedValues(coefficients *backend.Openings) [][2]kernels.PointValue {
	all := make([][2]kernels.PointValue, 0, len(p.opened))
	for c := range p.opened {
		class := &p.opened[c]
		var values [2]goldilocks.Extension
		for i := range class.list {
			column := &class.list[i]
			by, opened := column.of(coefficients), column.of(&p.openings)
			values[0] = values[0].Add(by.Current[column.current].Mul(opened.Current[column.current]))
			if i < class.both {
				values[1] = values[1].Add(by.Next[column.next].Mul(opened.Next[column.next]))
			}
		}
		all = append(all, [2]kernels.PointValue{
			{Point: kernelExtension(p.z), Value: kernelExtension(values[0])},
			{Point: kernelExtension(nextPoint(p.z, class.logHeight)), Value: kernelExtension(values[1])},
		})
	}
	return all
}

// codewords extends the sums of quotients. That of the class with the most cells is extended beside the others, whose
// launches are short.
func (p *proof) codewords(memory *deepMemory) error {
	beside, err := p.device.Beside.Fork()
	if err != nil {
		return err
	}
	for i := range p.opened {
		stream := p.device.Stream
		if i == 0 {
			stream = beside
		}
		sum, err := memory.plan.First(memory.sums.All(), i)
		if err == nil {
			err = p.deepCodeword(stream, &p.opened[i], sum)
		}
		if err != nil {
			return errors.Join(err, p.device.Beside.Join())
		}
	}
	return p.device.Beside.Join()
}

// deepCodeword extends a class's sum of quotients, from the first n entries, to its codeword.
func (p *proof) deepCodeword(stream *cuda.Stream, class *openedClass, sum kernels.Columns) error {
	logBlowup := p.shape.Params.LogBlowup
	codeword := p.folding.Codeword(class.logHeight + logBlowup)
	work := kernels.Columns{Span: codeword.Span, Stride: class.rows(), Count: backend.ExtensionDegree}
	if err := p.transforms.Interpolate(stream, sum, sum, work, class.logHeight, kernels.Reversed, true); err != nil {
		return err
	}
	return p.transforms.Extend(stream, codeword, sum, class.logHeight, logBlowup)
}
