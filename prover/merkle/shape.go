package merkle

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/keccak"
)

// maxLogHeight bounds heights so that indices fit every integer type. The
// field has no larger domain either.
const maxLogHeight = 32

// Shape is the public form of a tree: matrix m has 2^LogHeights[m] rows and
// Widths[m] columns.
type Shape struct {
	LogHeights []int
	Widths     []int
	CapHeight  int
}

// Validate reports what is wrong with the shape.
func (s Shape) Validate() error {
	if len(s.LogHeights) == 0 {
		return fmt.Errorf("merkle: a tree without matrices")
	}
	if len(s.LogHeights) != len(s.Widths) {
		return fmt.Errorf("merkle: %d heights for %d widths", len(s.LogHeights), len(s.Widths))
	}
	for m, l := range s.LogHeights {
		if l < 0 || l > maxLogHeight {
			return fmt.Errorf("merkle: matrix %d has height 2^%d, want 2^0 to 2^%d", m, l, maxLogHeight)
		}
		if s.Widths[m] < 1 {
			return fmt.Errorf("merkle: matrix %d has %d columns, want at least 1", m, s.Widths[m])
		}
	}
	if s.CapHeight < 0 {
		return fmt.Errorf("merkle: cap height %d is negative", s.CapHeight)
	}
	return nil
}

// LogHeight is the logarithm of the tallest height, which is the number of bits
// of a position.
func (s Shape) LogHeight() int {
	tallest := 0
	for _, l := range s.LogHeights {
		tallest = max(tallest, l)
	}
	return tallest
}

// LogCap is the logarithm of the number of digests in the cap.
func (s Shape) LogCap() int {
	logCap := s.CapHeight
	for _, l := range s.LogHeights {
		logCap = min(logCap, l)
	}
	return logCap
}

// Permutations is how many permutations of Keccak-f it takes to hash a tree of the shape.
func (s Shape) Permutations() uint64 {
	words := map[int]int{}
	for m, l := range s.LogHeights {
		words[l] += s.Widths[m]
	}
	return Permutations(s.LogHeight(), s.LogCap(), words)
}

// Permutations is how many permutations of Keccak-f it takes to hash rows of so many words, by the logarithm of
// their height, and over them the nodes from the leaves to the cap: a node with the digest of rows still is one block.
func Permutations(logHeight, logCap int, words map[int]int) uint64 {
	total := uint64(1)<<logHeight - uint64(1)<<logCap
	for l, width := range words {
		total += uint64(keccak.Permutations(wordBytes*width)) << l
	}
	return total
}

// wordBytes is the size of a word as it is hashed.
const wordBytes = 8

// matricesOf lists the matrices of height 2^l, in order.
func (s Shape) matricesOf(l int) []int {
	var matrices []int
	for m, logHeight := range s.LogHeights {
		if logHeight == l {
			matrices = append(matrices, m)
		}
	}
	return matrices
}
