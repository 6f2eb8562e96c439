package gpu

import (
	"cmp"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/tree"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Rows are hashed beside transforms. At the end of each launch of transforms a part of the device has nothing to do,
// and hashing waits for nothing but columns: so while columns are extended on the main stream, the rows of those
// before are hashed on a stream beside it. They are the columns of a height; where a height has many, they are cut
// into parts, and between two parts the sponges of its rows lie in memory.

// A height of so many blocks of [blockWords] columns is cut, into parts for whose coefficients there is
// memory at once, of a quarter of these blocks at least. A sponge absorbs half of them at a time, not more: its
// block on the device is in the way of the next transforms until it is through. Each time sponges are read and
// written, 50 words a row beside the 136 of that many columns. Tests lower it.
var cutBlocks = 16

// Where there is memory for all columns of such a height at once, and its extension has so many rows or fewer, rows are
// hashed when everything has been extended. Beside transforms they would be the lot of those multiprocessors that
// are free just then, with up to six blocks each, until all columns are absorbed: 0.35 ms for 2^15 rows of 411, or by
// chance twice that. So many rows are two thirds of what an H200 hashes at once. Tests change it.
var fewRows = uint64(1) << 16

// blockWords is of how many words parts consist: those of a block of the sponge, or of two of BLAKE3's blocks, which
// are about as many.
func blockWords(hash merkle.Hash) int {
	if hash == merkle.Blake3 {
		return 2 * kernels.ChainWords
	}
	return kernels.RateWords
}

// blocksOf is how many blocks of [blockWords] so many columns are.
func blocksOf(hash merkle.Hash, width int) int {
	return (width + blockWords(hash) - 1) / blockWords(hash)
}

// partColumns is how many columns of a height are a part: whole blocks, or all.
func partColumns(hash merkle.Hash, n uint64, width int) int {
	blocks := blocksOf(hash, width)
	if blocks < cutBlocks {
		return width
	}
	most := max(1, cutBlocks/4, int(coefficientBytes/(n*wordBytes*uint64(blockWords(hash)))))
	parts := (blocks + most - 1) / most
	return min(width, (blocks+parts-1)/parts*blockWords(hash))
}

// spongeBytes is the memory of the sponges of a height's rows, where they are hashed in parts. A lean proof, of
// which memory asks for columns a coset at a time, hashes those at once.
func spongeBytes(shape *protocol.Shape, phase protocol.Phase, logHeight, width int, lean bool) uint64 {
	if shape.Params.Hash == merkle.Blake3 || isLean(phase, lean) ||
		partColumns(shape.Params.Hash, 1<<logHeight, width) == width {
		return 0
	}
	return kernels.SpongeBytes(1 << (logHeight + shape.Params.LogBlowup))
}

// columnRun are columns of a height that follow one another.
type columnRun struct {
	height       int // its number among the heights
	first, count uint32
}

// hashedParts cuts up the columns of a phase. The height with the most cells comes first: its rows are hashed beside
// the most transforms, and behind the last transforms little is left to hash.
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

// hashedLast reports a height whose rows are hashed when all columns have been extended.
func hashedLast(shape *protocol.Shape, height heightColumns) bool {
	n, width, hash := uint64(1)<<height.logHeight, int(height.Count), shape.Params.Hash
	return blocksOf(hash, width) >= cutBlocks && partColumns(hash, n, width) == width &&
		n<<shape.Params.LogBlowup <= fewRows
}

// smallLogHeight is up to which height columns are extended and hashed on a lane, beside taller ones, with memory for
// their coefficients: launches for so few rows leave most of the device idle. Tests change it.
var smallLogHeight = 14

// isSmall says so of a height of so many columns. The tallest has the main stream, and many columns are hashed in
// parts, or last.
func isSmall(shape *protocol.Shape, phase protocol.Phase, logHeight, width int, lean bool) bool {
	return !isLean(phase, lean) && logHeight <= smallLogHeight && blocksOf(shape.Params.Hash, width) < cutBlocks &&
		logHeight < shape.TreeShape(phase).LogHeight()-shape.Params.LogBlowup
}

// commitWhole extends the columns and hashes the rows. Small heights go beside the others.
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

// commitParts extends columns and hashes rows, each part of the columns beside the extension of the next. The last part
// has none beside it, and some have to wait until it is extended.
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
		stream, err := p.device.Beside.Fork()
		if err == nil {
			err = p.hashPart(stream, own, memory, part)
		}
		if err != nil {
			return err
		}
	}
	if len(last) < len(parts) {
		if err := p.device.Beside.Join(); err != nil {
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

// hashPart lets the sponges of rows absorb a part of their columns, or hashes the rows where the part has them all.
func (p *proof) hashPart(stream *cuda.Stream, own *commitment, memory *commitMemory, part columnRun) error {
	height, each := own.heights[part.height], part.count
	if part.count < height.Count {
		each = uint32(max(1, cutBlocks/2) * blockWords(p.params.Hash))
	}
	logRows := height.logHeight + p.shape.Params.LogBlowup
	for first, end := part.first, part.first+part.count; first < end; first += each {
		columns, err := height.Part(first, min(each, end-first), height.Stride)
		if err != nil {
			return err
		}
		rows := tree.Rows{Log: logRows, Count: 1 << logRows, Segments: []kernels.Segment{columns.Segment()},
			Sponges: memory.sponges, Begun: first > 0, More: first+columns.Count < height.Count}
		if err := p.trees().HashRows(stream, own.tree, memory.joining, rows); err != nil {
			return err
		}
	}
	return nil
}
