package soundness

import (
	"fmt"
	"math"
	"strings"
)

// HashBits is what collisions of Keccak-256 allow.
const HashBits = 128

// Report is what is proven of a shape.
type Report struct {
	Shape   Shape
	Regimes []Regime // best first
}

// Analyze evaluates every regime. The error says what is impossible about the shape.
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

// Best is the regime that proves the most.
func (r *Report) Best() Regime { return r.Regimes[0] }

// Bits are the proven bits, rounded down, at most [HashBits].
func (r *Report) Bits() int {
	best := r.Best()
	if best.Why != "" || best.Bits <= 0 {
		return 0
	}
	return int(math.Floor(math.Min(best.Bits, HashBits)))
}

// ShortError says which rounds give less than was asked.
type ShortError struct {
	Want, Have int
	Terms      []Term // the rounds that fall short, in the best regime
	Why        string // set where no regime says anything
}

func (e *ShortError) Error() string {
	if e.Why != "" {
		return fmt.Sprintf("%d bits asked, none proven: %s", e.Want, e.Why)
	}
	if e.Want > HashBits {
		return fmt.Sprintf("%d bits asked: collisions of Keccak-256 cap every proof at %d", e.Want, HashBits)
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

// Require returns a *[ShortError] when fewer than bits are proven.
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
