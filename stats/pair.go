package stats

import (
	"fmt"
	"math"
)

// Order is the order in which the arms of a pair were measured.
type Order string

// The orders. The order analysis ignores pairs of unknown order.
const (
	OrderUnknown Order = ""
	OrderAB      Order = "AB" // base first
	OrderBA      Order = "BA" // head first
)

// Pair is one measurement of each arm. Pairs are in measurement order.
type Pair struct {
	Number int // identifies the pair in messages; 0: its index plus 1
	Block  int // the block that contains it, 0 if unknown
	// The process and the build of each arm, counted from 1 within the arm; 0 if unknown.
	Process, Build int
	// The host, counted from 1; 0 if there is only one. Blocks, processes and builds are numbered separately on each host.
	Host  int
	Order Order
	A, B  float64 // base, head
	Line  int     // line in the source file, 0 if none
}

// Scale defines the difference of a pair.
type Scale string

// The scales.
const (
	ScaleLog        Scale = "log"        // log(a) - log(b): times and other multiplicative quantities
	ScalePercent    Scale = "percent"    // 100 (a - b) / a
	ScaleDifference Scale = "difference" // a - b: additive quantities
)

// ParseScale reads the name of a scale.
func ParseScale(name string) (Scale, error) {
	switch s := Scale(name); s {
	case ScaleLog, ScalePercent, ScaleDifference:
		return s, nil
	}
	return "", fmt.Errorf("scale %q: want log, percent or difference", name)
}

// The range of |d| that can be squared and summed in a float64 without overflow or loss.
const largestDifference, smallestDifference = 1e140, 1e-140

// Differences returns d for each pair. Errors are values at most 0 on the log scale, an a of 0 on the percent scale,
// and values that are not finite on any scale.
func Differences(pairs []Pair, scale Scale) ([]float64, error) {
	if _, err := ParseScale(string(scale)); err != nil {
		return nil, err
	}
	d := make([]float64, len(pairs))
	for i, p := range pairs {
		if err := p.check(i, scale); err != nil {
			return nil, err
		}
		switch scale {
		case ScaleLog:
			d[i] = math.Log(p.A) - math.Log(p.B)
		case ScalePercent:
			d[i] = 100*(p.A-p.B)/p.A + 0 // never -0
		case ScaleDifference:
			d[i] = p.A - p.B
		}
		// The negation also catches NaN from infinite values.
		if size := math.Abs(d[i]); size != 0 && !(size >= smallestDifference && size <= largestDifference) {
			return nil, fmt.Errorf("%s: the size of the difference of %g and %g is outside %g to %g: use another unit",
				p.name(i), p.A, p.B, smallestDifference, largestDifference)
		}
	}
	return d, nil
}

// check validates the pair at index i.
func (p Pair) check(i int, scale Scale) error {
	if p.Order != OrderUnknown && p.Order != OrderAB && p.Order != OrderBA {
		return fmt.Errorf("%s: order %q: want AB or BA", p.name(i), string(p.Order))
	}
	for _, arm := range [...]struct {
		side  string
		value float64
	}{{"a", p.A}, {"b", p.B}} {
		side, value := arm.side, arm.value
		switch {
		case math.IsNaN(value) || math.IsInf(value, 0):
			return fmt.Errorf("%s: %s is %g: want a finite number", p.name(i), side, value)
		case scale == ScaleLog && value <= 0:
			return fmt.Errorf("%s: %s is %g: the log scale needs values above 0 (the difference scale does not)", p.name(i),
				side, value)
		case scale == ScalePercent && value == 0 && side == "a":
			return fmt.Errorf("%s: a is 0: the percent scale divides by it (the difference scale does not)", p.name(i))
		}
	}
	return nil
}

// name identifies the pair at index i for a user.
func (p Pair) name(i int) string {
	number := p.Number
	if number == 0 {
		number = i + 1
	}
	if p.Line != 0 {
		return fmt.Sprintf("line %d, pair %d", p.Line, number)
	}
	return fmt.Sprintf("pair %d", number)
}
