package stats

import (
	"fmt"
	"math"
)

// Order says which arm of a pair was measured first.
type Order string

// The orders. A pair of unknown order takes no part in the order analysis.
const (
	OrderUnknown Order = ""
	OrderAB      Order = "AB" // base first
	OrderBA      Order = "BA" // head first
)

// Pair is one measurement of each arm. Pairs are given in the order they were measured.
type Pair struct {
	Number int // names the pair in messages; 0: its place, counted from 1
	Block  int // the block it was measured in, 0 when unknown
	// The process and the build of either arm that measured it, counted from 1 within the arm; 0 when unknown.
	Launch, Build int
	// The host of several that measured it, counted from 1; 0 where there is one. The numbers of blocks, launches and
	// builds are then different ones on each host.
	Host  int
	Order Order
	A, B  float64 // base, head
	Line  int     // the line of the file it was read from, 0 when it was not
}

// Scale says how a pair becomes a difference.
type Scale string

// The scales.
const (
	ScaleLog        Scale = "log"        // Log(a) - Log(b): times, and whatever multiplies
	ScalePercent    Scale = "percent"    // 100 (a - b) / a
	ScaleDifference Scale = "difference" // a - b: quantities that add
)

// ParseScale reads the name of a scale.
func ParseScale(name string) (Scale, error) {
	switch s := Scale(name); s {
	case ScaleLog, ScalePercent, ScaleDifference:
		return s, nil
	}
	return "", fmt.Errorf("scale %q: want log, percent or difference", name)
}

// The differences that can be squared and summed in a float64 without overflow or loss.
const largestDifference, smallestDifference = 1e140, 1e-140

// Differences returns d for each pair. On the log scale values at or under 0 are an error, on the percent scale an
// a of 0 is; values that are not finite are an error on every scale.
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
		// The negation also catches a NaN from infinities that met.
		if size := math.Abs(d[i]); size != 0 && !(size >= smallestDifference && size <= largestDifference) {
			return nil, fmt.Errorf("%s: the difference of %g and %g lies outside %g to %g in size: use another unit",
				p.name(i), p.A, p.B, smallestDifference, largestDifference)
		}
	}
	return d, nil
}

// check says what is wrong with the pair at place i, if anything is.
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

// name names the pair at place i as a user would look for it.
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
