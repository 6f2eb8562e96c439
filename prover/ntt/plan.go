package ntt

import "math/bits"

const (
	// logTile is the width of a tile: 8 entries, one vector register of 512
	// bits and one cache line.
	logTile = 3
	tile    = 1 << logTile

	// logLast is the radix of the last pass.
	logLast = 6
	last    = 1 << logLast

	// logMaxRadix bounds the radix of a pass: 128th roots of unity are not powers of two.
	logMaxRadix = 6
	maxRadix    = 1 << logMaxRadix

	// logMinPlan is the smallest transform that is split into passes. For smaller ones, the last pass would not have
	// eight blocks.
	logMinPlan = logLast + logTile

	// logMaxStrip is the height of a strip, 8 entries wide, that stays in the
	// second-level cache while passes go over it: 256 KiB.
	logMaxStrip = 12

	// logLongRows is the length of rows if rows of 64 would make strips too high and this length suffices. Lengths of
	// 2^9 to 2^11 perform about as well.
	logLongRows = 10
)

// shape is the layout of a transform of 2^log points: the column is a matrix of
// rows rows of columns entries.
type shape struct {
	log, logRows, logColumns int
	rows, columns            int
}

// newShape returns rows of 64 as long as strips over the columns fit the cache. It
// requires log >= logMinPlan.
func newShape(log int) shape {
	if log-logLast <= logMaxStrip {
		return shapeOf(logLast, log-logLast)
	}
	logRows := max(logLongRows, log-logMaxStrip)
	return shapeOf(logRows, log-logRows)
}

// shapeOf returns any shape. Rows have 64 entries, or 2^logMinPlan and more.
func shapeOf(logRows, logColumns int) shape {
	return shape{logRows + logColumns, logRows, logColumns, 1 << logRows, 1 << logColumns}
}

// radices returns the logarithms of the radices of the passes that make up a transform of 2^k points: as few as
// possible, the larger ones last. Of two, the last is as large as possible, because the last pass of interpolation
// and the first of evaluation meet in the first-level cache; of more, all are about equal. It requires k >= logTile.
func radices(k int) []int {
	passes := (k + logMaxRadix - 1) / logMaxRadix
	if passes == 2 {
		final := min(logMaxRadix, k-logTile)
		return []int{k - final, final}
	}
	logs := make([]int, passes)
	for i := range logs {
		logs[i] = (k + i) / passes
	}
	return logs
}

// reverseBits reverses the low k bits of i. The other bits must be 0.
func reverseBits(i, k int) int { return int(bits.Reverse64(uint64(i)) >> 1 >> (63 - k)) }
