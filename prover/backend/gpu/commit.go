package gpu

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/tree"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// coefficientBytes is how much of a table is between values and extension at a time: enough columns to keep every
// multiprocessor busy, and little beside the extensions.
// Tests lower it.
var coefficientBytes uint64 = 512 << 20

// commitMemory is the working memory of a commitment, and its tree.
type commitMemory struct {
	tree         *cuda.Buffer
	coefficients *cuda.Buffer
	indices      *cuda.Buffer      // of the kept columns, among those of their height
	sponges      cuda.Span         // of rows that are hashed in parts
	joining      map[int]cuda.Span // by log height below the tallest: digests of rows
	small        map[int]cuda.Span // by log height, of those that are extended beside others: coefficients
}

// takeCommit takes what lives on with the commitment from result, and the rest from scope.
func takeCommit(result, scope *cuda.Scope, shape *protocol.Shape, phase protocol.Phase,
	lean bool) (*commitMemory, error) {
	m := &commitMemory{joining: map[int]cuda.Span{}, small: map[int]cuda.Span{}}
	own, t := shape.TreeShape(phase), device.Taker{}
	tallest := own.LogHeight()
	m.tree = t.Buffer(result, phase.String()+" tree", kernels.TreeBytes(tallest))
	coefficients, sponges := uint64(0), uint64(0)
	logHeights, widths := heightsOf(shape.Matrices(phase))
	for _, logHeight := range logHeights {
		n, width := uint64(1)<<logHeight, widths[logHeight]
		if isSmall(shape, phase, logHeight, width, lean) {
			m.small[logHeight] = t.Take(scope, "coefficients of small heights", n*wordBytes*uint64(width))
			continue
		}
		sponges = max(sponges, spongeBytes(shape, phase, logHeight, width, lean))
		if !isLean(phase, lean) {
			width = partColumns(shape.Params.Hash, n, width)
		}
		coefficients = max(coefficients, n*wordBytes*coefficientColumns(n, width, coefficientBytes))
	}
	m.coefficients = t.Buffer(scope, "coefficients", coefficients)
	if indices := keptCount(shape, phase); indices > 0 {
		m.indices = t.Buffer(scope, "kept column numbers", uint64(indices)*wordBytes)
	}
	if sponges > 0 {
		m.sponges = t.Take(scope, "sponges of rows", sponges)
	}
	for _, l := range own.LogHeights {
		if _, taken := m.joining[l]; l < tallest && !taken {
			m.joining[l] = t.Take(scope, "digests of rows that join", kernels.DigestBytes<<l)
		}
	}
	return m, t.Err
}

// coefficientColumns is how many columns are extended at a time with so much memory for coefficients: about as many
// each time.
func coefficientColumns(n uint64, width int, memory uint64) uint64 {
	most := max(1, min(uint64(width), memory/(n*wordBytes)))
	times := (uint64(width) + most - 1) / most
	return (uint64(width) + times - 1) / times
}

// commit commits to a phase, and lists what follows while the device works.
func (p *proof) commit(scope *cuda.Scope, phase protocol.Phase, keeping []keptHeight,
	listNext func() error) ([]merkle.Digest, error) {
	kept, err := p.takeKept(phase, keeping)
	if err != nil {
		return nil, err
	}
	memory, err := takeCommit(p.scopes[phase], scope, p.shape, phase, p.lean)
	if err != nil {
		return nil, err
	}
	own := p.phases[phase]
	if err := p.keepColumns(own, kept, memory, phase); err != nil {
		return nil, err
	}
	own.tree = tree.Of(p.shape.TreeShape(phase), memory.tree.All())
	if own.lean {
		err = p.commitCosets(own, memory)
	} else {
		err = p.commitWhole(own, memory)
	}
	if err == nil {
		err = listNext()
	}
	if err != nil {
		return nil, err
	}
	return p.trees().Cap(own.tree)
}

// extend turns values over the trace domain, or coefficients, at the front of the columns of a height, into extensions.
// The coefficients of some columns at a time pass through scratch memory.
func (p *proof) extend(stream *cuda.Stream, own heightColumns, coefficients bool, scratch cuda.Span) error {
	n := uint64(1) << own.logHeight
	step := uint32(coefficientColumns(n, int(own.Count), scratch.Size()))
	for first := uint32(0); first < own.Count; first += step {
		count := min(step, own.Count-first)
		values, errValues := own.Part(first, count, n)
		extension, errExtension := own.Part(first, count, own.Stride)
		between := kernels.Columns{Span: scratch, Stride: n, Count: count}
		err := errors.Join(errValues, errExtension)
		if err == nil && coefficients {
			err = p.set.CopyColumns(stream, between, values, cuda.Span{}, n)
		} else if err == nil {
			err = p.transforms.Interpolate(stream, between, values, values, own.logHeight, kernels.Natural, false)
		}
		if err == nil {
			err = p.transforms.Extend(stream, extension, between, own.logHeight, p.shape.Params.LogBlowup)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// trees are those of the proof.
func (p *proof) trees() tree.Trees {
	return tree.Trees{Device: p.device, Set: p.set, Arena: p.arena, Hash: p.params.Hash}
}
