package gpu

import (
	"errors"
	"slices"

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
// Tests lower it.
var coefficientBytes uint64 = 512 << 20

// commitMemory is the working memory of a commitment.
type commitMemory struct {
	kept         []keptHeight
	tree         *cuda.Buffer
	coefficients *cuda.Buffer
	indices      *cuda.Buffer
	joining      map[int]cuda.Span // by log height below the tallest: digests of rows
}

// keptHeight are, of the columns of a height, those whose values over the trace domain are read later.
type keptHeight struct {
	logHeight int
	numbers   []uint64        // among the columns of the height
	columns   kernels.Columns // their values, dense
}

// keptHeights lists a phase's kept columns, height by height in the order of its matrices.
func keptHeights(shape *backend.Shape, phase backend.Phase) (kept []keptHeight) {
	if phase == backend.Quotient {
		return nil
	}
	list := shape.Matrices(phase)
	logHeights, _ := heightsOf(list)
	for _, logHeight := range logHeights {
		own, first := keptHeight{logHeight: logHeight}, uint64(0)
		for _, matrix := range list {
			if matrix.LogHeight != logHeight {
				continue
			}
			for _, column := range backend.KeptColumns(shape.Table(matrix.Index).Table, phase) {
				own.numbers = append(own.numbers, first+uint64(column))
			}
			first += uint64(matrix.Width)
		}
		if len(own.numbers) > 0 {
			kept = append(kept, own)
		}
	}
	return kept
}

// take finds memory for the kept columns: behind the values of columns that are not extended yet, if there are enough
// of that height, or else of its own.
func (k *keptHeight) take(t *device.Taker, scope *cuda.Scope, unextended *matrices) {
	n, count := uint64(1)<<k.logHeight, uint32(len(k.numbers))
	if unextended != nil {
		for _, own := range unextended.heights {
			if own.logHeight != k.logHeight || own.Count < count || own.Stride < 2*n {
				continue
			}
			if span, err := own.Span.Part(n*wordBytes, own.Span.Size()-n*wordBytes); err == nil {
				k.columns = kernels.Columns{Span: span, Stride: own.Stride, Count: count}
				return
			}
		}
	}
	k.columns = kernels.Columns{Stride: n, Count: count}
	k.columns.Span = t.Take(scope, "kept columns", n*wordBytes*uint64(count))
}

// takeCommit takes what lives on with the commitment from result, what is kept for LogUp from kept or behind columns
// that are not extended yet, which may be nil, and the rest from scope.
func takeCommit(result, kept, scope *cuda.Scope, unextended *matrices, shape *backend.Shape,
	phase backend.Phase) (*commitMemory, error) {
	m := &commitMemory{kept: keptHeights(shape, phase), joining: map[int]cuda.Span{}}
	t := device.Taker{}
	indices := 0
	for i := range m.kept {
		m.kept[i].take(&t, kept, unextended)
		indices += len(m.kept[i].numbers)
	}
	coefficients := uint64(0)
	logHeights, widths := heightsOf(shape.Matrices(phase))
	for _, logHeight := range logHeights {
		n := uint64(1) << logHeight
		coefficients = max(coefficients, n*wordBytes*coefficientColumns(n, widths[logHeight]))
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
	var unextended *matrices
	if phase == backend.Main && p.shape.Present(backend.Auxiliary) {
		if err := p.columns(backend.Auxiliary); err != nil {
			return nil, err
		}
		unextended = p.phases[backend.Auxiliary].matrices
	}
	memory, err := takeCommit(p.scopes[phase], p.kept, scope, unextended, p.shape, phase)
	if err != nil {
		return nil, err
	}
	own := p.phases[phase]
	if err := p.keepColumns(own, memory, phase); err != nil {
		return nil, err
	}
	own.tree = tree.Of(p.shape.TreeShape(phase), memory.tree.All())
	if own.lean {
		err = p.commitCosets(own, memory)
	} else {
		err = p.commitWhole(own, memory)
	}
	if err == nil && phase == backend.Quotient {
		err = p.listOpened()
	}
	if err != nil {
		return nil, err
	}
	return p.trees().Cap(own.tree)
}

// commitWhole extends all columns and hashes the rows.
func (p *proof) commitWhole(own *commitment, memory *commitMemory) error {
	for _, height := range own.heights {
		if err := p.extend(height, own.coefficients, memory.coefficients.All()); err != nil {
			return err
		}
	}
	own.coefficients = false
	return p.hashMatrices(own, memory.joining)
}

// keepColumns copies the values over the trace domain of some columns.
func (p *proof) keepColumns(own *commitment, memory *commitMemory, phase backend.Phase) error {
	if len(memory.kept) == 0 {
		return nil
	}
	var numbers []uint64
	for _, kept := range memory.kept {
		numbers = append(numbers, kept.numbers...)
	}
	if err := p.upload(memory.indices.All(), numbers); err != nil {
		return err
	}
	offset := uint64(0)
	for _, kept := range memory.kept {
		indices, err := memory.indices.Span(offset*wordBytes, uint64(len(kept.numbers))*wordBytes)
		if err != nil {
			return err
		}
		offset += uint64(len(kept.numbers))
		at := slices.IndexFunc(own.heights, func(h heightColumns) bool { return h.logHeight == kept.logHeight })
		if err := p.set.CopyColumns(p.device.Stream, kept.columns, own.heights[at].Columns, indices,
			1<<kept.logHeight); err != nil {
			return err
		}
	}
	return own.bindKept(p.shape, memory.kept, phase)
}

// bindKept finds the kept columns of every matrix: those of a height lie behind each other, in the order of its
// matrices.
func (c *commitment) bindKept(shape *backend.Shape, kept []keptHeight, phase backend.Phase) (err error) {
	c.kept = make([]map[int]kernels.Columns, len(c.list))
	next := map[int]uint32{} // by log height
	for _, matrix := range shape.Matrices(phase) {
		at := slices.IndexFunc(kept, func(k keptHeight) bool { return k.logHeight == matrix.LogHeight })
		for _, column := range backend.KeptColumns(shape.Table(matrix.Index).Table, phase) {
			if c.kept[matrix.Index] == nil {
				c.kept[matrix.Index] = map[int]kernels.Columns{}
			}
			c.kept[matrix.Index][column], err = kept[at].columns.Part(next[matrix.LogHeight], 1, 1<<matrix.LogHeight)
			if err != nil {
				return err
			}
			next[matrix.LogHeight]++
		}
	}
	return nil
}

// extend turns values over the trace domain, or coefficients, at the front of the columns of a height, into extensions.
// The coefficients of some columns at a time pass through scratch memory.
func (p *proof) extend(own heightColumns, coefficients bool, scratch cuda.Span) error {
	n := uint64(1) << own.logHeight
	step := uint32(coefficientColumns(n, int(own.Count)))
	for first := uint32(0); first < own.Count; first += step {
		count := min(step, own.Count-first)
		values, errValues := own.Part(first, count, n)
		extension, errExtension := own.Part(first, count, own.Stride)
		between := kernels.Columns{Span: scratch, Stride: n, Count: count}
		err := errors.Join(errValues, errExtension)
		if err == nil && coefficients {
			err = p.set.CopyColumns(p.device.Stream, between, values, cuda.Span{}, n)
		} else if err == nil {
			err = p.transforms.Interpolate(p.device.Stream, between, values, values, own.logHeight, kernels.Natural, false)
		}
		if err == nil {
			err = p.transforms.Extend(p.device.Stream, extension, between, own.logHeight, p.shape.Params.LogBlowup)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hashMatrices hashes the rows of every height, the tallest to the leaves, and then the tree.
func (p *proof) hashMatrices(own *commitment, joining map[int]cuda.Span) error {
	rows := map[int][]kernels.Segment{}
	for _, height := range own.heights {
		rows[height.logHeight+p.shape.Params.LogBlowup] = []kernels.Segment{height.Segment()}
	}
	return p.trees().Hash(own.tree, rows, joining)
}

// trees are those of the proof.
func (p *proof) trees() tree.Trees {
	return tree.Trees{Device: p.device, Set: p.set, Arena: p.arena}
}
