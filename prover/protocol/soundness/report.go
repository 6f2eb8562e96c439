package soundness

import (
	"fmt"
	"math"
	"strings"
)

// HashBits is the collision resistance of the hash.
const HashBits = 128

// Report is the analysis of a shape.
type Report struct {
	Shape   Shape
	Regimes []Regime // best first
}

// Analyze evaluates every regime. It returns an error if the shape is invalid.
func Analyze(shape Shape) (*Report, error) {
	if err := shape.Validate(); err != nil {
		return nil, err
	}
	regimes := []Regime{
		johnson("Johnson", shape, johnson2025SameSet, johnson2025),
		johnson("Johnson, bound of 2020", shape, johnson2020),
		unique(shape),
	}
	best := 0
	for i, r := range regimes {
		if r.Why == "" && (regimes[best].Why != "" || r.Bits > regimes[best].Bits) {
			best = i
		}
	}
	regimes[0], regimes[best] = regimes[best], regimes[0]
	return &Report{Shape: shape, Regimes: regimes}, nil
}

// Best returns the regime with the most bits.
func (r *Report) Best() Regime { return r.Regimes[0] }

// Bits returns the number of proven bits, rounded down, at most [HashBits].
func (r *Report) Bits() int {
	best := r.Best()
	if best.Why != "" || best.Bits <= 0 {
		return 0
	}
	return int(math.Floor(math.Min(best.Bits, HashBits)))
}

// ShortError reports the rounds with fewer bits than required.
type ShortError struct {
	Want, Have int
	Terms      []Term // the rounds that fall short, in the best regime
	Why        string // set if no regime applies
}

func (e *ShortError) Error() string {
	if e.Why != "" {
		return fmt.Sprintf("%d bits asked, none proven: %s", e.Want, e.Why)
	}
	if e.Want > HashBits {
		return fmt.Sprintf("%d bits asked: collisions of the hash cap every proof at %d", e.Want, HashBits)
	}
	short := make([]string, len(e.Terms))
	for i, term := range e.Terms {
		short[i] = fmt.Sprintf("%s give%s %.1f (%s; %s)", term.Round, plural(term.Round), term.Bits, term.Detail, term.Source)
	}
	return fmt.Sprintf("%d bits asked, %d proven: %s", e.Want, e.Have, strings.Join(short, "; "))
}

func plural(subject string) string {
	if strings.HasSuffix(subject, "s") {
		return ""
	}
	return "s"
}

// Require returns a *[ShortError] if fewer than the given bits are proven.
func (r *Report) Require(bits int) error {
	have := r.Bits()
	if have >= bits {
		return nil
	}
	best := r.Best()
	short := &ShortError{Want: bits, Have: have, Why: best.Why}
	for _, term := range best.Terms {
		if term.Bits < float64(bits) {
			short.Terms = append(short.Terms, term)
		}
	}
	return short
}
