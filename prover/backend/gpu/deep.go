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
		p.makeRoom()
		return p.settle(p.deep(scope, &coefficients))
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
	for _, class := range p.shape.Classes {
		if err := p.deepClass(memory, class.LogHeight, coefficients); err != nil {
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
func (p *proof) deepClass(memory *deepMemory, logHeight int, coefficients *backend.Openings) error {
	logSize := logHeight + p.shape.Params.LogBlowup
	n, size := uint64(1)<<logHeight, uint64(1)<<logSize
	codeword := p.folding.Codeword(logSize)
	list, both := p.openedColumns(coefficients, logHeight)
	if len(list) == 0 {
		return p.device.Stream.Fill(codeword.Span, 0)
	}
	if err := p.uploadTerms(memory, list, n); err != nil {
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
	if err := p.combine(memory, sums, len(list), both, n); err != nil {
		return err
	}
	if err := p.transforms.Interpolate(p.device.Stream, sums, sums, work, logHeight, kernels.Reversed, true); err != nil {
		return err
	}
	if err := p.transforms.Extend(p.device.Stream, extended, sums, logHeight, p.shape.Params.LogBlowup); err != nil {
		return err
	}
	values := p.combinedValues(list, logHeight) // beside the device
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
func (p *proof) uploadTerms(memory *deepMemory, list []openedColumn, n uint64) error {
	words := make([]uint64, 0, len(list)*kernels.TermWords)
	for _, column := range list {
		offset, err := p.offset(column, n)
		if err != nil {
			return err
		}
		var next goldilocks.Extension
		if column.next != nil {
			next = *column.next
		}
		words = kernels.AppendTerm(words, offset, kernelExtension(*column.current), kernelExtension(next))
	}
	terms, err := device.First(memory.terms, uint64(len(words)))
	if err != nil {
		return err
	}
	return p.upload(terms, words)
}

// combinedValues are the combinations' values at both points, by the columns' coefficients and openings.
func (p *proof) combinedValues(coefficients []openedColumn, logHeight int) (values [2]goldilocks.Extension) {
	opened, _ := p.openedColumns(&p.openings, logHeight)
	for i, column := range coefficients {
		values[0] = values[0].Add(column.current.Mul(*opened[i].current))
		if column.next != nil {
			values[1] = values[1].Add(column.next.Mul(*opened[i].next))
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
