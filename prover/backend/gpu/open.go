package gpu

import (
	"cmp"
	"errors"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Open evaluates columns by the barycentric formula on the coset s*H, the first n entries of an extension:
//
//	f(z) = (z^n - s^n) / (n s^n) * sum of f(x) x/(z-x) over x in s*H,
//
// so the values of all columns of a height, of every table and phase, are dot products with the same weights. All
// heights are computed at once.
func (p *committedStage) Open(z goldilocks.Extension) (protocol.Openings, backend.Opened, error) {
	next := &openedStage{p, z}
	err := p.stage("open", func(scope *cuda.Scope) error {
		memory, err := takeOpen(scope, p.dots)
		if err != nil {
			return err
		}
		return next.evaluate(memory)
	})
	if err != nil {
		return protocol.Openings{}, nil, err
	}
	return p.openings, next, nil
}

func (p *committedStage) emptyOpenings() (openings protocol.Openings) {
	for phase := range protocol.Phase(protocol.PhaseCount) {
		for i := range p.shape.Entries(phase) {
			current, next := p.shape.OpenedWidths(phase, i)
			openings[phase] = append(openings[phase], protocol.Opened{
				Current: make([]goldilocks.Extension, current), Next: make([]goldilocks.Extension, next),
			})
		}
	}
	return openings
}

// openedCount is the number of columns of a class, and the number of those that are also opened at g*z.
type openedCount struct{ class, logHeight, columns, both int }

// rows returns the height of the class.
func (c *openedCount) rows() uint64 { return 1 << c.logHeight }

// openedClass is the columns of a class, of every phase. Those opened at both points come first.
type openedClass struct {
	openedCount
	list     []openedColumn
	offsets  []uint64 // of the columns, in the order of their matrices
	scale    barycentricScale
	matrices []*protocol.Opened // destinations of the values, by matrix
}

// openedColumn is a committed column, with the indices of its openings, and of its DEEP coefficients, among those of
// its matrix.
type openedColumn struct {
	offset  uint64 // for kernels that read columns of several matrices
	phase   protocol.Phase
	matrix  int
	current int // index at z
	next    int // index at g*z, if the column is opened at both points
}

// of returns the values of the column's matrix.
func (c *openedColumn) of(values *protocol.Openings) *protocol.Opened {
	return &values[c.phase][c.matrix]
}

// listOpened lists the columns to open, and allocates their openings. It is called once the addresses of all columns
// are known, while the device works; between the stages the device would wait for it.
func (p *committedStage) listOpened() error {
	p.openings, p.opened = p.emptyOpenings(), nil
	for _, count := range countOpened(p.shape) {
		own, err := p.openedColumns(count)
		if err != nil {
			return err
		}
		p.opened = append(p.opened, own)
	}
	return errors.Join(p.listSums(), p.listTerms())
}

// listSums builds and sends the list of the sums that compute the openings, without their points.
func (p *committedStage) listSums() (err error) {
	if p.dots, err = planOpen(countOpened(p.shape)); err != nil {
		return err
	}
	words := p.dots.AppendList(make([]uint64, 0, p.dots.ListBytes()/wordBytes))
	for i := range p.opened {
		class := &p.opened[i]
		words = append(words, class.offsets...)
		for k := range class.both {
			words = append(words, class.list[k].offset)
		}
	}
	return p.upload(p.sums.All(), words)
}

// openedColumns lists the columns of a class.
func (p *committedStage) openedColumns(count openedCount) (class openedClass, err error) {
	list, once := make([]openedColumn, 0, count.columns), make([]openedColumn, 0, count.columns-count.both)
	class = openedClass{openedCount: count, offsets: make([]uint64, 0, count.columns)}
	class.scale = newBarycentricScale(count.rows())
	for phase := range protocol.Phase(protocol.PhaseCount) {
		for _, matrix := range p.shape.Matrices(phase) {
			if matrix.LogHeight != count.logHeight {
				continue
			}
			var next []int // of all columns that are read at the next row, ascending
			if phase != protocol.Quotient {
				next = protocol.NextColumns(p.shape.Table(matrix.Index), phase)
			}
			class.matrices = append(class.matrices, &p.openings[phase][matrix.Index])
			met, own := 0, p.phases[phase].list[matrix.Index]
			for j := range int(own.Count) {
				column := openedColumn{phase: phase, matrix: matrix.Index, current: j, next: met}
				if column.offset, err = own.Offset(p.columnBase(), uint32(j), count.rows()); err != nil {
					return class, err
				}
				class.offsets = append(class.offsets, column.offset)
				if met == len(next) || next[met] != j {
					once = append(once, column)
					continue
				}
				met++
				list = append(list, column)
			}
		}
	}
	class.list = append(list, once...)
	return class, nil
}

// countOpened counts the columns of the classes. Classes with the most cells come first, since their sums take longest.
func countOpened(shape *protocol.Shape) []openedCount {
	counts := make([]openedCount, len(shape.Classes))
	of := map[int]*openedCount{}
	for i, class := range shape.Classes {
		counts[i] = openedCount{class: i, logHeight: class.LogHeight}
		of[class.LogHeight] = &counts[i]
	}
	for phase := range protocol.Phase(protocol.PhaseCount) {
		for _, matrix := range shape.Matrices(phase) {
			columns, both := shape.OpenedWidths(phase, matrix.Index)
			of[matrix.LogHeight].columns += columns
			of[matrix.LogHeight].both += both
		}
	}
	slices.SortStableFunc(counts, func(a, b openedCount) int {
		return cmp.Compare(b.columns<<b.logHeight, a.columns<<a.logHeight)
	})
	return counts
}

// columnBase returns the memory to which the offsets of listed columns are relative.
func (p *proof) columnBase() cuda.Span { return p.points.Span }

// nextPoint returns g*z, where g is the generator of the trace domain.
func nextPoint(z goldilocks.Extension, logHeight int) goldilocks.Extension {
	return z.MulBase(goldilocks.RootOfUnity(logHeight))
}

// openMemory is the working memory of the openings: the values in the order of the list, and scratch memory for sums.
type openMemory struct {
	values, work *cuda.Buffer
}

// planOpen plans the sums that compute the openings at z and g*z. Their points are set when z is drawn.
func planOpen(counts []openedCount) (*kernels.Dots, error) {
	parts := make([]kernels.DotPart, 0, 2*len(counts))
	for _, count := range counts {
		for _, columns := range count.atPoints() {
			parts = append(parts, kernels.DotPart{Rows: count.rows(), Columns: columns})
		}
	}
	return kernels.PlanDots(parts)
}

// takeSums takes memory for the list of the sums, which is on the device before z is drawn.
func takeSums(scope *cuda.Scope, shape *protocol.Shape) (*cuda.Buffer, error) {
	plan, err := planOpen(countOpened(shape))
	if err != nil {
		return nil, err
	}
	return scope.Take("list of opened columns", plan.ListBytes())
}

func takeOpen(scope *cuda.Scope, plan *kernels.Dots) (*openMemory, error) {
	var t device.Taker
	m := &openMemory{
		values: t.Buffer(scope, "opened values", uint64(plan.Columns())*protocol.ExtensionDegree*wordBytes),
		work:   t.Buffer(scope, "barycentric weights and partial sums", plan.WorkBytes()),
	}
	return m, t.Err
}

// atPoints returns the number of columns opened at z and, if there are any, at g*z. The latter are the first columns of
// the class.
func (c *openedCount) atPoints() []int {
	if c.both == 0 {
		return []int{c.columns}
	}
	return []int{c.columns, c.both}
}

// evaluate opens all columns at once and fetches the values.
func (p *openedStage) evaluate(memory *openMemory) error {
	p.setPoints()
	parts, err := p.sums.Span(0, p.dots.PartsBytes())
	if err != nil {
		return err
	}
	if err := p.upload(parts, p.dots.AppendList(nil)); err != nil {
		return err
	}
	if err := p.set.Dot(p.device.Stream, p.dots, memory.values.All(), p.columnBase(), p.points.Span, p.sums.All(),
		memory.work.All()); err != nil {
		return err
	}
	words := int(memory.values.Size() / wordBytes)
	p.values = slices.Grow(p.values[:0], words)[:words]
	if err := device.DownloadTo(p.device.Transfer, p.values, memory.values.All()); err != nil {
		return err
	}
	p.scatter(p.values)
	return nil
}

// setPoints sets the points of the sums.
func (p *openedStage) setPoints() {
	powers := make([]goldilocks.Extension, p.shape.MaxLogSize()) // z^(2^k)
	for k := range powers {
		if powers[k] = p.z; k > 0 {
			powers[k] = powers[k-1].Mul(powers[k-1])
		}
	}
	part := 0
	for i := range p.opened {
		class, point := &p.opened[i], p.z
		scale := kernelExtension(class.scale.at(powers[class.logHeight]))
		for range class.atPoints() {
			p.dots.SetPoint(part, kernelExtension(point), scale)
			point = nextPoint(p.z, class.logHeight)
			part++
		}
	}
}

// scatter copies opened values to the openings. words are in the order of the list: for each class the values at z,
// matrix by matrix, then those at g*z.
func (p *committedStage) scatter(words []goldilocks.Element) {
	take := func(values []goldilocks.Extension) {
		for i := range values {
			own := (*[protocol.ExtensionDegree]goldilocks.Element)(words[protocol.ExtensionDegree*i:])
			values[i] = *own
		}
		words = words[protocol.ExtensionDegree*len(values):]
	}
	for c := range p.opened {
		for _, matrix := range p.opened[c].matrices {
			take(matrix.Current)
		}
		for _, matrix := range p.opened[c].matrices {
			take(matrix.Next)
		}
	}
}

// barycentricScale computes the scale (s^n - z^n) / (n s^n) of sums over n points. Its sign is that of the weights,
// which are -x/(z-x). Because g^n is 1, the scale at g*z is the same.
type barycentricScale struct {
	shift, inverse goldilocks.Element // s^n, 1 / (n s^n)
}

func newBarycentricScale(n uint64) barycentricScale {
	shift := goldilocks.Generator.Exp(n)
	return barycentricScale{shift, shift.Mul(goldilocks.Element(n)).Inverse()}
}

// at returns the scale at z, given power = z^n.
func (s barycentricScale) at(power goldilocks.Extension) goldilocks.Extension {
	return goldilocks.FromBase(s.shift).Sub(power).MulBase(s.inverse)
}
