package generate

import (
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/air"
)

// slots describes how the pieces of a run of clusters are added up, position by position. A piece is weighed by itself,
// which takes three products, unless its position continues the same constraint from cluster to cluster with
// coefficients that grow by a power of two. Such a piece is packed with a shift and an addition, and only the packed
// sum is weighed.
type slots struct {
	packed []bool // by position in the cluster
	doubly int    // packed coefficients grow by 2^doubly
	parts  []int  // lengths of the sequences of clusters in which the packed positions continue; nil if none is packed
}

// maxShift bounds the shifts of packed terms.
const maxShift = 32

// findSlots chooses the packed positions of a run of clusters.
func findSlots(run []cluster) slots {
	s := slots{packed: make([]bool, len(run[0]))}
	if len(run) < minPacking {
		return s
	}
	growth := map[int]int{}
	for j := range run[0] {
		for k := 1; k < len(run); k++ {
			if shift := growthOf(run[k-1][j].weight, run[k][j].weight); shift > 0 {
				growth[shift]++
			}
		}
	}
	for shift := 1; shift < maxShift; shift++ {
		if growth[shift] > growth[s.doubly] {
			s.doubly = shift
		}
	}
	if s.doubly == 0 {
		return s
	}
	one := false
	for j := range run[0] {
		steps := 0
		for k := 1; k < len(run); k++ {
			if growthOf(run[k-1][j].weight, run[k][j].weight) == s.doubly {
				steps++
			}
		}
		s.packed[j] = 4*steps >= 3*(len(run)-1)
		one = one || s.packed[j]
	}
	if one {
		s.cut(run)
	}
	return s
}

// cut ends a part where a packed position does not continue, or where a shift would be too large.
func (s *slots) cut(run []cluster) {
	length := 1
	for k := 1; k < len(run); k++ {
		goesOn := length*s.doubly < hornerBits
		for j, packed := range s.packed {
			if packed && growthOf(run[k-1][j].weight, run[k][j].weight) != s.doubly {
				goesOn = false
			}
		}
		if !goesOn {
			s.parts = append(s.parts, length)
			length = 0
		}
		length++
	}
	s.parts = append(s.parts, length)
}

// count counts the positions that are packed, or those that are not.
func (s *slots) count(packed bool) int {
	count := 0
	for _, is := range s.packed {
		if is == packed {
			count++
		}
	}
	return count
}

// growthOf returns the s for which the second weight is 2^s times the first, or 0.
func growthOf(first, second Weight) int {
	if first.Constraint != second.Constraint {
		return 0
	}
	ratio := uint64(second.Coefficient.Mul(first.Coefficient.Inverse()))
	if bits.OnesCount64(ratio) != 1 || ratio >= 1<<maxShift {
		return 0
	}
	return bits.TrailingZeros64(ratio)
}

// addends returns, by position, a step y if the position is packed and its value is a sum x + y whose operand y is also
// in the sum of another packed position, else -1. Such a y is packed once for all of these positions.
func (s slots) addends(shape *shape) []int {
	count := map[int]int{}
	operands := func(j int) []int {
		if root := shape.steps[shape.roots[j]]; s.packed[j] && root.op == air.Add && root.a != root.b {
			return []int{root.a, root.b}
		}
		return nil
	}
	for j := range s.packed {
		for _, operand := range operands(j) {
			count[operand]++
		}
	}
	addends := make([]int, len(s.packed))
	for j := range addends {
		addends[j] = -1
		for _, operand := range operands(j) {
			if count[operand] > 1 {
				addends[j] = operand
			}
		}
	}
	return addends
}
