package gpu

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/fri"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Deep computes the codewords of all classes. For one point the sum of coefficient*(f(x)-v)/(x-z) is
// (F(x)-F(z))/(x-z), where F is the sum of the columns times their coefficients: a polynomial of degree below n, so it
// is summed up on the first n entries only and then extended itself. The sums for z and g*z read each column once.
func (p *proof) Deep(coefficients backend.Openings) error {
	return p.step(backend.StepDeep, "deep", func(scope *cuda.Scope) error {
		err := p.deep(scope, &coefficients)
		p.makeRoom() // behind what the device is to begin with
		return p.settle(err)
	})
}

func (p *proof) deep(scope *cuda.Scope, coefficients *backend.Openings) (err error) {
	if p.folding, err = fri.New(p.trees(), p.transforms, p.shape); err != nil {
		return err
	}
	memory, err := takeDeep(scope, p.shape)
	if err != nil {
		return err
	}
	for i := range p.opened {
		if err := p.deepClass(memory, &p.opened[i], coefficients); err != nil {
			return err
		}
	}
	return nil
}

// deepMemory is the working memory of one height: the list of columns with their coefficients, their combinations at
// both points, on the first n entries and extended.
type deepMemory struct {
	terms, sums, extended *cuda.Buffer
}

func takeDeep(scope *cuda.Scope, shape *backend.Shape) (*deepMemory, error) {
	var terms, sums, extended uint64
	for _, class := range shape.Classes {
		logHeight := class.LogHeight
		count, both := openedCounts(shape, logHeight)
		points := uint64(1)
		if both > 0 {
			points = 2
		}
		terms = max(terms, uint64(count)*kernels.TermWords*wordBytes)
		sums = max(sums, points*fri.Bytes(logHeight))
		extended = max(extended, points*fri.Bytes(logHeight+shape.Params.LogBlowup))
	}
	var t device.Taker
	m := &deepMemory{
		terms:    t.Buffer(scope, "DEEP coefficients", terms),
		sums:     t.Buffer(scope, "combined columns", sums),
		extended: t.Buffer(scope, "extended combinations", extended),
	}
	return m, t.Err
}

// deepClass computes the codeword of one height.
func (p *proof) deepClass(memory *deepMemory, class *openedClass, coefficients *backend.Openings) error {
	logHeight, both := class.logHeight, class.both
	logSize := logHeight + p.shape.Params.LogBlowup
	n, size := uint64(1)<<logHeight, uint64(1)<<logSize
	codeword := p.folding.Codeword(logSize)
	if len(class.list) == 0 {
		return p.device.Stream.Fill(codeword.Span, 0)
	}
	if err := p.uploadTerms(memory, class, coefficients); err != nil {
		return err
	}
	points := []goldilocks.Extension{p.z}
	if both > 0 {
		points = append(points, nextPoint(p.z, logHeight))
	}
	width := uint32(len(points)) * backend.ExtensionDegree
	sums := kernels.Columns{Span: memory.sums.All(), Stride: n, Count: width}
	work := kernels.Columns{Span: memory.extended.All(), Stride: n, Count: width}
	extended := kernels.Columns{Span: memory.extended.All(), Stride: size, Count: width}
	if err := p.combine(memory, sums, len(class.list), both, n); err != nil {
		return err
	}
	if err := p.transforms.Interpolate(p.device.Stream, sums, sums, work, logHeight, kernels.Reversed, true); err != nil {
		return err
	}
	if err := p.transforms.Extend(p.device.Stream, extended, sums, logHeight, p.shape.Params.LogBlowup); err != nil {
		return err
	}
	values := p.combinedValues(class, coefficients) // beside the device
	var quotients []kernels.Quotient
	for k, point := range points {
		combination, err := extended.Part(uint32(k)*backend.ExtensionDegree, backend.ExtensionDegree, size)
		if err != nil {
			return err
		}
		quotients = append(quotients, kernels.Quotient{Combination: combination, Point: kernelExtension(point),
			Value: kernelExtension(values[k])})
	}
	return p.set.Quotients(p.device.Stream, codeword, p.points.Span, size, quotients...)
}

// uploadTerms lists the columns with their coefficients on the device.
func (p *proof) uploadTerms(memory *deepMemory, class *openedClass, coefficients *backend.Openings) error {
	words := make([]uint64, 0, len(class.list)*kernels.TermWords)
	for i := range class.list {
		column := &class.list[i]
		own := column.of(coefficients)
		var next goldilocks.Extension
		if i < class.both {
			next = own.Next[column.next]
		}
		words = kernels.AppendTerm(words, column.offset, kernelExtension(own.Current[column.current]), kernelExtension(next))
	}
	terms, err := device.First(memory.terms, uint64(len(words)))
	if err != nil {
		return err
	}
	return p.upload(terms, words)
}

// combinedValues are the combinations' values at both points, by the columns' coefficients and openings.
func (p *proof) combinedValues(class *openedClass, coefficients *backend.Openings) (values [2]goldilocks.Extension) {
	for i := range class.list {
		column := &class.list[i]
		by, opened := column.of(coefficients), column.of(&p.openings)
		values[0] = values[0].Add(by.Current[column.current].Mul(opened.Current[column.current]))
		if i < class.both {
			values[1] = values[1].Add(by.Next[column.next].Mul(opened.Next[column.next]))
		}
	}
	return values
}

// combine sums up the listed columns, for one or both points, in the first n entries.
func (p *proof) combine(memory *deepMemory, sums kernels.Columns, count, both int, n uint64) error {
	first, err := sums.Part(0, backend.ExtensionDegree, n)
	if err != nil {
		return err
	}
	var second kernels.Columns
	if both > 0 {
		if second, err = sums.Part(backend.ExtensionDegree, backend.ExtensionDegree, n); err != nil {
			return err
		}
	}
	terms, err := device.First(memory.terms, uint64(count)*kernels.TermWords)
	if err != nil {
		return err
	}
	return p.set.Combine(p.device.Stream, first, second, p.columnBase(), terms, both, n)
}
