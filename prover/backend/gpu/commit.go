package gpu

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/tree"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// coefficientBytes bounds the memory of coefficients while columns are extended: enough columns to keep every
// multiprocessor busy, and little compared with the extensions. Tests lower it.
var coefficientBytes uint64 = 512 << 20

// commitMemory is the working memory of a commitment, and its tree.
type commitMemory struct {
	tree         *cuda.Buffer
	coefficients *cuda.Buffer
	indices      *cuda.Buffer      // of the kept columns, within their height
	sponges      cuda.Span         // of rows that are hashed in parts
	joining      map[int]cuda.Span // digests of rows, by log height below the tallest
	small        map[int]cuda.Span // coefficients of the heights that are extended on lanes, by log height
}

// takeCommit takes memory that lives as long as the commitment from result, and the rest from scope.
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

// coefficientColumns returns the number of columns that are extended at a time, given the memory for coefficients in
// bytes. The batches have about the same size.
func coefficientColumns(n uint64, width int, memory uint64) uint64 {
	most := max(1, min(uint64(width), memory/(n*wordBytes)))
	times := (uint64(width) + most - 1) / most
	return (uint64(width) + times - 1) / times
}

// commit commits to a phase, and keeps the values of columns. It calls listNext while the device works.
func (p *proof) commit(scope *cuda.Scope, phase protocol.Phase, kept []keptHeight,
	listNext func(*commitment) error) (*commitment, []merkle.Digest, error) {
	own := &commitment{matrices: p.phases[phase]}
	memory, err := takeCommit(own.scope, scope, p.shape, phase, p.lean)
	if err != nil {
		return nil, nil, err
	}
	if err := p.keepColumns(own, kept, memory, phase); err != nil {
		return nil, nil, err
	}
	own.tree = tree.Of(p.shape.TreeShape(phase), memory.tree.All())
	if own.lean {
		err = p.commitCosets(own, memory)
	} else {
		err = p.commitWhole(own, memory)
	}
	if err == nil {
		err = listNext(own)
	}
	if err != nil {
		return nil, nil, err
	}
	digests, err := p.trees().Cap(own.tree)
	return own, digests, err
}

// extend replaces values over the trace domain, or coefficients, in the first part of each column of a height by the
// extension. Coefficients pass through scratch memory, a batch of columns at a time.
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

// trees returns what builds and opens the proof's trees.
func (p *proof) trees() tree.Trees {
	return tree.Trees{Device: p.device, Set: p.set, Arena: p.arena, Hash: p.params.Hash}
}
