package gpu

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/fri"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/hashing"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Deep computes the codewords of all classes. For one point, the sum of coefficient*(f(x)-v)/(x-z) is
// (F(x)-F(z))/(x-z), where F is the sum of the columns times their coefficients. F is a polynomial of degree below n,
// and so are the quotient and its sum with the quotient for g*z. Therefore everything is computed on the first n
// entries only, and the sum is extended.
func (p *openedStage) Deep(coefficients protocol.Coefficients) (backend.Codeword, error) {
	next := &foldable{&friStage{proof: p.proof, committed: p.committed}}
	err := p.stage("deep", func(scope *cuda.Scope) (err error) {
		next.folding, err = p.deep(scope, coefficients)
		return p.wait(err)
	})
	if err != nil {
		return nil, err
	}
	return next, nil
}

// deep queues the work that computes the codewords, and returns them.
func (p *openedStage) deep(scope *cuda.Scope, coefficients protocol.Coefficients) (*fri.Folding, error) {
	// Queue the device's work first, because the device has been idle since it opened the values.
	state, known := coefficients.Stream()
	if known {
		if err := p.drawCoefficients(state); err != nil {
			return nil, err
		}
	}
	folding, err := fri.New(p.trees(), p.transforms, p.shape)
	if err != nil {
		return nil, err
	}
	p.held = append(p.held, folding.Close)
	memory, err := takeDeep(scope, p.combined)
	if err != nil {
		return nil, err
	}
	all, asDrawn, err := p.combineColumns(memory, coefficients, known)
	if err != nil {
		return nil, err
	}
	if asDrawn {
		folding.DrawAhead(state) // draws leave the state as it is
	}
	quotients, err := p.combined.AppendQuotients(nil, p.combinedValues(&all)) // while the device works
	if err != nil {
		return nil, err
	}
	if err := p.upload(memory.quotients.All(), quotients); err != nil {
		return nil, err
	}
	if err := p.set.Quotients(p.device.Stream, p.combined, memory.sums.All(), p.points.Span,
		memory.quotients.All()); err != nil {
		return nil, err
	}
	return folding, p.codewords(folding, memory)
}

// combineColumns queues the combinations. If the device has drawn the coefficients, the host also draws them, while the
// device works, for the steps that follow. asDrawn reports that the device drew the same ones.
func (p *openedStage) combineColumns(memory *deepMemory, coefficients protocol.Coefficients,
	drawn bool) (all protocol.Openings, asDrawn bool, err error) {
	list, err := p.list.Span(0, p.combined.ListBytes())
	if err != nil {
		return all, false, err
	}
	combine := func() error {
		return p.set.Combine(p.device.Stream, p.combined, memory.sums.All(), p.columnBase(), list)
	}
	if drawn {
		if err := combine(); err != nil {
			return all, false, err
		}
	}
	all, passed := coefficients.Draw()
	if drawn && !passed {
		return all, true, nil
	}
	p.setCoefficients(&all)
	if err := p.upload(list, p.terms[:list.Size()/wordBytes]); err != nil {
		return all, false, err
	}
	return all, false, combine()
}

// drawCoefficients queues the kernel that draws all coefficients and writes them to their positions in the list.
func (p *committedStage) drawCoefficients(state [32]byte) error {
	listed := p.combined.ListBytes()
	positions, err := p.list.Span(listed, p.list.Size()-listed)
	if err != nil {
		return err
	}
	return hashing.Of(p.params.Hash).Draw(p.set, p.device.Stream, p.list.All(), positions, state,
		uint64(p.dots.Columns()))
}

// deepMemory is the working memory of the stage: the combinations at both points on the first n entries, and the points
// and values of their quotients.
type deepMemory struct {
	sums, quotients *cuda.Buffer
}

func takeDeep(scope *cuda.Scope, plan *kernels.Combinations) (*deepMemory, error) {
	var t device.Taker
	m := &deepMemory{
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

// takeList takes memory for the list that is on the device before coefficients are drawn: the columns of all classes,
// in the order of p.opened, with room for their coefficients, then the positions of the coefficients in the order of
// drawing.
func takeList(scope *cuda.Scope, shape *protocol.Shape) (*cuda.Buffer, error) {
	counts := countOpened(shape)
	plan, err := planDeep(counts)
	if err != nil {
		return nil, err
	}
	return scope.Take("DEEP coefficients", plan.ListBytes()+positionWords(drawnCount(counts))*wordBytes)
}

// drawnCount returns the number of coefficients, one for each opened value.
func drawnCount(counts []openedCount) (drawn uint64) {
	for _, count := range counts {
		drawn += uint64(count.columns + count.both)
	}
	return drawn
}

// positionWords returns the number of words for the positions of drawn coefficients, two positions a word.
func positionWords(drawn uint64) uint64 { return (drawn + 1) / 2 }

// listTerms builds and sends the list of [takeList]. The coefficients in it are zero; they are drawn later.
func (p *committedStage) listTerms() (err error) {
	counts := countOpened(p.shape)
	if p.combined, err = planDeep(counts); err != nil {
		return err
	}
	extra := positionWords(drawnCount(counts))
	p.terms = p.combined.AppendList(make([]uint64, 0, p.combined.ListBytes()/wordBytes+extra))
	positions, before := make([]uint32, 2*extra), p.drawnBefore()
	for c := range p.opened {
		class := &p.opened[c]
		for i := range class.list {
			column, term := &class.list[i], uint32(len(p.terms))
			at := before[column.phase][column.matrix]
			positions[at+column.current] = term + kernels.TermFirst
			if i < class.both {
				positions[at+len(column.of(&p.openings).Current)+column.next] = term + kernels.TermSecond
			}
			p.terms = kernels.AppendTerm(p.terms, column.offset, kernels.Extension{}, kernels.Extension{})
		}
	}
	for i := 0; i < len(positions); i += 2 {
		p.terms = append(p.terms, uint64(positions[i])|uint64(positions[i+1])<<32)
	}
	return p.upload(p.list.All(), p.terms)
}

// drawnBefore returns the number of coefficients that are drawn before those of each matrix.
func (p *committedStage) drawnBefore() (before [protocol.PhaseCount][]int) {
	count := 0
	for phase, entries := range p.openings {
		for i := range entries {
			before[phase] = append(before[phase], count)
			count += len(entries[i].Current) + len(entries[i].Next)
		}
	}
	return before
}

// setCoefficients writes the coefficients to the list p.terms.
func (p *committedStage) setCoefficients(coefficients *protocol.Openings) {
	words := p.terms[:len(p.combined.AppendList(nil))]
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

// combinedValues returns the values of the classes' combinations at both points, from coefficients and openings.
func (p *openedStage) combinedValues(coefficients *protocol.Openings) [][2]kernels.PointValue {
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

// codewords extends the sums of quotients. The sum of the class with the most cells is extended concurrently with the
// others, whose launches are short.
func (p *committedStage) codewords(folding *fri.Folding, memory *deepMemory) error {
	side, err := p.device.Side.Fork()
	if err != nil {
		return err
	}
	for i := range p.opened {
		stream := p.device.Stream
		if i == 0 {
			stream = side
		}
		sum, err := p.combined.First(memory.sums.All(), i)
		if err == nil {
			class := &p.opened[i]
			err = p.deepCodeword(stream, class, sum, folding.Codeword(class.logHeight+p.shape.Params.LogBlowup))
		}
		if err != nil {
			return errors.Join(err, p.device.Side.Join())
		}
	}
	return p.device.Side.Join()
}

// deepCodeword extends a class's sum of quotients, from the first n entries, to its codeword.
func (p *proof) deepCodeword(stream *cuda.Stream, class *openedClass, sum, codeword kernels.Columns) error {
	work := kernels.Columns{Span: codeword.Span, Stride: class.rows(), Count: protocol.ExtensionDegree}
	if err := p.transforms.Interpolate(stream, sum, sum, work, class.logHeight, kernels.Reversed, true); err != nil {
		return err
	}
	return p.transforms.Extend(stream, codeword, sum, class.logHeight, p.shape.Params.LogBlowup)
}
