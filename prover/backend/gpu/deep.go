package gpu

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Deep computes the codewords of all height classes. For one point the sum of coefficient*(f(x)-v)/(x-z) is
// (F(x)-F(z))/(x-z), where F is the sum of the columns times their coefficients: a polynomial of degree below n, so it is
// summed up on the first n entries only and then extended itself. The sums for z and g*z read each column once.
func (b *Backend) Deep(ctx backend.Context, committed backend.Commitments, z goldilocks.Extension, openings, coefficients backend.Openings) (backend.Codewords, error) {
	c, err := b.context(ctx)
	if err != nil {
		return nil, err
	}
	own, err := c.commitments(committed)
	if err != nil {
		return nil, err
	}
	result := &codewords{state: state{context: c, scope: c.arena.Scope("codewords")}, logSize: maxLogSize(&c.shape)}
	err = c.stage("deep", func(scope *cuda.Scope) error {
		err := c.settle(c.deep(scope, result, own, z, &openings, &coefficients))
		if err != nil {
			result.release(c)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}

func (c *proverContext) deep(scope *cuda.Scope, result *codewords, own [backend.PhaseCount]*commitment, z goldilocks.Extension, openings, coefficients *backend.Openings) (err error) {
	if result.words, err = takeCodewords(result.scope, &c.shape); err != nil {
		return err
	}
	for _, buffer := range result.words {
		result.size += buffer.Size()
	}
	memory, err := takeDeep(scope, &c.shape)
	if err != nil {
		return err
	}
	for _, logHeight := range classes(&c.shape) {
		if err := c.deepClass(memory, result, own, logHeight, z, openings, coefficients); err != nil {
			return err
		}
	}
	return nil
}

// takeCodewords takes the codeword of every height, by log size.
func takeCodewords(scope *cuda.Scope, shape *backend.Shape) (map[int]*cuda.Buffer, error) {
	var t taker
	words := make(map[int]*cuda.Buffer)
	for _, logHeight := range classes(shape) {
		logSize := logHeight + shape.LogBlowup
		words[logSize] = t.buffer(scope, "codeword", codewordBytes(logSize))
	}
	return words, t.err
}

// codewordBytes is the memory of an extension column of 2^logSize.
func codewordBytes(logSize int) uint64 { return backend.ExtensionDegree * wordBytes << logSize }

// codewordColumns is a codeword as columns.
func codewordColumns(buffer *cuda.Buffer, logSize int) kernels.Columns {
	return kernels.Columns{Span: buffer.All(), Stride: 1 << logSize, Count: backend.ExtensionDegree}
}

// deepMemory is the working memory of one height: the list of columns with their coefficients, their combinations at both
// points, on the first n entries and extended.
type deepMemory struct {
	terms, sums, extended *cuda.Buffer
}

func takeDeep(scope *cuda.Scope, shape *backend.Shape) (*deepMemory, error) {
	var terms, sums, extended uint64
	for _, logHeight := range classes(shape) {
		count, both := openedCounts(shape, logHeight)
		points := uint64(1)
		if both > 0 {
			points = 2
		}
		terms = max(terms, uint64(count)*kernels.TermWords*wordBytes)
		sums = max(sums, points*codewordBytes(logHeight))
		extended = max(extended, points*codewordBytes(logHeight+shape.LogBlowup))
	}
	var t taker
	m := &deepMemory{
		terms:    t.buffer(scope, "DEEP coefficients", terms),
		sums:     t.buffer(scope, "combined columns", sums),
		extended: t.buffer(scope, "extended combinations", extended),
	}
	return m, t.err
}

// deepClass computes the codeword of one height.
func (c *proverContext) deepClass(memory *deepMemory, result *codewords, own [backend.PhaseCount]*commitment, logHeight int, z goldilocks.Extension, openings, coefficients *backend.Openings) error {
	logSize := logHeight + c.shape.LogBlowup
	n, size := uint64(1)<<logHeight, uint64(1)<<logSize
	codeword := codewordColumns(result.words[logSize], logSize)
	list, both := c.openedColumns(own, coefficients, logHeight)
	if len(list) == 0 {
		return c.stream.Fill(codeword.Span, 0)
	}
	opened, _ := c.openedColumns(own, openings, logHeight)
	values, err := c.uploadTerms(memory, list, opened, n)
	if err != nil {
		return err
	}
	points := []goldilocks.Extension{z}
	if both > 0 {
		points = append(points, nextPoint(z, logHeight))
	}
	width := uint32(len(points)) * backend.ExtensionDegree
	sums := kernels.Columns{Span: memory.sums.All(), Stride: n, Count: width}
	work := kernels.Columns{Span: memory.extended.All(), Stride: n, Count: width}
	extended := kernels.Columns{Span: memory.extended.All(), Stride: size, Count: width}
	if err := c.combine(memory, sums, len(list), both, n); err != nil {
		return err
	}
	if err := c.transforms.Interpolate(c.stream, sums, sums, work, logHeight, kernels.Reversed, true); err != nil {
		return err
	}
	if err := c.transforms.Extend(c.stream, extended, sums, logHeight, c.shape.LogBlowup); err != nil {
		return err
	}
	var quotients []kernels.Quotient
	for k, point := range points {
		combination, err := extended.Part(uint32(k)*backend.ExtensionDegree, backend.ExtensionDegree, size)
		if err != nil {
			return err
		}
		quotients = append(quotients, kernels.Quotient{Combination: combination, Point: kernelExtension(point), Value: kernelExtension(values[k])})
	}
	return c.set.Quotients(c.stream, codeword, c.points.Span, size, quotients...)
}

// uploadTerms lists the columns with their coefficients on the device, and returns the combinations' values at both points.
func (c *proverContext) uploadTerms(memory *deepMemory, list, opened []openedColumn, n uint64) (values [2]goldilocks.Extension, err error) {
	words := make([]uint64, 0, len(list)*kernels.TermWords)
	for i, column := range list {
		offset, err := c.offset(column, n)
		if err != nil {
			return values, err
		}
		values[0] = values[0].Add(column.current.Mul(*opened[i].current))
		var next goldilocks.Extension
		if column.next != nil {
			next = *column.next
			values[1] = values[1].Add(next.Mul(*opened[i].next))
		}
		words = kernels.AppendTerm(words, offset, kernelExtension(*column.current), kernelExtension(next))
	}
	terms, err := part(memory.terms, uint64(len(words)))
	if err != nil {
		return values, err
	}
	return values, c.upload(terms, words)
}

// combine sums up the listed columns, for one or both points, in the first n entries.
func (c *proverContext) combine(memory *deepMemory, sums kernels.Columns, count, both int, n uint64) error {
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
	terms, err := part(memory.terms, uint64(count)*kernels.TermWords)
	if err != nil {
		return err
	}
	return c.set.Combine(c.stream, first, second, c.columnBase(), terms, both, n)
}
