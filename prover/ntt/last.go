package ntt

// The last pass transforms blocks of 64 consecutive entries. Eight blocks are
// transposed into a tile of 64 rows, whose 8 columns they become.

// lastBitReversed transforms all blocks of a piece, a multiple of eight, in
// place.
func lastBitReversed(piece []element, inverse bool) {
	var rows [last * tile]element
	p := pass{
		logRadix: logLast,
		tiles:    1,
		dst:      rows[:], src: rows[:],
		offsets: lastOffsets(inverse),
		stride:  tile,
	}
	for ; len(piece) > 0; piece = piece[last*tile:] {
		transposeIn(&rows, piece, last, 0)
		p.run()
		transposeOut(piece, &rows)
	}
}

// lastNatural transforms the group of eight blocks whose results are entries
// 8*group to 8*group + 7 and those n/64, 2n/64, ... further on. Result K of the
// passes before stands at block rev(K).
func lastNatural(dst, src []element, log, group int, inverse bool) {
	var rows [last * tile]element
	logBlocks := log - logLast
	transposeIn(&rows, src[reverse(group, logBlocks-logTile)<<logLast:], last<<(logBlocks-logTile), logTile)
	var offsets [maxRadix]int
	for k := range last {
		offsets[k] = outputIndex(k, logLast, inverse) << logBlocks
	}
	p := pass{
		logRadix: logLast,
		tiles:    1,
		dst:      dst[group*tile:], src: rows[:],
		offsets: &offsets,
		stride:  tile,
	}
	p.run()
}

var lastForward, lastInverse = rowOffsets(logLast, tile, false), rowOffsets(logLast, tile, true)

func lastOffsets(inverse bool) *[maxRadix]int {
	if inverse {
		return lastInverse
	}
	return lastForward
}

// transposeIn makes block i of src, which starts at i*stride, column rev(i) of
// rows, rev reversing the low logReverse bits.
func transposeIn(rows *[last * tile]element, src []element, stride, logReverse int) {
	for i := range tile {
		column := reverse(i, logReverse)
		if logReverse == 0 {
			column = i
		}
		block := (*[last]element)(src[i*stride:])
		for j, e := range block {
			rows[j*tile+column] = e
		}
	}
}

// transposeOut makes column i of rows block i of dst.
func transposeOut(dst []element, rows *[last * tile]element) {
	for i := range tile {
		block := (*[last]element)(dst[i*last:])
		for j := range block {
			block[j] = rows[j*tile+i]
		}
	}
}
