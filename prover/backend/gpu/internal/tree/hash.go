package tree

import (
	"encoding/binary"
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/hashing"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Trees hashes and opens the trees of a proof.
type Trees struct {
	Device *device.Handle
	Set    *kernels.Set
	Arena  *cuda.Arena // source of working memory
	Hash   merkle.Hash
}

// Of returns a tree of a shape, in memory of [kernels.TreeBytes] bytes.
func Of(shape merkle.Shape, nodes cuda.Span) kernels.Tree {
	return kernels.Tree{Nodes: nodes, LogHeight: shape.LogHeight(), LogCap: shape.LogCap()}
}

// HashExtension hashes the tree over rows of one height. The rows' words are coordinates of elements of the extension.
func (t Trees) HashExtension(own kernels.Tree, rows []kernels.Segment) error {
	widths := map[int]int{}
	for _, s := range rows {
		widths[own.LogHeight] += int(s.Count)
	}
	all := Rows{Log: own.LogHeight, Rows: hashing.Rows{Count: 1 << own.LogHeight, Segments: rows, Extension: true}}
	if err := t.HashRows(t.Device.Stream, own, nil, all); err != nil {
		return err
	}
	return t.hashNodes(merkle.Kind{Hash: t.Hash, Extension: true}, own, widths, nil)
}

// Rows are Count rows of a log height, from First on. Row First is at the beginning of the segments. HashRows sets
// Digests.
type Rows struct {
	hashing.Rows
	Log   int
	First uint64
}

// HashRows hashes rows. Digests of the tallest height go to the leaves, others to the memory of the digests that join.
func (t Trees) HashRows(stream *cuda.Stream, own kernels.Tree, joining map[int]cuda.Span, rows Rows) error {
	digests, err := own.Layer(own.LogHeight)
	if rows.Log < own.LogHeight {
		digests = joining[rows.Log]
	}
	part, errPart := digests.Part(rows.First*kernels.DigestBytes, rows.Count*kernels.DigestBytes)
	if err := errors.Join(err, errPart); err != nil {
		return err
	}
	rows.Digests = part
	return hashing.Of(t.Hash).HashRows(t.Set, stream, rows.Rows)
}

// HashNodes hashes the tree's nodes, after the rows of every log height have been hashed. widths are the numbers of
// words of the rows, by log height.
func (t Trees) HashNodes(own kernels.Tree, widths map[int]int, joining map[int]cuda.Span) error {
	return t.hashNodes(merkle.Kind{Hash: t.Hash}, own, widths, joining)
}

func (t Trees) hashNodes(kind merkle.Kind, own kernels.Tree, widths map[int]int, joining map[int]cuda.Span) error {
	t.Device.Meter.Hashed(kind.Permutations(own.LogHeight, own.LogCap, widths))
	return hashing.Of(t.Hash).HashTree(t.Set, t.Device.Stream, own, joining)
}

// Cap downloads a tree's cap.
func (t Trees) Cap(own kernels.Tree) ([]merkle.Digest, error) {
	span, err := own.Layer(own.LogCap)
	if err != nil {
		return nil, err
	}
	words, err := t.Device.Transfer.Download(span)
	if err != nil {
		return nil, err
	}
	return Digests(words), nil
}

// Digests converts words, whose bytes the device wrote, to digests.
func Digests[Word ~uint64](words []Word) []merkle.Digest {
	list := make([]merkle.Digest, len(words)/4)
	for i := range list {
		for k := range 4 {
			binary.LittleEndian.PutUint64(list[i][8*k:], uint64(words[4*i+k]))
		}
	}
	return list
}
