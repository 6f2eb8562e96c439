package gpu

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/tree"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Commit extends the columns of a phase where they are and hashes the rows.
func (p *proof) Commit(phase backend.Phase) (digests []merkle.Digest, err error) {
	step, err := backend.CommitStep(phase)
	if err != nil {
		return nil, err
	}
	err = p.step(step, "commit_"+phase.String(), func(scope *cuda.Scope) error {
		digests, err = p.commit(scope, phase)
		return err
	})
	return digests, err
}

// coefficientBytes is how much of a table is between values and extension at a time: enough columns to keep every
// multiprocessor busy, and little beside the extensions.
const coefficientBytes = 512 << 20

// commitMemory is the working memory of a commitment.
type commitMemory struct {
	kept         []kernels.Columns // by instance: the kept columns, dense
	tree         *cuda.Buffer
	coefficients *cuda.Buffer
	indices      *cuda.Buffer
	joining      map[int]cuda.Span // by log height below the tallest: digests of rows
}

// keptLists are the columns of a phase, by its entries, whose values over the trace domain are read later.
func keptLists(shape *backend.Shape, phase backend.Phase) [][]int {
	lists := make([][]int, shape.Entries(phase))
	if phase == backend.Quotient {
		return lists
	}
	for i := range lists {
		lists[i] = backend.KeptColumns(shape.Table(i).Table, phase)
	}
	return lists
}

// takeCommit takes what lives on with the commitment from result, and the rest from scope.
func takeCommit(result, scope *cuda.Scope, shape *backend.Shape, phase backend.Phase) (*commitMemory, error) {
	m := &commitMemory{kept: make([]kernels.Columns, shape.Entries(phase)), joining: map[int]cuda.Span{}}
	keep := keptLists(shape, phase)
	t := device.Taker{}
	coefficients, indices := uint64(0), 0
	for _, matrix := range shape.Matrices(phase) {
		n, list := uint64(1)<<matrix.LogHeight, keep[matrix.Index]
		coefficients = max(coefficients, n*wordBytes*coefficientColumns(n, matrix.Width))
		indices += len(list)
		if len(list) > 0 {
			kept := t.Take(result, "kept columns", n*wordBytes*uint64(len(list)))
			m.kept[matrix.Index] = kernels.Columns{Span: kept, Stride: n, Count: uint32(len(list))}
		}
	}
	own := shape.TreeShape(phase)
	m.tree = t.Buffer(result, phase.String()+" tree", kernels.TreeBytes(own.LogHeight()))
	m.coefficients = t.Buffer(scope, "coefficients", coefficients)
	if indices > 0 {
		m.indices = t.Buffer(scope, "kept column numbers", uint64(indices)*wordBytes)
	}
	for _, l := range own.LogHeights {
		if _, taken := m.joining[l]; l < own.LogHeight() && !taken {
			m.joining[l] = t.Take(scope, "digests of rows that join", kernels.DigestBytes<<l)
		}
	}
	return m, t.Err
}

// coefficientColumns is how many columns are extended at a time.
func coefficientColumns(n uint64, width int) uint64 {
	return max(1, min(uint64(width), coefficientBytes/(n*wordBytes)))
}

func (p *proof) commit(scope *cuda.Scope, phase backend.Phase) ([]merkle.Digest, error) {
	memory, err := takeCommit(p.scopes[phase], scope, p.shape, phase)
	if err != nil {
		return nil, err
	}
	own := p.phases[phase]
	if own.kept, err = p.keepColumns(own.matrices, memory, keptLists(p.shape, phase)); err != nil {
		return nil, err
	}
	for _, matrix := range p.shape.Matrices(phase) {
		if err := p.extend(own.list[matrix.Index], matrix.LogHeight, own.coefficients,
			memory.coefficients.All()); err != nil {
			return nil, err
		}
	}
	own.coefficients = false
	own.tree = tree.Of(p.shape.TreeShape(phase), memory.tree.All())
	if err := p.hashMatrices(own, phase, memory.joining); err != nil {
		return nil, err
	}
	return p.trees().Cap(own.tree)
}

// keepColumns copies the values over the trace domain of some columns.
func (p *proof) keepColumns(from *matrices, memory *commitMemory, keep [][]int) ([]map[int]kernels.Columns, error) {
	kept := make([]map[int]kernels.Columns, len(from.list))
	offset := uint64(0)
	for i, list := range keep {
		if len(list) == 0 || from.list[i].Count == 0 {
			continue
		}
		kept[i] = make(map[int]kernels.Columns, len(list))
		n := p.rows(i)
		numbers := make([]uint64, len(list))
		for k, column := range list {
			numbers[k] = uint64(column)
			part, err := memory.kept[i].Part(uint32(k), 1, n)
			if err != nil {
				return nil, err
			}
			kept[i][column] = part
		}
		indices, err := memory.indices.Span(offset*wordBytes, uint64(len(list))*wordBytes)
		if err != nil {
			return nil, err
		}
		offset += uint64(len(list))
		if err := p.upload(indices, numbers); err != nil {
			return nil, err
		}
		if err := p.set.CopyColumns(p.device.Stream, memory.kept[i], from.list[i], indices, n); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// extend turns values over the trace domain, or coefficients, at the front of the columns, into extensions. The
// coefficients of some columns at a time pass through scratch memory.
func (p *proof) extend(table kernels.Columns, logHeight int, coefficients bool, scratch cuda.Span) error {
	n := uint64(1) << logHeight
	step := uint32(coefficientColumns(n, int(table.Count)))
	for first := uint32(0); first < table.Count; first += step {
		count := min(step, table.Count-first)
		values, errValues := table.Part(first, count, n)
		extension, errExtension := table.Part(first, count, table.Stride)
		between := kernels.Columns{Span: scratch, Stride: n, Count: count}
		err := errors.Join(errValues, errExtension)
		if err == nil && coefficients {
			err = p.set.CopyColumns(p.device.Stream, between, values, cuda.Span{}, n)
		} else if err == nil {
			err = p.transforms.Interpolate(p.device.Stream, between, values, values, logHeight, kernels.Natural, false)
		}
		if err == nil {
			err = p.transforms.Extend(p.device.Stream, extension, between, logHeight, p.shape.Params.LogBlowup)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hashMatrices hashes the rows of every height, the tallest to the leaves, and then the tree.
func (p *proof) hashMatrices(own *commitment, phase backend.Phase, joining map[int]cuda.Span) error {
	rows := map[int][]kernels.Segment{}
	for _, matrix := range p.shape.Matrices(phase) {
		l := matrix.LogHeight + p.shape.Params.LogBlowup
		rows[l] = append(rows[l], own.list[matrix.Index].Segment())
	}
	return p.trees().Hash(own.tree, rows, joining)
}

// trees are those of the proof.
func (p *proof) trees() tree.Trees {
	return tree.Trees{Device: p.device, Set: p.set, Arena: p.arena}
}
