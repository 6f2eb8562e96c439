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
// (F(x)-F(z))/(x-z), where F is the sum of the columns times their coefficients: a polynomial of degree below n, as are
// the quotient and its sum with that for g*z. So all is computed on the first n entries only, and the sum is extended.
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
	return p.codewords(p.deepClasses(memory), mostCells(p.shape), coefficients)
}

// codewords computes those of all classes. The columns of the class with the most cells wait for memory alone, so the
// others, whose launches are short, go beside them.
func (p *proof) codewords(classes []deepClass, most int, coefficients *backend.Openings) error {
	if err := p.combineBeside(&classes[most], coefficients); err != nil {
		return err
	}
	for i := range classes {
		if i == most {
			continue
		}
		if err := p.uploadTerms(&classes[i], coefficients); err != nil {
			return err
		}
		if err := p.combine(p.device.Stream, &classes[i]); err != nil {
			return err
		}
		if err := p.deepCodeword(&classes[i], coefficients); err != nil {
			return err
		}
	}
	if err := p.device.Beside.Join(); err != nil {
		return err
	}
	return p.deepCodeword(&classes[most], coefficients)
}

// mostCells is the class whose opened columns have the most cells, the first of such.
func mostCells(shape *backend.Shape) (most int) {
	cells := uint64(0)
	for i, class := range shape.Classes {
		count, _ := openedCounts(shape, class.LogHeight)
		if own := uint64(count) << class.LogHeight; own > cells {
			most, cells = i, own
		}
	}
	return most
}

// deepMemory is the working memory: of the class with the most cells, and of the others, one after the other.
type deepMemory struct {
	most, others combinedMemory
}

// combinedMemory is the list of a class's columns with their coefficients, and their combinations at both points on the
// first n entries.
type combinedMemory struct {
	terms, sums *cuda.Buffer
}

func takeDeep(scope *cuda.Scope, shape *backend.Shape) (*deepMemory, error) {
	type sizes struct{ terms, sums uint64 }
	most, others := sizes{}, sizes{wordBytes, wordBytes} // there may be no others
	for i, class := range shape.Classes {
		logHeight := class.LogHeight
		count, both := openedCounts(shape, logHeight)
		points := uint64(1)
		if both > 0 {
			points = 2
		}
		own := &others
		if i == mostCells(shape) {
			own = &most
		}
		own.terms = max(own.terms, uint64(count)*kernels.TermWords*wordBytes)
		own.sums = max(own.sums, points*fri.Bytes(logHeight))
	}
	var t device.Taker
	m := &deepMemory{
		most: combinedMemory{
			terms: t.Buffer(scope, "DEEP coefficients of most cells", most.terms),
			sums:  t.Buffer(scope, "combined columns of most cells", most.sums),
		},
		others: combinedMemory{
			terms: t.Buffer(scope, "DEEP coefficients", others.terms),
			sums:  t.Buffer(scope, "combined columns", others.sums),
		},
	}
	return m, t.Err
}

// deepClass is a class with the memory for its combinations.
type deepClass struct {
	*openedClass
	*combinedMemory
	points []goldilocks.Extension
}

func (p *proof) deepClasses(memory *deepMemory) []deepClass {
	classes, most := make([]deepClass, 0, len(p.opened)), mostCells(p.shape)
	for i := range p.opened {
		class, own := &p.opened[i], &memory.others
		if i == most {
			own = &memory.most
		}
		points := []goldilocks.Extension{p.z}
		if class.both > 0 {
			points = append(points, nextPoint(p.z, class.logHeight))
		}
		classes = append(classes, deepClass{class, own, points})
	}
	return classes
}

// rows is the height of the class.
func (c *deepClass) rows() uint64 { return 1 << c.logHeight }

// combinations are those of the class, those of one point behind those of the other.
func (c *deepClass) combinations() kernels.Columns {
	return kernels.Columns{Span: c.sums.All(), Stride: c.rows(), Count: uint32(len(c.points)) * backend.ExtensionDegree}
}

// deepCodeword computes the codeword of a class from its combinations, whose place the sum of quotients takes.
func (p *proof) deepCodeword(class *deepClass, coefficients *backend.Openings) error {
	logSize := class.logHeight + p.shape.Params.LogBlowup
	codeword := p.folding.Codeword(logSize)
	if len(class.list) == 0 {
		return p.device.Stream.Fill(codeword.Span, 0)
	}
	values := p.combinedValues(class.openedClass, coefficients) // beside the device
	var quotients []kernels.Quotient
	for k, point := range class.points {
		combination, err := class.combinations().Part(uint32(k)*backend.ExtensionDegree, backend.ExtensionDegree,
			class.rows())
		if err != nil {
			return err
		}
		quotients = append(quotients, kernels.Quotient{Combination: combination, Point: kernelExtension(point),
			Value: kernelExtension(values[k])})
	}
	sum := quotients[0].Combination
	if err := p.set.Quotients(p.device.Stream, sum, p.points.Span, class.rows(), quotients...); err != nil {
		return err
	}
	work := kernels.Columns{Span: codeword.Span, Stride: class.rows(), Count: backend.ExtensionDegree}
	if err := p.transforms.Interpolate(p.device.Stream, sum, sum, work, class.logHeight, kernels.Reversed,
		true); err != nil {
		return err
	}
	return p.transforms.Extend(p.device.Stream, codeword, sum, class.logHeight, p.shape.Params.LogBlowup)
}

// uploadTerms lists the columns with their coefficients on the device.
func (p *proof) uploadTerms(class *deepClass, coefficients *backend.Openings) error {
	if len(class.list) == 0 {
		return nil
	}
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
	terms, err := device.First(class.terms, uint64(len(words)))
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

// combineBeside is combine on the stream beside the main one.
func (p *proof) combineBeside(class *deepClass, coefficients *backend.Openings) error {
	if err := p.uploadTerms(class, coefficients); err != nil {
		return err
	}
	beside, err := p.device.Beside.Fork()
	if err != nil {
		return err
	}
	return p.combine(beside, class)
}

// combine sums up the columns of a class, for one or both points, in the first entries.
func (p *proof) combine(stream *cuda.Stream, class *deepClass) error {
	if len(class.list) == 0 {
		return nil
	}
	sums := class.combinations()
	first, err := sums.Part(0, backend.ExtensionDegree, class.rows())
	if err != nil {
		return err
	}
	var second kernels.Columns
	if class.both > 0 {
		if second, err = sums.Part(backend.ExtensionDegree, backend.ExtensionDegree, class.rows()); err != nil {
			return err
		}
	}
	terms, err := device.First(class.terms, uint64(len(class.list))*kernels.TermWords)
	if err != nil {
		return err
	}
	return p.set.Combine(stream, first, second, p.columnBase(), terms, class.both, class.rows())
}
