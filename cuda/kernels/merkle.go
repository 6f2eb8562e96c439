package kernels

import (
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/internal/header"
)

// DigestBytes is the size of a digest.
const DigestBytes = 32

// MaxSegments is the most runs of columns that one call hashes.
const MaxSegments = 64

// Segment is a run of columns of a matrix: word (row, c) is at row*RowStride + c*Stride of the span, in words.
type Segment struct {
	Span      cuda.Span
	Stride    uint64
	RowStride uint64
	Count     uint32
}

// Segment returns the columns as one run.
func (c Columns) Segment() Segment {
	return Segment{Span: c.Span, Stride: c.Stride, RowStride: 1, Count: c.Count}
}

// Interleaved returns the rows of 2^logArity consecutive entries of an extension codeword, coordinates in three
// columns: word 3j+k of a row is coordinate k of its entry j.
func (c Columns) Interleaved(logArity int) ([]Segment, error) {
	arity := uint64(1) << logArity
	if c.Count != 3 || arity > MaxSegments || c.Span.Size() < arity*8 {
		return nil, fmt.Errorf("rows of %d entries of a codeword of %d columns: want 3 columns and at most %d entries",
			arity, c.Count, MaxSegments)
	}
	segments := make([]Segment, arity)
	for j := range segments {
		span, err := c.Span.Part(uint64(j)*8, c.Span.Size()-uint64(j)*8)
		if err != nil {
			return nil, err
		}
		segments[j] = Segment{Span: span, Stride: c.Stride, RowStride: arity, Count: 3}
	}
	return segments, nil
}

// check rejects a run whose last word of the given height is outside its span.
func (g Segment) check(height uint64) error {
	words := g.Span.Size() / 8
	rows, columns := height-1, uint64(g.Count)-1
	fits := g.Count > 0 && height > 0 && words > 0 &&
		(g.RowStride == 0 || rows <= (words-1)/g.RowStride) &&
		(g.Stride == 0 || columns <= (words-1-rows*g.RowStride)/g.Stride)
	if !fits {
		return fmt.Errorf("%d columns of %d rows, %d words from row to row and %d from column to column, do not fit %d words",
			g.Count, height, g.RowStride, g.Stride, words)
	}
	return nil
}

// Arguments of the kernels of merkle.cu.
type (
	// segment is a run of columns: word (row, c) is at base[row*rowStride + c*stride].
	segment struct {
		Base              cuda.Pointer `cuda:"const u64 *"`
		Stride, RowStride uint64
		Count             uint64
	}
	rows struct {
		Segments [MaxSegments]segment `cuda:"Segment[]"`
	}
	// joining is, for each level of a launch, the row digests that join there, or null.
	joining struct {
		Levels [maxLevels]cuda.Pointer `cuda:"const Digest *[]"`
	}
)

var merkleHeader = header.New("keccak.cuh").Constant("LEVEL_THREADS", levelThreads).
	Struct("Segment", segment{}).Struct("Rows", rows{}).Struct("Joining", joining{})

// rowsOf converts runs of columns to rows, and counts the words of a row.
func rowsOf(segments []Segment, height uint64) (argument cuda.Argument, width uint32, err error) {
	if len(segments) == 0 || len(segments) > MaxSegments {
		return argument, 0, fmt.Errorf("%d runs of columns, want 1 to %d", len(segments), MaxSegments)
	}
	var r rows
	for i, g := range segments {
		if err := g.check(height); err != nil {
			return argument, 0, fmt.Errorf("run %d: %w", i, err)
		}
		r.Segments[i] = segment{g.Span.Pointer(), g.Stride, g.RowStride, uint64(g.Count)}
		width += g.Count
	}
	return cuda.Value(r), width, nil
}

// Rows are absorbed in blocks of this many words, each followed by a permutation of the sponge's lanes.
const (
	RateWords   = 17
	spongeWords = 25
)

// SpongeBytes returns the size of the sponges of rows that are hashed in parts.
func SpongeBytes(height uint64) uint64 { return spongeWords * 8 * height }

// HashRows writes the Keccak-256 digest of every row of the runs of columns, taken together in order.
func (s *Set) HashRows(stream *cuda.Stream, digests cuda.Span, segments []Segment, height uint64) error {
	return s.hashRows(stream, rowsPart{digests: digests, segments: segments, height: height})
}

// AbsorbRows absorbs some columns of every row into its sponge, in whole blocks of [RateWords] words: the first
// columns, or those that follow if the sponges have begun.
func (s *Set) AbsorbRows(stream *cuda.Stream, sponges cuda.Span, begun bool, segments []Segment, height uint64) error {
	return s.hashRows(stream, rowsPart{sponges: sponges, begun: begun, more: true, segments: segments, height: height})
}

// FinishRows absorbs the last columns of every row into its sponge and writes the digests, like [Set.HashRows].
func (s *Set) FinishRows(stream *cuda.Stream, digests, sponges cuda.Span, segments []Segment, height uint64) error {
	return s.hashRows(stream, rowsPart{digests: digests, sponges: sponges, begun: true, segments: segments,
		height: height})
}

// rowsPart is a part of the columns of some rows. The sponges have absorbed preceding columns if begun; columns follow
// if more.
type rowsPart struct {
	digests, sponges cuda.Span
	begun, more      bool
	segments         []Segment
	height           uint64
}

func (s *Set) hashRows(stream *cuda.Stream, p rowsPart) error {
	rows, width, err := rowsOf(p.segments, p.height)
	switch {
	case err != nil:
		return fmt.Errorf("hashing rows: %w", err)
	case !p.more && p.digests.Size()/DigestBytes < p.height:
		return fmt.Errorf("hashing rows: %d digests do not fit %d bytes", p.height, p.digests.Size())
	case (p.begun || p.more) && p.sponges.Size() < SpongeBytes(p.height):
		return fmt.Errorf("hashing rows: %d sponges do not fit %d bytes", p.height, p.sponges.Size())
	case p.more && width%RateWords != 0:
		return fmt.Errorf("hashing rows: %d words before others, want a multiple of %d", width, RateWords)
	}
	return s.launch(stream, "hash_rows", cuda.Linear(p.height, min(s.tuning.HashThreads, 128)),
		cuda.Address(p.digests), cuda.Address(p.sponges), rows, cuda.U32(width), cuda.U64(p.height), flag(p.begun),
		flag(p.more))
}

// flag returns a boolean as a kernel argument.
func flag(set bool) cuda.Argument {
	if set {
		return cuda.U32(1)
	}
	return cuda.U32(0)
}

// Tree is a Merkle tree in device memory, as a heap: node i of the layer of 2^l is at 2^l + i.
type Tree struct {
	Nodes     cuda.Span
	LogHeight int // of the leaves
	LogCap    int // of the layer where the tree ends
}

// TreeBytes returns the memory of a tree of 2^logHeight leaves.
func TreeBytes(logHeight int) uint64 { return 2 << logHeight * DigestBytes }

// Layer returns the part of the heap that holds the layer of 2^l nodes.
func (t Tree) Layer(l int) (cuda.Span, error) {
	if l < 0 || l > t.LogHeight {
		return cuda.Span{}, fmt.Errorf("a tree of 2^%d leaves has no layer of 2^%d", t.LogHeight, l)
	}
	return t.Nodes.Part(DigestBytes<<l, DigestBytes<<l)
}

// The kernel that hashes several levels in one launch takes 256 parents per block. Four levels keep whole warps busy
// (256, 128, 64, 32 threads); the last levels of the tree, which fit one block, take one launch.
const (
	levelThreads = 256
	fusedLevels  = 4
	maxLevels    = 9
)

// HashTree hashes the layers from the leaves, which the caller has written, down to the cap. joins[l] is the row
// digests of the matrices of height 2^l, if there are any below the leaves.
func (s *Set) HashTree(stream *cuda.Stream, tree Tree, joins map[int]cuda.Span) error {
	return s.hashTree(stream, "hash_levels", tree, joins)
}

// hashTree is HashTree with a kernel that takes the arguments of hash_levels.
func (s *Set) hashTree(stream *cuda.Stream, kernel string, tree Tree, joins map[int]cuda.Span) error {
	if tree.LogCap < 0 || tree.LogCap > tree.LogHeight || tree.LogHeight > 40 ||
		tree.Nodes.Size() < TreeBytes(tree.LogHeight) {
		return fmt.Errorf("hashing a tree of 2^%d leaves and a cap of 2^%d in %d bytes", tree.LogHeight,
			tree.LogCap, tree.Nodes.Size())
	}
	for level, span := range joins {
		if level < tree.LogCap || level >= tree.LogHeight || span.Size() < DigestBytes<<level {
			return fmt.Errorf("hashing a tree of 2^%d leaves: %d bytes of digests join at 2^%d",
				tree.LogHeight, span.Size(), level)
		}
	}
	for top := tree.LogHeight - 1; top >= tree.LogCap; {
		levels := min(fusedLevels, top-tree.LogCap+1)
		if top <= 8 {
			levels = min(maxLevels, top-tree.LogCap+1)
		}
		var digests joining
		for k := range levels {
			if span, ok := joins[top-k]; ok {
				digests.Levels[k] = span.Pointer()
			}
		}
		parents := uint64(1) << top
		err := s.launch(stream, kernel, cuda.Linear(parents, levelThreads), cuda.Address(tree.Nodes),
			cuda.Value(digests), cuda.U64(parents), cuda.U32(uint32(levels)))
		if err != nil {
			return err
		}
		top -= levels
	}
	return nil
}
