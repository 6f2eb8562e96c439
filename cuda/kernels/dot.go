package kernels

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/internal/header"
)

// The columns of a warp and the warps of a block, and how the rows are cut: into about as many blocks as keep
// the last round on a large device a small part, of rows enough that adding up a warp's lanes at the end is small too.
// None of it depends on the device, because the work space does not.
const (
	dotColumnsPerWarp = 3
	dotMostWarps      = 12 // where rows are not cut
	dotChunkWarps     = 8
	dotBlocks         = 2640 // ten times two on each of 132 multiprocessors
	dotLeastRows      = 2048
	dotRowStep        = 128
)

// dotWarpBytes is the shared memory of a warp of dot_chunks: three tiles of 64 rows of its columns and of the weights.
const dotWarpBytes = 3 * (dotColumnsPerWarp + 3) * 64 * 8

// dot is what the kernels of dot.cu take.
type dot struct {
	// partial[(3c+k)*chunks + chunk]: coordinate k of the sum over the chunk's rows of column c
	Partial         cuda.Pointer `cuda:"u64 *"`
	Base            cuda.Pointer `cuda:"const u64 *"`
	Offsets         cuda.Pointer `cuda:"const u64 *"` // where column c begins, in bytes from base
	Weights         array        `cuda:"Fp3Array"`
	N, ChunkRows    uint64
	Columns, Chunks uint32
}

var dotHeader = header.New("array.cuh").Constant("DOT_COLUMNS", dotColumnsPerWarp).
	Constant("DOT_THREADS", 32*dotMostWarps).
	Struct("Dot", dot{})

// dotShape is how dot products are cut: groups of warps for the columns, chunks of rows. Rows that are no multiple of
// dotRowStep are one chunk.
type dotShape struct {
	warps, groups, chunks, chunkRows uint64
}

func dotShapeOf(columns int, n uint64) dotShape {
	warps, most := (uint64(columns)+dotColumnsPerWarp-1)/dotColumnsPerWarp, uint64(dotMostWarps)
	if n%dotRowStep == 0 {
		most = dotChunkWarps
	}
	groups := (warps + most - 1) / most
	d := dotShape{warps: (warps + groups - 1) / groups, groups: groups, chunks: 1, chunkRows: n}
	if n%dotRowStep == 0 {
		wanted := max(1, dotBlocks/groups)
		d.chunkRows = min(n, (max(dotLeastRows, (n+wanted-1)/wanted)+dotRowStep-1)/dotRowStep*dotRowStep)
		d.chunks = (n + d.chunkRows - 1) / d.chunkRows
	}
	return d
}

// DotWorkBytes is the memory that [Set.Dot] needs beside its arguments.
func DotWorkBytes(columns int, n uint64) uint64 {
	return 24 * uint64(columns) * dotShapeOf(columns, n).chunks
}

// Dot writes scale times the sum over n rows of column times weight for every listed column: three words each. Offsets
// are words on the device, one a column, by [Columns.Offset] from base. The weights are one extension column. The
// caller answers for the listed columns having n rows.
func (s *Set) Dot(stream *cuda.Stream, out, base, offsets cuda.Span, weights Columns, n uint64, scale Extension,
	work cuda.Span) error {
	columns := offsets.Size() / 8
	if columns == 0 || columns > 1<<31 || n == 0 || n >= 1<<32 {
		return fmt.Errorf("dot products of %d columns of %d rows: want 1 to 2^31 columns and fewer than 2^32 rows", columns,
			n)
	}
	if err := errors.Join(weights.checkExtension("weights", n), scale.check("scale")); err != nil {
		return err
	}
	if need := DotWorkBytes(int(columns), n); out.Size()/24 < columns || work.Size() < need {
		return fmt.Errorf("dot products of %d columns: %d bytes for the results and %d of work space, want %d and %d",
			columns, out.Size(), work.Size(), 24*columns, need)
	}
	shape := dotShapeOf(int(columns), n)
	argument := cuda.Value(dot{
		Partial: work.Pointer(), Base: base.Pointer(), Offsets: offsets.Pointer(), Weights: weights.array(),
		N: n, ChunkRows: shape.chunkRows, Columns: uint32(columns), Chunks: uint32(shape.chunks),
	})
	grid := cuda.Shape{Grid: cuda.Dim{X: shape.groups, Y: shape.chunks}, Block: cuda.Dim{X: 32 * shape.warps}}
	name := "dot_rows"
	if n%dotRowStep == 0 {
		name, grid.SharedBytes = "dot_chunks", shape.warps*dotWarpBytes
	}
	f, err := s.Function(name)
	if err == nil {
		err = f.AllowShared(grid.SharedBytes)
	}
	if err == nil {
		err = f.Launch(stream, grid, argument)
	}
	if err != nil {
		return err
	}
	return s.launch(stream, "dot_totals", cuda.Linear(32*columns, 128), cuda.Address(out), cuda.Address(work),
		cuda.U32(uint32(columns)), cuda.U32(uint32(shape.chunks)), scale.argument())
}
