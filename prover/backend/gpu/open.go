package gpu

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/device"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Open evaluates columns by the barycentric formula on the coset s*H, the first n entries of an extension:
//
//	f(z) = (z^n - s^n) / (n s^n) * sum of f(x) x/(z-x) over x in s*H,
//
// so all columns of a height, of every table and phase, are dot products with the same weights: one launch.
func (p *proof) Open(z goldilocks.Extension) (backend.Openings, error) {
	p.openings = p.emptyOpenings()
	err := p.step(backend.StepOpen, "open", func(scope *cuda.Scope) error {
		memory, err := takeOpen(scope, p.shape)
		if err != nil {
			return err
		}
		p.z = z
		return p.evaluate(memory, z)
	})
	if err != nil {
		return backend.Openings{}, err
	}
	return p.openings, nil
}

func (p *proof) emptyOpenings() (openings backend.Openings) {
	for phase := range backend.Phase(backend.PhaseCount) {
		for i := range p.shape.Entries(phase) {
			current, next := p.shape.OpenedWidths(phase, i)
			openings[phase] = append(openings[phase], backend.Opened{
				Current: make([]goldilocks.Extension, current), Next: make([]goldilocks.Extension, next),
			})
		}
	}
	return openings
}

// openedColumn is a committed column with the places of what belongs to it: its openings, or its DEEP coefficients.
type openedColumn struct {
	matrix  kernels.Columns
	number  uint32
	current *goldilocks.Extension // at z
	next    *goldilocks.Extension // at g*z; nil for columns not read at the next row
}

// openedColumns lists the columns of a class, of every phase. Those opened at both points come first.
func (p *proof) openedColumns(values *backend.Openings, logHeight int) ([]openedColumn, int) {
	count, both := openedCounts(p.shape, logHeight)
	list, once := make([]openedColumn, 0, count), make([]openedColumn, 0, count-both)
	for phase := range backend.Phase(backend.PhaseCount) {
		for _, matrix := range p.shape.Matrices(phase) {
			if matrix.LogHeight != logHeight {
				continue
			}
			var next []int // of the columns still to come, ascending
			if phase != backend.Quotient {
				next = backend.NextColumns(p.shape.Table(matrix.Index).Table, phase)
			}
			entry, own := &values[phase][matrix.Index], p.phases[phase].list[matrix.Index]
			for j := range int(own.Count) {
				column := openedColumn{matrix: own, number: uint32(j), current: &entry.Current[j]}
				if len(next) == 0 || next[0] != j {
					once = append(once, column)
					continue
				}
				column.next, next = &entry.Next[len(entry.Next)-len(next)], next[1:]
				list = append(list, column)
			}
		}
	}
	return append(list, once...), len(list)
}

// openedCounts counts the columns of a class, and those of them that are opened at g*z too.
func openedCounts(shape *backend.Shape, logHeight int) (count, both int) {
	for phase := range backend.Phase(backend.PhaseCount) {
		for _, matrix := range shape.Matrices(phase) {
			if matrix.LogHeight == logHeight {
				current, next := shape.OpenedWidths(phase, matrix.Index)
				count += current
				both += next
			}
		}
	}
	return count, both
}

// columnBase is what the offsets of listed columns count from.
func (p *proof) columnBase() cuda.Span { return p.points.Span }

// offset is the column's place for kernels that read columns of several matrices.
func (p *proof) offset(column openedColumn, n uint64) (uint64, error) {
	return column.matrix.Offset(p.columnBase(), column.number, n)
}

// nextPoint is g*z, g the generator of the trace domain.
func nextPoint(z goldilocks.Extension, logHeight int) goldilocks.Extension {
	return z.MulBase(goldilocks.RootOfUnity(logHeight))
}

// openMemory is the working memory of the openings. Offsets and values are of all heights and both points one behind
// the other; weights and partial sums are of one at a time.
type openMemory struct {
	offsets, values *cuda.Buffer
	weights, sums   *cuda.Buffer
}

func takeOpen(scope *cuda.Scope, shape *backend.Shape) (*openMemory, error) {
	var all int
	var weights, sums uint64
	for _, class := range shape.Classes {
		n := uint64(1) << class.LogHeight
		count, both := openedCounts(shape, class.LogHeight)
		all += count + both
		weights = max(weights, backend.ExtensionDegree*n*wordBytes)
		sums = max(sums, kernels.DotWorkBytes(count, n), kernels.DotWorkBytes(both, n))
	}
	var t device.Taker
	m := &openMemory{
		offsets: t.Buffer(scope, "places of opened columns", uint64(all)*wordBytes),
		values:  t.Buffer(scope, "opened values", uint64(all)*backend.ExtensionDegree*wordBytes),
		weights: t.Buffer(scope, "barycentric weights", weights),
		sums:    t.Buffer(scope, "partial sums of openings", sums),
	}
	return m, t.Err
}

// evaluate opens all columns and fetches the values at once.
func (p *proof) evaluate(memory *openMemory, z goldilocks.Extension) error {
	var places []*goldilocks.Extension
	for _, class := range p.shape.Classes {
		logHeight := class.LogHeight
		list, both := p.openedColumns(&p.openings, logHeight)
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
			if err := p.evaluateAt(memory, len(places), logHeight, at.point, at.list); err != nil {
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
	all, err := device.First(memory.values, uint64(len(places))*backend.ExtensionDegree)
	if err != nil {
		return err
	}
	words, err := p.download(all)
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
func (p *proof) evaluateAt(memory *openMemory, before, logHeight int, point goldilocks.Extension,
	list []openedColumn) error {
	n, count := uint64(1)<<logHeight, uint64(len(list))
	words := make([]uint64, count)
	for i, column := range list {
		var err error
		if words[i], err = p.offset(column, n); err != nil {
			return err
		}
	}
	offsets, errOffsets := memory.offsets.Span(uint64(before)*wordBytes, count*wordBytes)
	values, errValues := memory.values.Span(uint64(before)*backend.ExtensionDegree*wordBytes,
		count*backend.ExtensionDegree*wordBytes)
	if err := errors.Join(errOffsets, errValues); err != nil {
		return err
	}
	if err := p.upload(offsets, words); err != nil {
		return err
	}
	weights := kernels.Columns{Span: memory.weights.All(), Stride: n, Count: backend.ExtensionDegree}
	if err := p.set.InverseDistances(p.device.Stream, weights, p.points.Span, kernelExtension(point),
		n, true); err != nil {
		return err
	}
	return p.set.Dot(p.device.Stream, values, p.columnBase(), offsets, weights, n,
		kernelExtension(barycentricScale(point, n)), memory.sums.All())
}

// barycentricScale is (s^n - z^n) / (n s^n): x/(z-x) is minus the weight.
func barycentricScale(z goldilocks.Extension, n uint64) goldilocks.Extension {
	shiftPower := goldilocks.Generator.Exp(n)
	return goldilocks.FromBase(shiftPower).Sub(z.Exp(n)).MulBase(shiftPower.Mul(goldilocks.Element(n)).Inverse())
}
