package ntt

// The last pass transforms blocks of 64 consecutive entries. Eight blocks are
// transposed into a tile of 64 rows, whose 8 columns they become.

// blockOffsets says where the blocks of a tile begin: column i is the block at
// blockOffsets[i].
type blockOffsets [tile]int

// adjacent is eight blocks in a row.
var adjacent = func() (offsets blockOffsets) {
	for i := range offsets {
		offsets[i] = i * last
	}
	return offsets
}()

var lastForward, lastInverse = rowOffsets(logLast, tile, false), rowOffsets(logLast, tile, true)

// lastBitReversed transforms all blocks of a piece, a multiple of eight, in
// place.
func lastBitReversed(w *workspace, piece []element, inverse bool) {
	p := pass{
		logRadix: logLast,
		tiles:    1,
		dst:      w.rows[:], src: w.rows[:],
		offsets: lastForward,
		stride:  tile,
		scratch: &w.scratch,
	}
	if inverse {
		p.offsets = lastInverse
	}
	for ; len(piece) > 0; piece = piece[last*tile:] {
		transposeIn(&w.rows, piece, &adjacent)
		p.run()
		transposeOut(piece, &w.rows)
	}
}

// lastNatural transforms the group of eight blocks whose results are entries
// 8*group to 8*group + 7 and those n/64, 2n/64, ... further on. Result K of the
// passes before stands at block rev(K).
func lastNatural(w *workspace, dst, src []element, log, group int, inverse bool) {
	logBlocks := log - logLast
	var blocks blockOffsets
	for i := range blocks {
		blocks[i] = reverse(group*tile+i, logBlocks) * last
	}
	transposeIn(&w.rows, src, &blocks)
	var offsets [maxRadix]int
	for k := range last {
		offsets[k] = outputIndex(k, logLast, inverse) << logBlocks
	}
	p := pass{
		logRadix: logLast,
		tiles:    1,
		dst:      dst[group*tile:], src: w.rows[:],
		offsets: &offsets,
		stride:  tile,
		scratch: &w.scratch,
	}
	p.run()
}

// transposeIn makes the block at src[offsets[i]] column i of rows.
func transposeIn(rows *[last * tile]element, src []element, offsets *blockOffsets) {
	if transposeInKernel(rows, src, offsets) {
		return
	}
	for i, offset := range offsets {
		block := (*[last]element)(src[offset:])
		for j, e := range block {
			rows[j*tile+i] = e
		}
	}
}

// transposeOut makes column i of rows block i of dst.
func transposeOut(dst []element, rows *[last * tile]element) {
	if transposeOutKernel(dst, rows) {
		return
	}
	for i := range tile {
		block := (*[last]element)(dst[i*last:])
		for j := range block {
			block[j] = rows[j*tile+i]
		}
	}
}
