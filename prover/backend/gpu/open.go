package gpu

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Open evaluates columns by the barycentric formula on the coset s*H, the first n entries of an extension:
//
//	f(z) = (z^n - s^n) / (n s^n) * sum of f(x) x/(z-x) over x in s*H,
//
// so all columns of a height, of every table and phase, are dot products with the same weights: one launch.
func (b *Backend) Open(ctx backend.Context, committed backend.Commitments, z goldilocks.Extension) (openings backend.Openings, err error) {
	c, err := b.context(ctx)
	if err != nil {
		return openings, err
	}
	own, err := c.commitments(committed)
	if err != nil {
		return openings, err
	}
	openings = c.emptyOpenings(own)
	err = c.stage("open", func(scope *cuda.Scope) error {
		memory, err := takeOpen(scope, &c.shape)
		if err != nil {
			return err
		}
		return c.evaluate(memory, own, &openings, z)
	})
	if err != nil {
		return backend.Openings{}, err
	}
	return openings, nil
}

func (c *proverContext) emptyOpenings(own [backend.PhaseCount]*commitment) (openings backend.Openings) {
	for phase, commitment := range own {
		if commitment == nil {
			continue
		}
		openings[phase] = make([]backend.TableOpenings, len(c.shape.Machine.Tables))
		for i, table := range c.shape.Machine.Tables {
			openings[phase][i] = backend.TableOpenings{
				Current: make([]goldilocks.Extension, commitment.tables[i].Count),
				Next:    make([]goldilocks.Extension, len(backend.NextColumns(table, backend.Phase(phase)))),
			}
		}
	}
	return openings
}

// openMemory is the working memory of the openings. Offsets and values are of all heights and both points one behind the
// other; weights and partial sums are of one at a time.
type openMemory struct {
	offsets, values *cuda.Buffer
	weights, sums   *cuda.Buffer
}

func takeOpen(scope *cuda.Scope, shape *backend.Shape) (*openMemory, error) {
	var all int
	var weights, sums uint64
	for _, logHeight := range classes(shape) {
		n := uint64(1) << logHeight
		count, both := openedCounts(shape, logHeight)
		all += count + both
		weights = max(weights, backend.ExtensionDegree*n*wordBytes)
		sums = max(sums, kernels.DotWorkBytes(count, n), kernels.DotWorkBytes(both, n))
	}
	var t taker
	m := &openMemory{
		offsets: t.buffer(scope, "places of opened columns", uint64(all)*wordBytes),
		values:  t.buffer(scope, "opened values", uint64(all)*backend.ExtensionDegree*wordBytes),
		weights: t.buffer(scope, "barycentric weights", weights),
		sums:    t.buffer(scope, "partial sums of openings", sums),
	}
	return m, t.err
}

// evaluate opens all columns and fetches the values at once.
func (c *proverContext) evaluate(memory *openMemory, own [backend.PhaseCount]*commitment, openings *backend.Openings, z goldilocks.Extension) error {
	var places []*goldilocks.Extension
	for _, logHeight := range classes(&c.shape) {
		list, both := c.openedColumns(own, openings, logHeight)
		for _, at := range []struct {
			point goldilocks.Extension
			list  []openedColumn
			place func(openedColumn) *goldilocks.Extension
		}{
			{z, list, func(column openedColumn) *goldilocks.Extension { return column.current }},
			{nextPoint(z, logHeight), list[:both], func(column openedColumn) *goldilocks.Extension { return column.next }},
		} {
			if len(at.list) == 0 {
				continue
			}
			if err := c.evaluateAt(memory, len(places), logHeight, at.point, at.list); err != nil {
				return err
			}
			for _, column := range at.list {
				places = append(places, at.place(column))
			}
		}
	}
	if len(places) == 0 {
		return nil
	}
	all, err := part(memory.values, uint64(len(places))*backend.ExtensionDegree)
	if err != nil {
		return err
	}
	words, err := c.download(all)
	if err != nil {
		return err
	}
	for i, place := range places {
		for k := range place {
			place[k] = goldilocks.Element(words[backend.ExtensionDegree*i+k])
		}
	}
	return nil
}

// evaluateAt opens columns of a height at a point. Their offsets and values stand behind those of `before` others.
func (c *proverContext) evaluateAt(memory *openMemory, before, logHeight int, point goldilocks.Extension, list []openedColumn) error {
	n, count := uint64(1)<<logHeight, uint64(len(list))
	words := make([]uint64, count)
	for i, column := range list {
		var err error
		if words[i], err = c.offset(column, n); err != nil {
			return err
		}
	}
	offsets, errOffsets := memory.offsets.Span(uint64(before)*wordBytes, count*wordBytes)
	values, errValues := memory.values.Span(uint64(before)*backend.ExtensionDegree*wordBytes, count*backend.ExtensionDegree*wordBytes)
	if err := errors.Join(errOffsets, errValues); err != nil {
		return err
	}
	if err := c.upload(offsets, words); err != nil {
		return err
	}
	weights := kernels.Columns{Span: memory.weights.All(), Stride: n, Count: backend.ExtensionDegree}
	if err := c.set.InverseDistances(c.stream, weights, c.points.Span, kernelExtension(point), n, true); err != nil {
		return err
	}
	return c.set.Dot(c.stream, values, c.columnBase(), offsets, weights, n, kernelExtension(barycentricScale(point, n)), memory.sums.All())
}

// barycentricScale is (s^n - z^n) / (n s^n): x/(z-x) is minus the weight.
func barycentricScale(z goldilocks.Extension, n uint64) goldilocks.Extension {
	shiftPower := goldilocks.Generator.Exp(n)
	return goldilocks.FromBase(shiftPower).Sub(z.Exp(n)).MulBase(shiftPower.Mul(goldilocks.Element(n)).Inverse())
}
