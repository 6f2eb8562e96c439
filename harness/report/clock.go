package report

import (
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/internal/floor"
)

// A Clock says whose clock decides a workload whose planned metric is the prover's own time, prove_seconds.
//
// The prover's clock decides only if it cannot change the verdict: in every counted proof of both arms, it agrees with
// the harness's clock (wall_seconds) to within a fifth of the margin of equivalence. Whatever a prover reports, the
// effect then differs by at most that much between the clocks. Otherwise the harness's clock decides. A bound on the
// mean difference would not suffice: a prover could shorten a few of its times by a lot.
type Clock struct {
	// Planned is the metric of bench.yaml, Used the deciding metric.
	Planned string `json:"planned"`
	Used    string `json:"used"`
	// BaseApart and HeadApart are the largest differences between the two clocks in a counted proof, as fractions of its
	// wall time. Allowed is the largest difference for which the prover's clock decides.
	BaseApart float64 `json:"base_apart"`
	HeadApart float64 `json:"head_apart"`
	Allowed   float64 `json:"allowed"`
}

// Disagrees reports whether the harness's clock decides because the prover's does not agree with it.
func (c *Clock) Disagrees() bool { return c != nil && c.Used != c.Planned }

// String explains why the harness's clock decides.
func (c Clock) String() string {
	return fmt.Sprintf("judged by the harness's clock, %s: %s differs from it by up to %.2g %% on base and %.2g %% on "+
		"head, more than %.2g %%, a fifth of the margin", c.Used, c.Planned, 100*c.BaseApart, 100*c.HeadApart, 100*c.Allowed)
}

// ClockOf compares the clocks over the counted proofs of two arms. It is nil if the planned metric is not
// prove_seconds, or if a proof lacks one of the times, as in the short results of nightly runs.
func ClockOf(planned string, margin float64, base, head []*evidence.Sample) *Clock {
	if planned != metrics.ProveSeconds || len(base) == 0 {
		return nil
	}
	c := &Clock{Planned: planned, Used: planned, Allowed: ErrorShare * margin}
	for _, arm := range []struct {
		samples []*evidence.Sample
		most    *float64
	}{{base, &c.BaseApart}, {head, &c.HeadApart}} {
		for _, s := range arm.samples {
			apart, wall, ok := s.Apart()
			if !ok {
				return nil
			}
			*arm.most = max(*arm.most, math.Abs(apart)/wall)
			if math.Abs(apart) > max(c.Allowed*wall, floor.Seconds) {
				c.Used = metrics.WallSeconds
			}
		}
	}
	return c
}

// ClockSoFar compares the clocks over the counted pairs so far.
func ClockSoFar(p *record.Progress, planned string, margin float64) *Clock {
	var base, head []*evidence.Sample
	for _, a := range p.Attempts() {
		if !a.Dropped && a.Whole() {
			base, head = append(base, &p.Samples[a.Indices[0]]), append(head, &p.Samples[a.Indices[1]])
		}
	}
	return ClockOf(planned, margin, base, head)
}

// clock compares the clocks over the pairs of a workload; nil if the samples are missing.
func (w *Workload) clock(planned string, margin float64) *Clock {
	var base, head []*evidence.Sample
	for _, p := range w.Pairs {
		if p.Base < 0 || p.Base >= len(w.Samples) || p.Head < 0 || p.Head >= len(w.Samples) {
			return nil
		}
		base, head = append(base, &w.Samples[p.Base]), append(head, &w.Samples[p.Head])
	}
	return ClockOf(planned, margin, base, head)
}

// By returns a metric with the name of the clock that decides; c may be nil.
func (c *Clock) By(planned config.Metric) config.Metric {
	if c != nil {
		planned.Name = c.Used
	}
	return planned
}

// PlannedMetric returns the metric that bench.yaml names, whichever clock decides. It identifies a workload across
// runs.
func (w *Workload) PlannedMetric() string {
	if w.Clock != nil {
		return w.Clock.Planned
	}
	return w.Metric.Name
}

// primary returns the primary metric of bench.yaml, with the name of the clock that decides a workload.
func primary(d *plan.Decision, w *Workload) config.Metric {
	metric := d.File.Metrics.Primary
	metric.Name = w.Metric.Name
	return metric
}
