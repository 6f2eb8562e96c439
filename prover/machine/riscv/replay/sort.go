package replay

import "github.com/chiasmus/chiasmus/prover/parallel"

// Words have 29 bits: three digits.
const (
	digitBits = 10
	digits    = 3
	radix     = 1 << digitBits
)

// minBlock is the least number of keys for a goroutine.
const minBlock = 1 << 14

// byWord returns the indices of words, sorted by word. The sort is stable. Each key is word << 32 | index.
func byWord(pool *parallel.Pool, words []uint32) []uint64 {
	keys, other := make([]uint64, len(words)), make([]uint64, len(words))
	blocks := max(min(pool.Workers(), len(words)/minBlock), 1)
	bounds := func(b int) (lo, hi int) { return len(words) * b / blocks, len(words) * (b + 1) / blocks }
	pool.Each(blocks, func(b int) {
		lo, hi := bounds(b)
		for i := lo; i < hi; i++ {
			keys[i] = uint64(words[i])<<32 | uint64(i)
		}
	})
	counts := make([][radix]uint32, blocks)
	for d := range digits {
		shift := 32 + d*digitBits
		pool.Each(blocks, func(b int) {
			counts[b] = [radix]uint32{}
			lo, hi := bounds(b)
			for _, key := range keys[lo:hi] {
				counts[b][key>>shift%radix]++
			}
		})
		at := uint32(0)
		for digit := range radix {
			for b := range counts {
				counts[b][digit], at = at, at+counts[b][digit]
			}
		}
		pool.Each(blocks, func(b int) {
			place := &counts[b]
			lo, hi := bounds(b)
			for _, key := range keys[lo:hi] {
				digit := key >> shift % radix
				other[place[digit]] = key
				place[digit]++
			}
		})
		keys, other = other, keys
	}
	return keys
}
