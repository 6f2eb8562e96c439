package tree

import (
	"encoding/binary"
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/device"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Trees hashes and opens the trees of a proof.
type Trees struct {
	Device *device.Handle
	Set    *kernels.Set
	Arena  *cuda.Arena // of the working memory
}

// Of is a tree of a shape in memory for [kernels.TreeBytes].
func Of(shape merkle.Shape, nodes cuda.Span) kernels.Tree {
	return kernels.Tree{Nodes: nodes, LogHeight: shape.LogHeight(), LogCap: shape.LogCap()}
}

// Hash hashes the rows of every log height, the tallest to the leaves, and then the tree. joining is memory for the
// digests of the rows below the tallest.
func (t Trees) Hash(own kernels.Tree, rows map[int][]kernels.Segment, joining map[int]cuda.Span) error {
	widths := map[int]int{}
	for l, segments := range rows {
		for _, s := range segments {
			widths[l] += int(s.Count)
		}
		if err := t.HashRows(own, joining, l, 0, segments, 1<<l); err != nil {
			return err
		}
	}
	return t.HashNodes(own, widths, joining)
}

// HashRows hashes some rows of a log height, count of them from the first on, which stand at the segments' beginning.
func (t Trees) HashRows(own kernels.Tree, joining map[int]cuda.Span, logRows int, first uint64,
	segments []kernels.Segment, count uint64) error {
	digests, err := own.Layer(own.LogHeight)
	if logRows < own.LogHeight {
		digests = joining[logRows]
	}
	part, errPart := digests.Part(first*kernels.DigestBytes, count*kernels.DigestBytes)
	if err := errors.Join(err, errPart); err != nil {
		return err
	}
	return t.Set.HashRows(t.Device.Stream, part, segments, count)
}

// HashNodes hashes the tree, when the rows of every log height have been hashed; widths are their numbers of words.
func (t Trees) HashNodes(own kernels.Tree, widths map[int]int, joining map[int]cuda.Span) error {
	t.Device.Meter.Hashed(merkle.Permutations(own.LogHeight, own.LogCap, widths))
	return t.Set.HashTree(t.Device.Stream, own, joining)
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
	return digests(words), nil
}

// digests cuts words into digests, as the device wrote their bytes.
func digests[Word ~uint64](words []Word) []merkle.Digest {
	list := make([]merkle.Digest, len(words)/4)
	for i := range list {
		for k := range 4 {
			binary.LittleEndian.PutUint64(list[i][8*k:], uint64(words[4*i+k]))
		}
	}
	return list
}
