package tree

import (
	"encoding/binary"
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
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
	all := Rows{Log: own.LogHeight, Count: 1 << own.LogHeight, Segments: rows, Extension: true}
	if err := t.HashRows(t.Device.Stream, own, nil, all); err != nil {
		return err
	}
	return t.hashNodes(merkle.Kind{Hash: t.Hash, Extension: true}, own, widths, nil)
}

// Rows are Count rows of a log height, from First on. Row First is at the beginning of the segments. Rows may be hashed
// in parts, a range of columns at a time, with sponges; see [kernels.Set.AbsorbRows]. BLAKE3 needs no sponges, because
// its state between two parts is as long as a digest.
type Rows struct {
	Log          int
	First, Count uint64
	Segments     []kernels.Segment
	Sponges      cuda.Span // if there are several parts
	Begun, More  bool      // whether there are parts before, and after
	Extension    bool      // whether words are coordinates of elements of the extension
}

// HashRows hashes rows. Digests of the tallest height go to the leaves, others to the memory of the digests that join.
func (t Trees) HashRows(stream *cuda.Stream, own kernels.Tree, joining map[int]cuda.Span, rows Rows) error {
	keccak := t.Hash == merkle.Keccak
	if keccak && rows.More {
		return t.Set.AbsorbRows(stream, rows.Sponges, rows.Begun, rows.Segments, rows.Count)
	}
	digests, err := own.Layer(own.LogHeight)
	if rows.Log < own.LogHeight {
		digests = joining[rows.Log]
	}
	part, errPart := digests.Part(rows.First*kernels.DigestBytes, rows.Count*kernels.DigestBytes)
	if err := errors.Join(err, errPart); err != nil {
		return err
	}
	if !keccak {
		return t.Set.ChainRows(stream, kernels.Chain{Digests: part, Segments: rows.Segments, Height: rows.Count,
			Extension: rows.Extension, Begun: rows.Begun, More: rows.More})
	}
	if rows.Begun {
		return t.Set.FinishRows(stream, part, rows.Sponges, rows.Segments, rows.Count)
	}
	return t.Set.HashRows(stream, part, rows.Segments, rows.Count)
}

// HashNodes hashes the tree's nodes, after the rows of every log height have been hashed. widths are the numbers of
// words of the rows, by log height.
func (t Trees) HashNodes(own kernels.Tree, widths map[int]int, joining map[int]cuda.Span) error {
	return t.hashNodes(merkle.Kind{Hash: t.Hash}, own, widths, joining)
}

func (t Trees) hashNodes(kind merkle.Kind, own kernels.Tree, widths map[int]int, joining map[int]cuda.Span) error {
	t.Device.Meter.Hashed(kind.Permutations(own.LogHeight, own.LogCap, widths))
	if t.Hash == merkle.Blake3 {
		return t.Set.CompressTree(t.Device.Stream, own, joining)
	}
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
