package ntt

// The last pass transforms blocks of 64 consecutive entries, eight at a time: they become the columns of a tile of 64
// rows.

// lastOffsets are the offsets in a block of the kernels' outputs 0 to 7: the outputs k0, k0 + 8, ... are adjacent in
// bit-reversed order.
var lastOffsets = func() (offsets [8]int) {
	for k := range offsets {
		offsets[k] = reverseBits(k, logLast)
	}
	return offsets
}()

// lastBitReversed transforms all blocks of a piece, a multiple of eight, in
// place.
func lastBitReversed(w *workspace, piece []element) {
	if lastKernel(w, piece) {
		return
	}
	p := pass{
		logRadix: logLast,
		tiles:    1,
		dst:      w.tile[:], src: w.tile[:],
		offsets: storeAt(logLast, tile, forwardReversed),
		stride:  tile,
		scratch: &w.scratch,
	}
	for ; len(piece) > 0; piece = piece[last*tile:] {
		for i := range tile {
			for j, e := range piece[i*last : (i+1)*last] {
				w.tile[j*tile+i] = e
			}
		}
		p.run()
		transposeOut(piece, w.tile[:], last)
	}
}

// blockOffsets are the starts of a tile's blocks: column i is the block at blockOffsets[i].
type blockOffsets [tile]int

// transposeIn copies the block at src[offsets[i]] to column i of rows, in bit-reversed
// order.
func transposeIn(rows *[last * tile]element, src []element, offsets *blockOffsets) {
	if transposeInKernel(rows, src, offsets) {
		return
	}
	for i, offset := range offsets {
		for j, e := range src[offset : offset+last] {
			rows[reverseBits(j, logLast)*tile+i] = e
		}
	}
}

// transposeOut copies column i of a tile of 64 rows to the block at dst[i*stride].
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
