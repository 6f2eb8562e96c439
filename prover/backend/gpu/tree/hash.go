package tree

import (
	"encoding/binary"

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
	leaves, err := own.Layer(own.LogHeight)
	if err != nil {
		return err
	}
	words := map[int]int{}
	for l, segments := range rows {
		for _, s := range segments {
			words[l] += int(s.Count)
		}
		digests := leaves
		if l < own.LogHeight {
			digests = joining[l]
		}
		if err := t.Set.HashRows(t.Device.Stream, digests, segments, 1<<l); err != nil {
			return err
		}
	}
	t.Device.Meter.Hashed(merkle.Permutations(own.LogHeight, own.LogCap, words))
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
