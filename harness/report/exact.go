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

// Exact compares a quantity that repeats: a counter of the prover, the size of the proof, or what metrics.exact of
// bench.yaml names. It needs no test: any change is one.
type Exact struct {
	Name string `json:"name"`
	// The least and the most of the counted proofs of each arm, null where none has it.
	BaseMin stats.Number `json:"base_min"`
	BaseMax stats.Number `json:"base_max"`
	HeadMin stats.Number `json:"head_min"`
	HeadMax stats.Number `json:"head_max"`
	// Inexact says why it cannot be compared without a test; empty where it can.
	Inexact string `json:"inexact,omitempty"`
	// Changed says that head's value is not base's. ChangePercent is by how much it is more, null where it is inexact, or
	// base's is 0.
	Changed       bool         `json:"changed"`
	ChangePercent stats.Number `json:"change_percent"`
	// Max is the fraction by which it may grow, null where bench.yaml does not say; Bound then says how that went.
	Max   *float64 `json:"max"`
	Bound Bound    `json:"bound,omitempty"`
}

// A Bound is how a bound on an exact metric went.
type Bound string

// The ends of a bound. It is open where what it bounds does not repeat, or is missing.
const (
	BoundHeld     Bound = "held"
	BoundExceeded Bound = "exceeded"
	BoundOpen     Bound = "open"
)

// Exceeded says that a bound of bench.yaml is broken.
func (e Exact) Exceeded() bool { return e.Bound == BoundExceeded }

// exact compares what repeats, over the counted pairs.
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

// values are those of a counter or metric over the counted proofs of an arm. It says whether all of them have it.
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

// compareExactly compares one quantity. It is exact where each arm has one value, or where both have the same value in
// every pair: they get the same seeds, and what a proof takes may depend on its input.
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
		e.ChangePercent = 100 * (e.HeadMin - e.BaseMin) / e.BaseMin // infinite where base's is 0, which is null in JSON
	}
	return e
}

// missingOn says which arm lacks a quantity.
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

// bound judges a bound: by how much head's value may exceed base's. It is held where it is held in every pair. It is
// broken where base's value repeats, or is below all of head's by more than the bound; where base's varies with
// whatever it is, nobody can tell without a test.
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

// limit is what a value may grow to. Rounding must not let 100 exceed 80 by more than 25 %.
func limit(base, most float64) float64 { return base + most*math.Abs(base)*(1+1e-12) }
