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

// openedClass is the columns of a height, of every phase. Those opened at both points come first.
type openedClass struct {
	logHeight int
	list      []openedColumn
	both      int
}

// openedColumn is a committed column with the places of what belongs to it among those of its matrix: its openings, or
// its DEEP coefficients.
type openedColumn struct {
	offset  uint64 // for kernels that read columns of several matrices
	phase   backend.Phase
	matrix  int
	current int // at z
	next    int // at g*z, of the columns opened at both points
}

// of is the column's matrix among values of all.
func (c *openedColumn) of(values *backend.Openings) *backend.Opened {
	return &values[c.phase][c.matrix]
}

// listOpened lists what is to be opened, and gets the memory for it. It is called when all columns have their places,
// beside the device, which would wait for it between the stages.
func (p *proof) listOpened() error {
	p.openings, p.opened = p.emptyOpenings(), make([]openedClass, 0, len(p.shape.Classes))
	for _, class := range p.shape.Classes {
		own, err := p.openedColumns(class.LogHeight)
		if err != nil {
			return err
		}
		p.opened = append(p.opened, own)
	}
	return nil
}

// openedColumns lists the columns of a class.
func (p *proof) openedColumns(logHeight int) (class openedClass, err error) {
	count, both := openedCounts(p.shape, logHeight)
	list, once := make([]openedColumn, 0, count), make([]openedColumn, 0, count-both)
	for phase := range backend.Phase(backend.PhaseCount) {
		for _, matrix := range p.shape.Matrices(phase) {
			if matrix.LogHeight != logHeight {
				continue
			}
			var next []int // of all columns that are read at the next row, ascending
			if phase != backend.Quotient {
				next = backend.NextColumns(p.shape.Table(matrix.Index).Table, phase)
			}
			met, own := 0, p.phases[phase].list[matrix.Index]
			for j := range int(own.Count) {
				column := openedColumn{phase: phase, matrix: matrix.Index, current: j, next: met}
				if column.offset, err = own.Offset(p.columnBase(), uint32(j), 1<<logHeight); err != nil {
					return class, err
				}
				if met == len(next) || next[met] != j {
					once = append(once, column)
					continue
				}
				met++
				list = append(list, column)
			}
		}
	}
	return openedClass{logHeight, append(list, once...), len(list)}, nil
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

// nextPoint is g*z, g the generator of the trace domain.
func nextPoint(z goldilocks.Extension, logHeight int) goldilocks.Extension {
	return z.MulBase(goldilocks.RootOfUnity(logHeight))
}

// openMemory is the working memory of the openings. Offsets and values are of all heights and both points one behind
// the other. The columns with the most cells have weights and partial sums of their own, as they are opened beside the
// others, whose are of one height and point at a time.
type openMemory struct {
	offsets, values *cuda.Buffer
	most, others    dotMemory
}

// dotMemory is what the openings of a height at a point are computed in.
type dotMemory struct {
	weights, sums *cuda.Buffer
}

func takeOpen(scope *cuda.Scope, shape *backend.Shape) (*openMemory, error) {
	type sizes struct{ cells, weights, sums uint64 }
	all, most, others := 0, sizes{}, sizes{weights: wordBytes, sums: wordBytes} // there may be no others
	for _, class := range shape.Classes {
		n := uint64(1) << class.LogHeight
		count, both := openedCounts(shape, class.LogHeight)
		for _, columns := range []int{count, both} {
			all += columns
			if columns == 0 {
				continue
			}
			own := sizes{uint64(columns) * n, backend.ExtensionDegree * n * wordBytes, kernels.DotWorkBytes(columns, n)}
			if own.cells > most.cells {
				own, most = most, own
			}
			others.weights, others.sums = max(others.weights, own.weights), max(others.sums, own.sums)
		}
	}
	var t device.Taker
	m := &openMemory{
		offsets: t.Buffer(scope, "places of opened columns", uint64(all)*wordBytes),
		values:  t.Buffer(scope, "opened values", uint64(all)*backend.ExtensionDegree*wordBytes),
		most: dotMemory{
			weights: t.Buffer(scope, "barycentric weights of most cells", most.weights),
			sums:    t.Buffer(scope, "partial sums of openings of most cells", most.sums),
		},
		others: dotMemory{
			weights: t.Buffer(scope, "barycentric weights", others.weights),
			sums:    t.Buffer(scope, "partial sums of openings", others.sums),
		},
	}
	return m, t.Err
}

// openedAt is the columns of a height that are opened at a point. Their offsets and values stand behind those of
// `before` others.
type openedAt struct {
	point     goldilocks.Extension
	logHeight int
	list      []openedColumn
	before    int
}

// cells is how many cells the openings read.
func (o *openedAt) cells() uint64 { return uint64(len(o.list)) << o.logHeight }

// openedAll lists the openings of all heights at both points, in the order of their values, and which has the most
// cells, the first of such.
func (p *proof) openedAll(z goldilocks.Extension) (all []openedAt, most, count int) {
	add := func(point goldilocks.Extension, logHeight int, list []openedColumn) {
		if len(list) == 0 {
			return
		}
		all = append(all, openedAt{point, logHeight, list, count})
		count += len(list)
		if last := len(all) - 1; all[last].cells() > all[most].cells() {
			most = last
		}
	}
	for _, class := range p.opened {
		add(z, class.logHeight, class.list)
		add(nextPoint(z, class.logHeight), class.logHeight, class.list[:class.both])
	}
	return all, most, count
}

// evaluate opens all columns and fetches the values at once. Those with the most cells wait for memory alone, so the
// others, whose launches are short, go beside them.
func (p *proof) evaluate(memory *openMemory, z goldilocks.Extension) error {
	all, most, count := p.openedAll(z)
	if count == 0 {
		return nil
	}
	if err := p.uploadOffsets(memory, all, count); err != nil {
		return err
	}
	beside, err := p.device.Beside.Fork()
	if err != nil {
		return err
	}
	if err := p.evaluateAt(beside, memory, memory.most, &all[most]); err != nil {
		return err
	}
	for i := range all {
		if i == most {
			continue
		}
		if err := p.evaluateAt(p.device.Stream, memory, memory.others, &all[i]); err != nil {
			return err
		}
	}
	if err := p.device.Beside.Join(); err != nil {
		return err
	}
	values, err := device.First(memory.values, uint64(count)*backend.ExtensionDegree)
	if err != nil {
		return err
	}
	words, err := p.download(values)
	if err != nil {
		return err
	}
	p.scatter(words)
	return nil
}

// uploadOffsets sends where the opened columns lie.
func (p *proof) uploadOffsets(memory *openMemory, all []openedAt, count int) error {
	words := make([]uint64, 0, count)
	for _, at := range all {
		for i := range at.list {
			words = append(words, at.list[i].offset)
		}
	}
	offsets, err := device.First(memory.offsets, uint64(count))
	if err != nil {
		return err
	}
	return p.upload(offsets, words)
}

// scatter puts opened values, in the order in which they were computed, in their places.
func (p *proof) scatter(words []uint64) {
	next := func() (value goldilocks.Extension) {
		for k := range value {
			value[k] = goldilocks.Element(words[k])
		}
		words = words[backend.ExtensionDegree:]
		return value
	}
	for _, class := range p.opened {
		for i := range class.list {
			column := &class.list[i]
			column.of(&p.openings).Current[column.current] = next()
		}
		for i := range class.list[:class.both] {
			column := &class.list[i]
			column.of(&p.openings).Next[column.next] = next()
		}
	}
}

// evaluateAt opens columns of a height at a point.
func (p *proof) evaluateAt(stream *cuda.Stream, memory *openMemory, own dotMemory, at *openedAt) error {
	n, count, before := uint64(1)<<at.logHeight, uint64(len(at.list)), uint64(at.before)
	offsets, errOffsets := memory.offsets.Span(before*wordBytes, count*wordBytes)
	values, errValues := memory.values.Span(before*backend.ExtensionDegree*wordBytes,
		count*backend.ExtensionDegree*wordBytes)
	if err := errors.Join(errOffsets, errValues); err != nil {
		return err
	}
	weights := kernels.Columns{Span: own.weights.All(), Stride: n, Count: backend.ExtensionDegree}
	if err := p.set.InverseDistances(stream, weights, p.points.Span, kernelExtension(at.point), n, true); err != nil {
		return err
	}
	return p.set.Dot(stream, values, p.columnBase(), offsets, weights, n,
		kernelExtension(barycentricScale(at.point, n)), own.sums.All())
}

// barycentricScale is (s^n - z^n) / (n s^n): x/(z-x) is minus the weight.
func barycentricScale(z goldilocks.Extension, n uint64) goldilocks.Extension {
	shiftPower := goldilocks.Generator.Exp(n)
	return goldilocks.FromBase(shiftPower).Sub(z.Exp(n)).MulBase(shiftPower.Mul(goldilocks.Element(n)).Inverse())
}
