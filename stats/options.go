package stats

import "fmt"

// Zeros is the signed-rank test's treatment of differences of exactly 0.
type Zeros string

// The treatments of zeros.
const (
	ZerosPratt  Zeros = "pratt"  // ranked with the others, then excluded from both sums
	ZerosWilcox Zeros = "wilcox" // excluded before ranking
)

// ParseZeros reads the name of a treatment.
func ParseZeros(name string) (Zeros, error) {
	switch z := Zeros(name); z {
	case ZerosPratt, ZerosWilcox:
		return z, nil
	}
	return "", fmt.Errorf("zeros %q: want pratt or wilcox", name)
}

// Options control the analysis of pairs. An empty Scale, Zeros or Alpha means its default.
type Options struct {
	Scale Scale   // default ScaleLog
	Zeros Zeros   // default ZerosPratt
	Alpha float64 // default DefaultAlpha

	// Equivalence is the smallest effect worth acting on, as a fraction (0.01 is 1 %). 0 disables the equivalence test.
	Equivalence float64

	// HigherIsBetter is set for rates: higher values of head are an improvement. It affects only the verdict.
	HigherIsBetter bool

	// Unit is the sampling unit, or empty for [UnitOf] the pairs.
	Unit Unit

	// Family is the number of tests that are adjusted together with this one; 0 means 1. It affects the pairs needed,
	// which are for this test's share of Alpha, and whether flipping the hosts' signs can reach that share (see
	// [Analyze]).
	Family int
}

// Defaults.
const (
	DefaultAlpha       = 0.05
	DefaultEquivalence = 0.01
)

// DefaultOptions returns the log scale, Pratt's zeros, alpha 5 % and a margin of 1 %.
func DefaultOptions() Options {
	return Options{Scale: ScaleLog, Zeros: ZerosPratt, Alpha: DefaultAlpha, Equivalence: DefaultEquivalence}
}

// complete fills in the defaults and checks the rest.
func (o Options) complete() (Options, error) {
	if o.Scale == "" {
		o.Scale = ScaleLog
	}
	if o.Zeros == "" {
		o.Zeros = ZerosPratt
	}
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
	}
	if _, err := ParseScale(string(o.Scale)); err != nil {
		return o, err
	}
	if _, err := ParseZeros(string(o.Zeros)); err != nil {
		return o, err
	}
	if err := checkAlpha(o.Alpha); err != nil {
		return o, err
	}
	if !(o.Equivalence >= 0 && o.Equivalence < 1) {
		return o, fmt.Errorf("equivalence %g: want a fraction from 0 (off) to under 1", o.Equivalence)
	}
	return o, nil
}

// checkAlpha rejects rates that no test can have. Below 1e-15 a two-sided level is lost in rounding.
func checkAlpha(alpha float64) error {
	if !(alpha >= 1e-15 && alpha < 1) {
		return fmt.Errorf("alpha %g: want a rate above 1e-15 and below 1", alpha)
	}
	return nil
}
