package soundness

import (
	"math"
	"testing"
)

// The class with the most constraints decides the constraint challenge's bits, whichever height it has.
func TestTheLargestClassDecides(t *testing.T) {
	bits := func(tall, low int) float64 {
		shape := oneTable(16)
		shape.Instances[0].Constraints = tall
		small := shape.Instances[0]
		small.LogHeight, small.Constraints = 10, low
		shape.Instances = append(shape.Instances, small)
		shape.Folds = []Fold{{LogSize: 14, LogArity: 3}, {LogSize: 11, LogArity: 3, joins: true}}
		return bitsOf(t, analyze(t, shape).Best(), "constraint challenge")
	}
	if one, other := bits(3, 3000), bits(3000, 3); math.Abs(one-other) > tolerance {
		t.Errorf("3000 constraints give %v bits in the lower class and %v in the taller", one, other)
	}
	if few, many := bits(3, 3), bits(3, 3000); few-many < 10 {
		t.Errorf("3 constraints give %v bits, 3000 of the lower class %v", few, many)
	}
}
