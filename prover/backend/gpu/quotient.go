package gpu

import (
	"errors"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Quotient evaluates the constraints on the first entries of the extensions, divides by the vanishing polynomial and
// interpolates. Constraints whose quotients have degree below n are evaluated only on the coset of size n, the others
// on the coset of size 2n. The coefficients of the former are added to the lower half of the latter's. The instances of
// a class add to the same sums, one after another.
func (p *witness) Quotient(constraint goldilocks.Extension) (backend.Columns[backend.Committed], error) {
	err := p.stage("quotient", func(scope *cuda.Scope) error {
		if err := p.columns(protocol.Quotient); err != nil {
			return err
		}
		memory, err := takeQuotient(scope, p.shape, p.program, p.lean)
		if err != nil {
			return err
		}
		return p.wait(p.quotients(memory, constraint))
	})
	if err != nil {
		return nil, err
	}
	return &quotientColumns{p.proof, p.committed}, nil
}

// quotientMemory is the working memory of the stage.
type quotientMemory struct {
	inverses cuda.Span // 1/(x-1) at the tallest class's 2n points; other classes use prefixes
	zeros    cuda.Span
	bytes    []cuda.Span // weights of an instance for tensor cores; empty if it does not use them
	work     []cuda.Span // of interpolation, by class
	scratch  cuda.Span   // of a lean proof
}

func takeQuotient(scope *cuda.Scope, shape *protocol.Shape, code *program, lean bool) (*quotientMemory, error) {
	m := &quotientMemory{}
	t := device.Taker{}
	m.inverses = t.Take(scope, "inverse points", 2*wordBytes<<shape.Classes[0].LogHeight)
	m.zeros = t.Take(scope, "count of zeros", wordBytes)
	m.bytes = make([]cuda.Span, len(shape.Instances))
	for i, instance := range shape.Instances {
		if words := generate.StagedWords(len(code.quotients[instance.Table].Staged)); words > 0 {
			m.bytes[i] = t.Take(scope, "bytes of weights", uint64(words)*wordBytes)
		}
	}
	m.work = make([]cuda.Span, len(shape.Classes))
	for c, class := range shape.Classes {
		if m.work[c] = m.work[0]; c == 0 || hasLane(shape, c, lean) {
			m.work[c] = t.Take(scope, "interpolation of the quotient", 6*wordBytes<<class.LogHeight)
		}
	}
	if lean {
		m.scratch = takeCosets(&t, scope, shape)
	}
	return m, t.Err
}

// laneLogHeight is the largest log height of classes that are summed concurrently with others, each on a lane with
// memory of its own. Most of their launches would leave most of the device idle. Tests change it.
var laneLogHeight = 17

// hasLane reports whether a class is summed on a lane. The tallest class has the main stream. A lean proof moves
// columns from coset to coset in place, one instance after another.
func hasLane(shape *protocol.Shape, c int, lean bool) bool {
	return c > 0 && !lean && shape.Classes[c].LogHeight <= laneLogHeight
}

// invertPoints computes 1/(x-1). No point of the coset is 1, so there are no zeros.
func (p *proof) invertPoints(memory *quotientMemory) error {
	points := memory.inverses.Size() / wordBytes
	if err := p.launch("quotient_offsets", cuda.Linear(points, 256), cuda.Address(memory.inverses),
		cuda.Address(p.points.Span), cuda.U64(points)); err != nil {
		return err
	}
	return p.set.InvertBase(p.device.Stream, memory.inverses, memory.inverses, points, memory.zeros)
}

func (p *witness) quotients(memory *quotientMemory, constraint goldilocks.Extension) error {
	if err := errors.Join(p.makeWeights(constraint), p.invertPoints(memory), p.device.Lanes.Fork()); err != nil {
		return err
	}
	var apart []*classSums
	for _, c := range p.quotientOrder() {
		own := p.sumsOf(memory, c)
		if err := p.sumClass(memory, own); err != nil {
			return err
		}
		if err := p.interpolateHigh(own); err != nil {
			return err
		}
		if own.apart {
			apart = append(apart, own)
		} else if err := p.splitQuotient(own); err != nil {
			return err
		}
	}
	if err := p.device.Side.Join(); err != nil {
		return err
	}
	for _, own := range apart {
		if err := p.splitQuotient(own); err != nil {
			return err
		}
	}
	return p.device.Lanes.Join()
}

// quotientOrder returns the classes in the order in which they are queued: first those on the main stream, then those
// on lanes, which use the multiprocessors that the large ones leave free. In both, the shortest come first.
func (p *proof) quotientOrder() (order []int) {
	var onLanes []int
	for c := range slices.Backward(p.shape.Classes) {
		if hasLane(p.shape, c, p.lean) {
			onLanes = append(onLanes, c)
		} else {
			order = append(order, c)
		}
	}
	return append(order, onLanes...)
}

// classSums is a class with the stream and memory of its sums.
type classSums struct {
	*protocol.Class
	kernels.Columns // the sums
	stream          *cuda.Stream
	apart           bool // whether low constraints run concurrently with the others
	work            cuda.Span
	rows            []*generate.ExtendedRows // by member
}

// sumsOf returns a class with the rows of its members.
func (p *witness) sumsOf(memory *quotientMemory, c int) *classSums {
	own := &classSums{Class: &p.shape.Classes[c], Columns: p.phases[protocol.Quotient].list[c],
		stream: p.device.Stream, apart: !p.lean, work: memory.work[c]}
	if hasLane(p.shape, c, p.lean) {
		own.stream, own.apart = p.device.Lanes.Next(), false
	}
	for _, i := range own.Members {
		rows := *p.constraints.rows[i]
		rows.Inverses = uint64(memory.inverses.Pointer())
		own.rows = append(own.rows, &rows)
	}
	return own
}

// sumClass clears the sums of a class, and adds the sums of its instances. Constraints of low degree have columns of
// their own, so they run concurrently with the others, on a stream of lower priority: their blocks fill the device as a
// kernel ends.
func (p *proof) sumClass(memory *quotientMemory, own *classSums) error {
	n := uint64(1) << own.LogHeight
	if err := p.launchOn(own.stream, "quotient_clear", cuda.Linear(2*n, 256), cuda.Address(own.Span),
		cuda.U64(own.Stride), cuda.U64(n)); err != nil {
		return err
	}
	for k, i := range own.Members {
		if err := p.stageWeights(own.stream, memory, own.rows[k], i); err != nil {
			return err
		}
	}
	low := own.stream
	if own.apart {
		side, err := p.device.Side.Fork()
		if err != nil {
			return err
		}
		low = side
	}
	for k := range own.Members {
		if err := p.sumConstraints(memory, own, k, low); err != nil {
			return err
		}
	}
	return nil
}

// stageWeights queues the kernel that computes the bytes of an instance's weights for tensor cores.
func (p *proof) stageWeights(stream *cuda.Stream, memory *quotientMemory, rows *generate.ExtendedRows,
	i int) error {
	plan := p.program.quotients[p.shape.Instances[i].Table]
	words := generate.StagedWords(len(plan.Staged))
	if words == 0 {
		return nil
	}
	return p.launchOn(stream, "quotient_bytes", cuda.Linear(uint64(words), 128), cuda.Address(memory.bytes[i]),
		cuda.U64(rows.Weights+3*uint64(len(plan.Weights))*wordBytes), cuda.U32(uint32(words)))
}

// sumConstraints adds the sum of a member's weighted constraints, divided by x^n - 1: constraints that need 2n points
// to columns 0 to 2 of the class's sums, the others to columns 3 to 5.
func (p *proof) sumConstraints(memory *quotientMemory, own *classSums, member int, low *cuda.Stream) error {
	i, rows := own.Members[member], own.rows[member]
	entries := p.rows(i)
	if !p.lean {
		entries *= 2
	}
	launch := func(stream *cuda.Stream, kernel generate.Kernel) error {
		return p.launchQuotient(stream, memory.bytes[i], kernel, rows, own.Columns, entries)
	}
	list := p.program.quotients[p.shape.Instances[i].Table].Kernels
	for _, kernel := range list {
		if kernel.Low {
			continue
		}
		if err := launch(own.stream, kernel); err != nil {
			return err
		}
	}
	// The short kernels are last in the list. They finish before the others leave multiprocessors free.
	for _, kernel := range slices.Backward(list) {
		if !kernel.Low {
			continue
		}
		if err := launch(low, kernel); err != nil {
			return err
		}
	}
	if !p.lean {
		return nil
	}
	return p.sumSecondCoset(memory, rows, own.Columns, i)
}

// extensionOf returns the address of an instance's columns of a phase, and their stride in bytes; 0 if there are none.
func (p *proof) extensionOf(phase protocol.Phase, i int) (address uint64, stride uint32) {
	if own := p.phases[phase]; own != nil {
		if columns := own.of(i); columns.Count > 0 {
			return uint64(columns.Span.Pointer()), uint32(columns.Stride * wordBytes)
		}
	}
	return 0, 0
}

// launchQuotient queues a kernel on the given number of entries. It adds to the first three columns of sums. If the
// kernel's constraints are low, it adds to the next three columns, and works on only the first n entries.
func (p *proof) launchQuotient(stream *cuda.Stream, staged cuda.Span, kernel generate.Kernel,
	rows *generate.ExtendedRows, sums kernels.Columns, entries uint64) error {
	to := uint64(sums.Span.Pointer())
	own := *rows
	own.Entries, own.Sums, own.SumsStride = entries, to, sums.Stride*wordBytes
	if kernel.Low {
		own.Entries, own.Sums = 1<<rows.LogHeight, to+3*own.SumsStride
	}
	arguments := []cuda.Argument{cuda.Value(&own)}
	if kernel.Staged {
		first := uint64(generate.StagedWords(kernel.FirstStaged)) * wordBytes
		bytes, err := staged.Part(first, staged.Size()-first)
		if err != nil {
			return err
		}
		arguments = append(arguments, cuda.Address(bytes))
	}
	return p.launchOn(stream, kernel.Name, cuda.Linear(own.Entries, generate.KernelThreads), arguments...)
}

// interpolateHigh interpolates the sums of constraints that need 2n points.
func (p *proof) interpolateHigh(own *classSums) error {
	n := uint64(1) << own.LogHeight
	high, err := own.Part(0, 3, 2*n)
	if err != nil {
		return err
	}
	work := kernels.Columns{Span: own.work, Stride: 2 * n, Count: 3}
	return p.transforms.Interpolate(own.stream, high, high, work, own.LogHeight+1, kernels.Reversed, true)
}

// splitQuotient interpolates the sums of the other constraints, and writes the low coefficients of the total to columns
// 0 to 2 and the high ones to columns 3 to 5.
func (p *proof) splitQuotient(own *classSums) error {
	n := uint64(1) << own.LogHeight
	low, err := own.Part(3, 3, n)
	if err != nil {
		return err
	}
	work := kernels.Columns{Span: own.work, Stride: n, Count: 3}
	if err := p.transforms.Interpolate(own.stream, low, low, work, own.LogHeight, kernels.Reversed, true); err != nil {
		return err
	}
	return p.launchOn(own.stream, "quotient_join", cuda.Linear(n, 256), cuda.Address(own.Span), cuda.U64(own.Stride),
		cuda.U64(n))
}
