package stats

import (
	"fmt"
	"strings"
)

// WarningKind is the subject of a warning.
type WarningKind string

// The kinds of warning.
const (
	WarnConstant WarningKind = "constant differences"
	WarnTooFew   WarningKind = "too few pairs"
	WarnOneEach  WarningKind = "one process per arm"
	WarnOrder    WarningKind = "order effect"
	WarnOneOrder WarningKind = "one order only"
	WarnMargin   WarningKind = "no margin"
	WarnInterim  WarningKind = "between analyses"
	WarnControl  WarningKind = "control moved"
)

// Warning is a caveat about a result. In JSON it is the string "kind: text".
type Warning struct {
	Kind WarningKind
	Text string
}

func (w Warning) String() string {
	if w.Kind == "" {
		return w.Text
	}
	return string(w.Kind) + ": " + w.Text
}

// MarshalText returns "kind: text".
func (w Warning) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText parses "kind: text". Text without a kind is kept whole.
func (w *Warning) UnmarshalText(text []byte) error {
	kind, rest, found := strings.Cut(string(text), ": ")
	if !found {
		kind, rest = "", string(text)
	}
	*w = Warning{WarningKind(kind), rest}
	return nil
}

func warning(kind WarningKind, format string, arguments ...any) Warning {
	return Warning{kind, fmt.Sprintf(format, arguments...)}
}

// orderWarningP is the p-value below which an order effect causes a warning.
const orderWarningP = 0.01

// warnings returns the caveats of r.
func (r Result) warnings(pairs []Pair, options Options, level float64) []Warning {
	list := []Warning{}
	if r.T.constant() {
		list = append(list, warning(WarnConstant, "all %d differences are exactly %g, so there is no t statistic",
			r.Units, float64(r.T.Mean)))
	}
	// A verdict of equivalence does not need the sign-flip test, which can only find a change.
	if decided := r.Verdict == Equivalent || r.Verdict == Negligible; float64(r.SignFlip.MinP) > level && !decided {
		list = append(list, warning(WarnTooFew,
			"%d non-zero differences of a %s give a sign-flip p of at least %.3g, above %.3g: too few for a verdict of "+
				"improvement or regression, which needs %d",
			r.SignFlip.N-r.SignFlip.Zeros, r.Unit, float64(r.SignFlip.MinP), level, SmallestUnits(level)))
	}
	if r.Processes == 1 {
		list = append(list, warning(WarnOneEach,
			"each arm made all proofs in one process: variation between processes of one build would count as a difference"))
	}
	if r.Order.P.Exists() && r.Order.P < orderWarningP {
		list = append(list, warning(WarnOrder,
			"pairs measured base first and head first differ by %.3g (p = %.2g); the order-adjusted mean is %.3g",
			float64(r.Order.Effect), float64(r.Order.P), float64(r.Order.AdjustedMean)))
	}
	if order, only := onlyOrder(pairs); only {
		list = append(list, warning(WarnOneOrder,
			"every pair was measured in the order %s, so an order effect or a drift cannot be distinguished from a difference",
			order))
	}
	if options.Equivalence > 0 && !r.TOST.Margin.Exists() {
		list = append(list, warning(WarnMargin,
			"the mean of a is %g, so there is no margin relative to it and equivalence was not tested", float64(r.MeanA)))
	}
	return list
}

// onlyOrder reports whether all orders are known and equal.
func onlyOrder(pairs []Pair) (Order, bool) {
	first := pairs[0].Order
	for _, p := range pairs {
		if p.Order != first {
			return first, false
		}
	}
	return first, first != OrderUnknown && len(pairs) > 1
}
