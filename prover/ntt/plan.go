package ntt

const (
	// logTile is the width of a tile: 8 entries, one vector register of 512
	// bits and one cache line.
	logTile = 3
	tile    = 1 << logTile

	// logLast is the radix of the last pass.
	logLast = 6
	last    = 1 << logLast

	// logMaxRadix bounds the radix of a pass: 2 has no 128th root of unity
	// among its powers.
	logMaxRadix = 6
	maxRadix    = 1 << logMaxRadix

	// logMinPlan is the smallest transform that is cut into passes. Below, the
	// last pass would not find eight blocks.
	logMinPlan = logLast + logTile
)

// radices is the logarithms of the radices of all passes before the last, for
// a transform of 2^k points: as few as possible, as equal as possible, the
// larger ones first. It requires k >= logMinPlan.
func radices(k int) []int {
	levels := k - logLast
	passes := (levels + logMaxRadix - 1) / logMaxRadix
	logs := make([]int, passes)
	for i := range logs {
		logs[i] = (levels + passes - 1 - i) / passes
	}
	return logs
}

// reverse reverses the low k bits of i.
func reverse(i, k int) int {
	r := 0
	for range k {
		r = r<<1 | i&1
		i >>= 1
	}
	return r
}
