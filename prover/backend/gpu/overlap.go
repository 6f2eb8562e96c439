package gpu

import (
	"cmp"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/hashing"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/tree"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Rows are hashed concurrently with transforms. At the end of each launch of transforms a part of the device is idle,
// and hashing depends on nothing but columns. So while columns are extended on the main stream, rows of the previous
// columns are hashed on a second stream. The unit is the columns of one height. If a height has many columns, they are
// cut into parts, and the sponges of the rows are in memory between two parts.

// cutBlocks is the number of blocks from which the columns of a height are cut into parts. A block is
// [hashing.Function.BlockWords] columns. A part has at least a quarter of cutBlocks blocks, and at most those whose
// coefficients fit in memory at once. A sponge absorbs at most half of cutBlocks blocks in a launch, because its thread
// block delays the next transforms until it ends. Each launch reads and writes the sponges: 50 words a row, compared
// with the 136 words of those columns. Tests lower it.
var cutBlocks = 16

// fewRows is the largest number of rows of an extension that are hashed after everything has been extended, if the
// height has at least cutBlocks blocks and all its coefficients fit in memory at once. Concurrently with transforms,
// those rows would occupy the few multiprocessors that are free at that moment, with up to six blocks each, until all
// columns are absorbed: 0.35 ms for 2^15 rows of 411 columns, and sometimes twice that. fewRows is two thirds of what
// an H200 hashes at once. Tests change it.
var fewRows = uint64(1) << 16

// blocksOf returns the number of blocks in width columns, rounded up.
func blocksOf(hash merkle.Hash, width int) int {
	block := hashing.Of(hash).BlockWords()
	return (width + block - 1) / block
}

// partColumns returns the number of columns in a part of a height: whole blocks, or all columns.
func partColumns(hash merkle.Hash, n uint64, width int) int {
	blocks := blocksOf(hash, width)
	if blocks < cutBlocks {
		return width
	}
	block := hashing.Of(hash).BlockWords()
	most := max(1, cutBlocks/4, int(coefficientBytes/(n*wordBytes*uint64(block))))
	parts := (blocks + most - 1) / most
	return min(width, (blocks+parts-1)/parts*block)
}

// spongeBytes returns the memory for the sponges of a height's rows, or 0 if the rows are not hashed in parts. A lean
// proof processes columns one coset at a time, and hashes the rows of a coset at once.
func spongeBytes(shape *protocol.Shape, phase protocol.Phase, logHeight, width int, lean bool) uint64 {
	if isLean(phase, lean) || partColumns(shape.Params.Hash, 1<<logHeight, width) == width {
		return 0
	}
	return hashing.Of(shape.Params.Hash).SpongeBytes(1 << (logHeight + shape.Params.LogBlowup))
}

// columnRun is a range of consecutive columns of a height.
type columnRun struct {
	height       int // index of the height
	first, count uint32
}

// hashedParts cuts the columns of a phase into parts. The height with the most cells comes first: its rows are hashed
// concurrently with the most transforms, and little is left to hash after the last transforms.
func hashedParts(hash merkle.Hash, heights []heightColumns) (parts []columnRun) {
	cells := func(number int) uint64 { return uint64(heights[number].Count) << heights[number].logHeight }
	order := make([]int, len(heights))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cells(b), cells(a)) })
	for _, number := range order {
		height := heights[number]
		each := uint32(partColumns(hash, 1<<height.logHeight, int(height.Count)))
		for first := uint32(0); first < height.Count; first += each {
			parts = append(parts, columnRun{height: number, first: first, count: min(each, height.Count-first)})
		}
	}
	return parts
}

// hashedLast reports whether a height's rows are hashed after all columns have been extended.
func hashedLast(shape *protocol.Shape, height heightColumns) bool {
	n, width, hash := uint64(1)<<height.logHeight, int(height.Count), shape.Params.Hash
	return blocksOf(hash, width) >= cutBlocks && partColumns(hash, n, width) == width &&
		n<<shape.Params.LogBlowup <= fewRows
}

// smallLogHeight is the largest log height whose columns are extended and hashed on a lane, concurrently with taller
// columns and with memory of their own for coefficients. Launches for so few rows leave most of the device idle. Tests
// change it.
var smallLogHeight = 14

// isSmall reports whether a height with width columns is extended and hashed on a lane. The tallest height has the main
// stream, and many columns are hashed in parts or last.
func isSmall(shape *protocol.Shape, phase protocol.Phase, logHeight, width int, lean bool) bool {
	return !isLean(phase, lean) && logHeight <= smallLogHeight && blocksOf(shape.Params.Hash, width) < cutBlocks &&
		logHeight < shape.TreeShape(phase).LogHeight()-shape.Params.LogBlowup
}

// commitWhole extends the columns and hashes the rows, small heights concurrently with the others.
func (p *proof) commitWhole(own *commitment, memory *commitMemory) error {
	var large, small []columnRun
	for _, part := range hashedParts(p.params.Hash, own.heights) {
		if memory.small[own.heights[part.height].logHeight].Size() > 0 {
			small = append(small, part)
		} else {
			large = append(large, part)
		}
	}
	if err := p.device.Lanes.Fork(); err != nil {
		return err
	}
	if err := p.commitParts(own, memory, large); err != nil {
		return err
	}
	for _, part := range small {
		if err := p.commitSmall(own, memory, part); err != nil {
			return err
		}
	}
	if err := p.device.Lanes.Join(); err != nil {
		return err
	}
	own.coefficients = false
	widths := map[int]int{}
	for _, height := range own.heights {
		widths[height.logHeight+p.shape.Params.LogBlowup] += int(height.Count)
	}
	return p.trees().HashNodes(own.tree, widths, memory.joining)
}

// commitSmall extends the columns of a small height and hashes its rows.
func (p *proof) commitSmall(own *commitment, memory *commitMemory, part columnRun) error {
	height, lane := own.heights[part.height], p.device.Lanes.Next()
	if err := p.extend(lane, height, own.coefficients, memory.small[height.logHeight]); err != nil {
		return err
	}
	return p.hashPart(lane, own, memory, part)
}

// commitParts extends columns and hashes rows. It hashes each part concurrently with the extension of the next. The
// last part, and those for which [hashedLast] is true, are hashed after all parts are extended.
func (p *proof) commitParts(own *commitment, memory *commitMemory, parts []columnRun) error {
	var last []columnRun
	for i, part := range parts {
		height := own.heights[part.height]
		columns, err := height.Part(part.first, part.count, height.Stride)
		if err == nil {
			err = p.extend(p.device.Stream, heightColumns{columns, height.logHeight}, own.coefficients,
				memory.coefficients.All())
		}
		if err != nil {
			return err
		}
		if i+1 == len(parts) || hashedLast(p.shape, height) {
			last = append(last, part)
			continue
		}
		stream, err := p.device.Side.Fork()
		if err == nil {
			err = p.hashPart(stream, own, memory, part)
		}
		if err != nil {
			return err
		}
	}
	if len(last) < len(parts) {
		if err := p.device.Side.Join(); err != nil {
			return err
		}
	}
	for _, part := range last {
		if err := p.hashPart(p.device.Stream, own, memory, part); err != nil {
			return err
		}
	}
	return nil
}

// hashPart absorbs a part of the columns into the sponges of the rows, or hashes the rows if the part has all columns.
func (p *proof) hashPart(stream *cuda.Stream, own *commitment, memory *commitMemory, part columnRun) error {
	height, each := own.heights[part.height], part.count
	if part.count < height.Count {
		each = uint32(max(1, cutBlocks/2) * hashing.Of(p.params.Hash).BlockWords())
	}
	logRows := height.logHeight + p.shape.Params.LogBlowup
	for first, end := part.first, part.first+part.count; first < end; first += each {
		columns, err := height.Part(first, min(each, end-first), height.Stride)
		if err != nil {
			return err
		}
		rows := tree.Rows{Log: logRows, Rows: hashing.Rows{Count: 1 << logRows,
			Segments: []kernels.Segment{columns.Segment()}, Sponges: memory.sponges,
			Begun: first > 0, More: first+columns.Count < height.Count}}
		if err := p.trees().HashRows(stream, own.tree, memory.joining, rows); err != nil {
			return err
		}
	}
	return nil
}
