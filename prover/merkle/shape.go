package merkle

import (
	"fmt"
)

// maxLogHeight bounds heights so that indices fit into every integer type. The field has no larger domain anyway.
const maxLogHeight = 32

// Shape is the public form of a tree: matrix m has 2^LogHeights[m] rows and
// Widths[m] columns.
type Shape struct {
	Kind
	LogHeights []int
	Widths     []int
	CapHeight  int
}

// Validate checks the shape.
func (s Shape) Validate() error {
	if err := s.Hash.Validate(); err != nil {
		return err
	}
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
		if s.Extension && s.Widths[m]%3 != 0 {
			return fmt.Errorf("merkle: matrix %d has %d columns, want a multiple of 3: coordinates of the extension", m,
				s.Widths[m])
		}
	}
	if s.CapHeight < 0 {
		return fmt.Errorf("merkle: cap height %d is negative", s.CapHeight)
	}
	return nil
}

// LogHeight returns the logarithm of the largest height, which is the number of bits of a position.
func (s Shape) LogHeight() int {
	tallest := 0
	for _, l := range s.LogHeights {
		tallest = max(tallest, l)
	}
	return tallest
}

// LogCap returns the logarithm of the number of digests in the cap.
func (s Shape) LogCap() int {
	logCap := s.CapHeight
	for _, l := range s.LogHeights {
		logCap = min(logCap, l)
	}
	return logCap
}

// Permutations returns the number of Keccak-f permutations or BLAKE3 compressions for hashing a tree of the shape.
func (s Shape) Permutations() uint64 {
	words := map[int]int{}
	for m, l := range s.LogHeights {
		words[l] += s.Widths[m]
	}
	return s.Kind.Permutations(s.LogHeight(), s.LogCap(), words)
}

// Permutations returns the number of Keccak-f permutations or BLAKE3 compressions for hashing rows, and the nodes from
// the leaves to the cap. words maps the logarithm of a height to the row length in words.
func (k Kind) Permutations(logHeight, logCap int, words map[int]int) (total uint64) {
	hash := k.function()
	for l := logCap; l < logHeight; l++ {
		total += uint64(hash.nodeWork(words[l] > 0)) << l
	}
	for l, width := range words {
		total += uint64(hash.rowWork(width)) << l
	}
	return total
}

// wordBytes is the size of a hashed word.
const wordBytes = 8

// matricesOf returns the indices of the matrices of height 2^l, in order.
func (s Shape) matricesOf(l int) []int {
	var matrices []int
	for m, logHeight := range s.LogHeights {
		if logHeight == l {
			matrices = append(matrices, m)
		}
	}
	return matrices
}
