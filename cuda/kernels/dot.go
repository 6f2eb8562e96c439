package kernels

import (
	"fmt"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/internal/header"
)

// The columns of a warp, the warps of a block, and the split of rows. There are enough warps to keep the last wave on a
// large device short, and enough rows per warp to make the final sum over its lanes cheap. None of this depends on the
// device, so the size of the work space does not either.
const (
	dotColumnsPerWarp = 3
	dotWarps          = 8
	dotAllWarps       = 2640 * dotWarps // ten times two blocks on each of 132 multiprocessors
	dotLeastRows      = 2048
	dotRowStep        = 128 // chunks are multiples of it; a part whose number of rows is not has one chunk
	dotTotalsThreads  = 128

	weightsThreads  = 128
	weightsPerBlock = 1024
)

// dotSharedBytes is the shared memory of a block of dot_sums: for each warp three tiles of 64 rows of its columns and
// of the weights.
const dotSharedBytes = dotWarps * 3 * (dotColumnsPerWarp + 3) * 64 * 8

// DotPart is columns of one height that are summed with the weights x/(x-z) of one point z outside the base field,
// over the first Rows points x of a domain. The sums are scaled.
type DotPart struct {
	Rows         uint64
	Columns      int
	Point, Scale Extension
}

// dotPart is a part as the kernels of dot.cu take it. Offsets in the work space are in words.
type dotPart struct {
	Point, Scale                 Extension `cuda:"Fp3"`
	Weights                      uint64    // three columns of n words
	Partial                      uint64    // word (3c+k)*chunks + chunk: coordinate k of a chunk's sum of column c
	N, ChunkRows                 uint64
	Columns, Chunks, Groups      uint32 // groups of a warp's columns
	FirstColumn                  uint32 // among those of all parts
	FirstBlock, FirstWeightBlock uint32 // in the launches over all parts
}

// dots is the argument of the kernels of dot.cu.
type dots struct {
	Parts          cuda.Pointer `cuda:"const DotPart *"`
	Offsets        cuda.Pointer `cuda:"const u64 *"` // start of column c, in bytes from base
	Base, Points   cuda.Pointer `cuda:"const u64 *"`
	Work, Out      cuda.Pointer `cuda:"u64 *"`
	Count, Columns uint32
}

var dotHeader = header.New("array.cuh").Constant("DOT_COLUMNS", dotColumnsPerWarp).Constant("DOT_WARPS", dotWarps).
	Constant("DOT_TOTALS_THREADS", dotTotalsThreads).
	Constant("WEIGHTS_THREADS", weightsThreads).Constant("WEIGHTS_PER_BLOCK", weightsPerBlock).
	Struct("DotPart", dotPart{}).Struct("Dots", dots{})

const dotPartWords = uint64(unsafe.Sizeof(dotPart{}) / 8)

// Dots is the plan of sums over columns of several heights, computed together.
type Dots struct {
	parts                []dotPart
	columns              uint64
	blocks, weightBlocks uint64
	words                uint64 // of work space
}

// PlanDots plans parts. The largest part should come first, because blocks start in that order.
func PlanDots(parts []DotPart) (*Dots, error) {
	d, rows := new(Dots), uint64(0)
	for _, part := range parts {
		rows += dotGroups(part) * min(part.Rows, 1<<32)
	}
	for _, part := range parts {
		if part.Columns < 1 || part.Columns > 1<<24 || part.Rows == 0 || part.Rows >= 1<<32 {
			return nil, fmt.Errorf("sums over %d columns of %d rows: want 1 to 2^24 columns and fewer than 2^32 rows",
				part.Columns, part.Rows)
		}
		d.add(part, rows)
	}
	if len(parts) == 0 || d.columns > 1<<31 || d.blocks > 1<<31-1 || d.weightBlocks > 1<<31-1 {
		return nil, fmt.Errorf("sums over %d columns in %d parts: want 1 to 2^31 and no more than a launch's blocks",
			d.columns, len(parts))
	}
	for i := range d.parts {
		own := &d.parts[i]
		own.Partial = d.words
		d.words += 3 * uint64(own.Columns) * uint64(own.Chunks)
	}
	return d, nil
}

// dotGroups returns the number of groups of a part's columns.
func dotGroups(part DotPart) uint64 {
	return (uint64(max(part.Columns, 0)) + dotColumnsPerWarp - 1) / dotColumnsPerWarp
}

// add adds a part; all is the number of rows of all groups of all parts.
func (d *Dots) add(part DotPart, all uint64) {
	groups, n := dotGroups(part), part.Rows
	chunks, rows := uint64(1), n
	if n%dotRowStep == 0 {
		wanted := max(1, n*dotAllWarps/all)
		rows = min(n, (max(dotLeastRows, (n+wanted-1)/wanted)+dotRowStep-1)/dotRowStep*dotRowStep)
		chunks = (n + rows - 1) / rows
	}
	d.parts = append(d.parts, dotPart{
		Point: part.Point, Scale: part.Scale, Weights: d.words, N: n, ChunkRows: rows, Columns: uint32(part.Columns),
		Chunks: uint32(chunks), Groups: uint32(groups), FirstColumn: uint32(d.columns), FirstBlock: uint32(d.blocks),
		FirstWeightBlock: uint32(d.weightBlocks),
	})
	d.columns += uint64(part.Columns)
	d.blocks += (groups*chunks + dotWarps - 1) / dotWarps
	d.weightBlocks += (n-1)/weightsPerBlock + 1
	d.words += (3*n + 1) / 2 * 2 // pairs of words are read together
}

// Columns returns the number of columns of all parts.
func (d *Dots) Columns() int { return int(d.columns) }

// WorkBytes returns the memory that [Set.Dot] needs in addition to its arguments: the weights of all parts, and partial
// sums.
func (d *Dots) WorkBytes() uint64 { return 8 * d.words }

// PartsBytes returns the size of the parts on the device.
func (d *Dots) PartsBytes() uint64 { return 8 * dotPartWords * uint64(len(d.parts)) }

// ListBytes returns the size of the list on the device: the parts, and an offset for each column.
func (d *Dots) ListBytes() uint64 { return d.PartsBytes() + 8*d.columns }

// SetPoint sets a part's point, which may become known only after the rest of the list is on the device.
func (d *Dots) SetPoint(part int, point, scale Extension) {
	d.parts[part].Point, d.parts[part].Scale = point, scale
}

// AppendList appends the parts to a list. The columns' offsets, from [Columns.Offset], follow in the order of the
// parts.
func (d *Dots) AppendList(words []uint64) []uint64 {
	for i := range d.parts {
		words = append(words, (*[dotPartWords]uint64)(unsafe.Pointer(&d.parts[i]))[:]...)
	}
	return words
}

func (d *Dots) check(out, points, list, work cuda.Span) error {
	for i := range d.parts {
		part := &d.parts[i]
		if err := part.Point.checkOutside(); err != nil {
			return err
		}
		if err := part.Scale.check("scale"); err != nil {
			return err
		}
		if points.Size()/8 < part.N {
			return fmt.Errorf("sums over %d rows at points of a domain of %d", part.N, points.Size()/8)
		}
	}
	if out.Size()/24 < d.columns || list.Size() != d.ListBytes() || work.Size() < d.WorkBytes() {
		return fmt.Errorf("sums over %d columns: %d bytes for the results, %d of list and %d of work space, want %d, "+
			"%d and %d", d.columns, out.Size(), list.Size(), work.Size(), 24*d.columns, d.ListBytes(), d.WorkBytes())
	}
	return nil
}

// Dot writes, for every listed column, the scaled sum of column times weight over its part's rows: three words each, in
// the list's order. Points are the points of the domain of the largest height; the domains of smaller heights are its
// prefixes. Offsets count from base. The caller must list columns that have the number of rows of their parts.
func (s *Set) Dot(stream *cuda.Stream, d *Dots, out, base, points, list, work cuda.Span) error {
	if err := d.check(out, points, list, work); err != nil {
		return err
	}
	argument := cuda.Value(dots{
		Parts: list.Pointer(), Offsets: list.Pointer() + cuda.Pointer(d.PartsBytes()), Base: base.Pointer(),
		Points: points.Pointer(), Work: work.Pointer(), Out: out.Pointer(), Count: uint32(len(d.parts)),
		Columns: uint32(d.columns),
	})
	weights := cuda.Shape{Grid: cuda.Dim{X: d.weightBlocks}, Block: cuda.Dim{X: weightsThreads}}
	if err := s.launch(stream, "dot_weights", weights, argument); err != nil {
		return err
	}
	f, err := s.Function("dot_sums")
	if err != nil {
		return err
	}
	if err := f.AllowShared(dotSharedBytes); err != nil {
		return err
	}
	sums := cuda.Shape{Grid: cuda.Dim{X: d.blocks}, Block: cuda.Dim{X: 32 * dotWarps}, SharedBytes: dotSharedBytes}
	if err := f.Launch(stream, sums, argument); err != nil {
		return err
	}
	return s.launch(stream, "dot_totals", cuda.Linear(32*d.columns, dotTotalsThreads), argument)
}
