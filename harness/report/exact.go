package report

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// Exact compares a quantity that repeats: a counter of the prover, the size of the proof, or a metric of metrics.exact
// in bench.yaml. It needs no test: any difference is a change.
type Exact struct {
	Name string `json:"name"`
	// The range over the counted proofs of each arm, null if an arm lacks the quantity.
	BaseMin stats.Number `json:"base_min"`
	BaseMax stats.Number `json:"base_max"`
	HeadMin stats.Number `json:"head_min"`
	HeadMax stats.Number `json:"head_max"`
	// Inexact says why the quantity cannot be compared without a test; empty if it can.
	Inexact string `json:"inexact,omitempty"`
	// Changed means that the arms have different values. ChangePercent is the increase from base to head, null if the
	// quantity is inexact or base's value is 0.
	Changed       bool         `json:"changed"`
	ChangePercent stats.Number `json:"change_percent"`
	// Max is the largest allowed increase as a fraction, null if bench.yaml has none. Bound is the result.
	Max   *float64 `json:"max"`
	Bound Bound    `json:"bound,omitempty"`
}

// A Bound is the result of checking a bound on an exact metric.
type Bound string

// The results. A bound is open if the quantity does not repeat, or is missing.
const (
	BoundHeld     Bound = "held"
	BoundExceeded Bound = "exceeded"
	BoundOpen     Bound = "open"
)

// Exceeded reports whether a bound of bench.yaml is exceeded.
func (e Exact) Exceeded() bool { return e.Bound == BoundExceeded }

// exact compares the quantities that repeat, over the counted pairs.
func exact(d *plan.Decision, w *Workload) []Exact {
	names := map[string]bool{metrics.ProofBytes: true}
	for name := range d.File.Metrics.Exact {
		names[name] = true
	}
	for _, p := range w.Pairs {
		for _, at := range []int{p.Base, p.Head} {
			for name := range w.Samples[at].Counters {
				names[name] = true
			}
		}
	}
	out := []Exact{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		e := compareExactly(w, name)
		if most, bound := d.File.Metrics.Exact[name]; bound {
			e.Max = &most
			e.Bound = e.bound(w, most)
		}
		if e.BaseMin.Exists() || e.HeadMin.Exists() || e.Max != nil {
			out = append(out, e)
		}
	}
	return out
}

// values returns the values of a counter or metric in the counted proofs of an arm, and whether all of them have it.
func (w *Workload) values(arm schedule.Arm, name string) (values []float64, all bool) {
	for _, p := range w.Pairs {
		at := p.Base
		if arm == schedule.Head {
			at = p.Head
		}
		value, ok := w.Samples[at].Counters[name]
		if !ok {
			value, ok = w.Samples[at].Value(name)
		}
		if ok {
			values = append(values, value)
		}
	}
	return values, len(values) == len(w.Pairs)
}

// compareExactly compares one quantity. The comparison is exact if each arm has a single value, or if both arms have
// equal values in every pair: both get the same seeds, and a proof's cost may depend on its input.
func compareExactly(w *Workload, name string) Exact {
	missing := stats.Number(math.NaN())
	e := Exact{Name: name, BaseMin: missing, BaseMax: missing, HeadMin: missing, HeadMax: missing, ChangePercent: missing}
	base, allBase := w.values(schedule.Base, name)
	head, allHead := w.values(schedule.Head, name)
	if len(base) > 0 {
		e.BaseMin, e.BaseMax = stats.Number(slices.Min(base)), stats.Number(slices.Max(base))
	}
	if len(head) > 0 {
		e.HeadMin, e.HeadMax = stats.Number(slices.Min(head)), stats.Number(slices.Max(head))
	}
	switch {
	case !allBase || !allHead:
		e.Inexact = missingOn(base, head, len(w.Pairs))
	case slices.Equal(base, head):
		e.ChangePercent = 0
	case e.BaseMin != e.BaseMax:
		e.Inexact = "does not repeat on base"
	case e.HeadMin != e.HeadMax:
		e.Inexact = "does not repeat on head"
	default:
		e.Changed = true
		e.ChangePercent = 100 * (e.HeadMin - e.BaseMin) / e.BaseMin // infinite, so null in JSON, if base's value is 0
	}
	return e
}

// missingOn names the arm that lacks a quantity.
func missingOn(base, head []float64, pairs int) string {
	arm, values := schedule.Base, base
	if len(base) == pairs {
		arm, values = schedule.Head, head
	}
	if len(values) == 0 {
		return fmt.Sprintf("%s does not report it", arm)
	}
	return fmt.Sprintf("%s reports it in %d of %d proofs only", arm, len(values), pairs)
}

// bound checks whether head's value exceeds base's by more than the fraction most. The bound is held if it is held in
// every pair. It is exceeded if base's value repeats, or if all of head's values exceed base's maximum by more than the
// bound. Otherwise base varies, and only a statistical test could decide.
func (e Exact) bound(w *Workload, most float64) Bound {
	base, allBase := w.values(schedule.Base, e.Name)
	head, allHead := w.values(schedule.Head, e.Name)
	if !allBase || !allHead {
		return BoundOpen
	}
	held := true
	for i := range base {
		held = held && head[i] <= limit(base[i], most)
	}
	switch {
	case held:
		return BoundHeld
	case e.BaseMin == e.BaseMax, e.HeadMin.Float() > limit(e.BaseMax.Float(), most):
		return BoundExceeded
	}
	return BoundOpen
}

// limit returns the largest allowed value. The tolerance keeps rounding from reporting that 100 exceeds 80 by more than
// 25 %.
func limit(base, most float64) float64 { return base + most*math.Abs(base)*(1+1e-12) }
