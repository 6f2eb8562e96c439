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

var lastOffsets = storeAt(logLast, tile, forwardReversed)

// lastBitReversed transforms all blocks of a piece, a multiple of eight, in
// place.
func lastBitReversed(w *workspace, piece []element) {
	p := pass{
		logRadix: logLast,
		tiles:    1,
		dst:      w.tile[:], src: w.tile[:],
		offsets: lastOffsets,
		stride:  tile,
		scratch: &w.scratch,
	}
	for ; len(piece) > 0; piece = piece[last*tile:] {
		transposeIn(&w.tile, piece, &adjacent, false)
		p.run()
		transposeOut(piece, w.tile[:], last)
	}
}

// transposeIn makes the block at src[offsets[i]] column i of rows, with the rows
// in natural or in bit-reversed order.
func transposeIn(rows *[last * tile]element, src []element, offsets *blockOffsets, reversed bool) {
	if transposeInKernel(rows, src, offsets, reversed) {
		return
	}
	for i, offset := range offsets {
		block := (*[last]element)(src[offset:])
		for j, e := range block {
			if reversed {
				j = reverseBits(j, logLast)
			}
			rows[j*tile+i] = e
		}
	}
}

// transposeOut makes column i of a tile of 64 rows the block at dst[i*stride].
func transposeOut(dst, rows []element, stride int) {
	if transposeOutKernel(dst, rows, stride) {
		return
	}
	for i := range tile {
		block := (*[last]element)(dst[i*stride:])
		for j := range block {
			block[j] = rows[j*tile+i]
		}
	}
}
