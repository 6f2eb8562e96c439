package gpu

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Commit extends the columns where they are and hashes the rows.
func (b *Backend) Commit(ctx backend.Context, phase backend.Phase, h backend.Columns, keep [][]int) (backend.Commitment, []merkle.Digest, error) {
	c, err := b.context(ctx)
	if err != nil {
		return nil, nil, err
	}
	own, err := c.columns(h)
	if err != nil {
		return nil, nil, err
	}
	if own.phase != phase {
		return nil, nil, fmt.Errorf("commit: %s columns in the %s phase", own.phase, phase)
	}
	var result *commitment
	var digests []merkle.Digest
	err = c.stage("commit_"+phase.String(), func(scope *cuda.Scope) error {
		result, digests, err = c.commit(scope, own, keep)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return result, digests, nil
}

// coefficientBytes is how much of a table is between values and extension at a time: enough columns to keep every
// multiprocessor busy, and little beside the extensions.
const coefficientBytes = 512 << 20

// commitMemory is the working memory of a commitment.
type commitMemory struct {
	kept         []kernels.Columns // by table: the kept columns, dense
	tree         *cuda.Buffer
	coefficients *cuda.Buffer
	indices      *cuda.Buffer
	joining      map[int]cuda.Span // by log height below the tallest: digests of rows
}

// takeCommit takes what lives on with the commitment from result, and the rest from scope.
func takeCommit(result, scope *cuda.Scope, shape *backend.Shape, phase backend.Phase, keep [][]int) (*commitMemory, error) {
	m := &commitMemory{kept: make([]kernels.Columns, len(shape.Machine.Tables)), joining: map[int]cuda.Span{}}
	t := taker{}
	coefficients, indices := uint64(0), 0
	for i, table := range shape.Machine.Tables {
		width := backend.Width(table, phase)
		if width == 0 {
			continue
		}
		n := uint64(1) << shape.LogHeights[i]
		coefficients = max(coefficients, n*wordBytes*coefficientColumns(n, width))
		indices += len(keep[i])
		if len(keep[i]) > 0 {
			kept := t.take(result, "kept columns of "+table.Name, n*wordBytes*uint64(len(keep[i])))
			m.kept[i] = kernels.Columns{Span: kept, Stride: n, Count: uint32(len(keep[i]))}
		}
	}
	tree := shape.TreeShape(phase)
	m.tree = t.buffer(result, phase.String()+" tree", kernels.TreeBytes(tree.LogHeight()))
	m.coefficients = t.buffer(scope, "coefficients", coefficients)
	if indices > 0 {
		m.indices = t.buffer(scope, "kept column numbers", uint64(indices)*wordBytes)
	}
	for _, l := range tree.LogHeights {
		if _, taken := m.joining[l]; l < tree.LogHeight() && !taken {
			m.joining[l] = t.take(scope, "digests of rows that join", kernels.DigestBytes<<l)
		}
	}
	return m, t.err
}

// coefficientColumns is how many columns are extended at a time.
func coefficientColumns(n uint64, width int) uint64 {
	return max(1, min(uint64(width), coefficientBytes/(n*wordBytes)))
}

// taker takes buffers one after the other and remembers the first error.
type taker struct{ err error }

func (t *taker) buffer(scope *cuda.Scope, name string, size uint64) *cuda.Buffer {
	if t.err != nil {
		return &cuda.Buffer{}
	}
	buffer, err := scope.Take(name, size)
	if err != nil {
		t.err = err
		return &cuda.Buffer{}
	}
	return buffer
}

func (t *taker) take(scope *cuda.Scope, name string, size uint64) cuda.Span {
	return t.buffer(scope, name, size).All()
}

func (c *proverContext) commit(scope *cuda.Scope, from *columns, keep [][]int) (*commitment, []merkle.Digest, error) {
	memory, err := takeCommit(from.scope, scope, &c.shape, from.phase, keep)
	if err != nil {
		return nil, nil, err
	}
	result := &commitment{state: from.state, matrices: from.matrices}
	if result.kept, err = c.keepColumns(from, memory, keep); err != nil {
		return nil, nil, err
	}
	for i, table := range from.tables {
		if table.Count > 0 {
			if err := c.extend(table, c.shape.LogHeights[i], from.coefficients, memory.coefficients.All()); err != nil {
				return nil, nil, err
			}
			result.size += memory.kept[i].Span.Size()
		}
	}
	shape := c.shape.TreeShape(from.phase)
	result.tree = kernels.Tree{Nodes: memory.tree.All(), LogHeight: shape.LogHeight(), LogCap: shape.LogCap()}
	result.size += memory.tree.Size()
	if err := c.hashMatrices(result, memory.joining); err != nil {
		return nil, nil, err
	}
	digests, err := c.treeCap(result.tree)
	if err != nil {
		return nil, nil, err
	}
	from.context = nil
	return result, digests, nil
}

// keepColumns copies the values over the trace domain of some columns.
func (c *proverContext) keepColumns(from *columns, memory *commitMemory, keep [][]int) ([]map[int]kernels.Columns, error) {
	kept := make([]map[int]kernels.Columns, len(from.tables))
	offset := uint64(0)
	for i, list := range keep {
		if len(list) == 0 || from.tables[i].Count == 0 {
			continue
		}
		kept[i] = make(map[int]kernels.Columns, len(list))
		n := c.height(i)
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
		if err := c.upload(indices, numbers); err != nil {
			return nil, err
		}
		if err := c.set.CopyColumns(c.stream, memory.kept[i], from.tables[i], indices, n); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// extend turns values over the trace domain, or coefficients, at the front of the columns, into extensions. The
// coefficients of some columns at a time pass through scratch memory.
func (c *proverContext) extend(table kernels.Columns, logHeight int, coefficients bool, scratch cuda.Span) error {
	n := uint64(1) << logHeight
	step := uint32(coefficientColumns(n, int(table.Count)))
	for first := uint32(0); first < table.Count; first += step {
		count := min(step, table.Count-first)
		values, errValues := table.Part(first, count, n)
		extension, errExtension := table.Part(first, count, table.Stride)
		between := kernels.Columns{Span: scratch, Stride: n, Count: count}
		err := errors.Join(errValues, errExtension)
		if err == nil && coefficients {
			err = c.set.CopyColumns(c.stream, between, values, cuda.Span{}, n)
		} else if err == nil {
			err = c.transforms.Interpolate(c.stream, between, values, values, logHeight, kernels.Natural, false)
		}
		if err == nil {
			err = c.transforms.Extend(c.stream, extension, between, logHeight, c.shape.LogBlowup)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hashMatrices hashes the rows of every height, the tallest to the leaves, and then the tree.
func (c *proverContext) hashMatrices(own *commitment, joining map[int]cuda.Span) error {
	byHeight := map[int][]kernels.Segment{}
	for i, table := range own.tables {
		if table.Count > 0 {
			l := c.shape.LogHeights[i] + c.shape.LogBlowup
			byHeight[l] = append(byHeight[l], table.Segment())
		}
	}
	leaves, err := own.tree.Layer(own.tree.LogHeight)
	if err != nil {
		return err
	}
	for l, segments := range byHeight {
		digests := leaves
		if l < own.tree.LogHeight {
			digests = joining[l]
		}
		if err := c.set.HashRows(c.stream, digests, segments, 1<<l); err != nil {
			return err
		}
	}
	return c.set.HashTree(c.stream, own.tree, joining)
}

// treeCap downloads a tree's cap.
func (c *proverContext) treeCap(tree kernels.Tree) ([]merkle.Digest, error) {
	span, err := tree.Layer(tree.LogCap)
	if err != nil {
		return nil, err
	}
	words, err := c.download(span)
	if err != nil {
		return nil, err
	}
	return digests(words), nil
}

// digests cuts words into digests, as the device wrote their bytes.
func digests(words []uint64) []merkle.Digest {
	list := make([]merkle.Digest, len(words)/4)
	for i := range list {
		for k := range 4 {
			binary.LittleEndian.PutUint64(list[i][8*k:], words[4*i+k])
		}
	}
	return list
}
