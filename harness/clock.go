package harness

import (
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/session"
	"github.com/chiasmus/chiasmus/internal/floor"
	"github.com/chiasmus/chiasmus/stats"
)

// A Clock says by whose clock a workload is judged whose planned metric is the prover's own time, prove_seconds.
//
// The prover's clock decides only where it cannot move the verdict: where it agrees with the harness's own,
// wall_seconds, to within a fifth of the margin of equivalence in every counted proof of both arms. Then an effect is
// the same by either clock to within that, whatever a prover says. Otherwise the harness's clock decides. A mean of the
// distances would not do: a prover could shorten few of its times by much.
type Clock struct {
	// Planned is the metric that bench.yaml names, Used the one that decides.
	Planned string `json:"planned"`
	Used    string `json:"used"`
	// BaseApart and HeadApart are the largest distances between the two clocks in a counted proof, as fractions of its
	// wall time, and Allowed is the largest with which the prover's clock decides.
	BaseApart float64 `json:"base_apart"`
	HeadApart float64 `json:"head_apart"`
	Allowed   float64 `json:"allowed"`
}

// Disagrees says that the harness's clock decides because the prover's does not agree with it.
func (c *Clock) Disagrees() bool { return c != nil && c.Used != c.Planned }

// String says why the harness's clock decides.
func (c Clock) String() string {
	return fmt.Sprintf("judged by the harness's clock, %s: %s differs from it by up to %.2g %% on base and %.2g %% on "+
		"head, more than %.2g %%, a fifth of the margin", c.Used, c.Planned, 100*c.BaseApart, 100*c.HeadApart, 100*c.Allowed)
}

// clockOf compares the clocks over the counted proofs of two arms. It is nil where the planned metric is not the
// prover's time of the whole proof, or where a proof lacks one of the times, as those of a night's short result do.
func clockOf(planned string, margin float64, base, head []*Sample) *Clock {
	if planned != session.PrimarySeconds || len(base) == 0 {
		return nil
	}
	c := &Clock{Planned: planned, Used: planned, Allowed: errorShare * margin}
	for _, arm := range []struct {
		samples []*Sample
		most    *float64
	}{{base, &c.BaseApart}, {head, &c.HeadApart}} {
		for _, s := range arm.samples {
			apart, wall, ok := s.apart()
			if !ok {
				return nil
			}
			*arm.most = max(*arm.most, math.Abs(apart)/wall)
			if math.Abs(apart) > max(c.Allowed*wall, floor.Seconds) {
				c.Used = metricWall
			}
		}
	}
	return c
}

// apart is by how much the wall time of a proof exceeds what its prover says. It is not ok where one of them is
// missing.
func (s *Sample) apart() (apart, wall float64, ok bool) {
	own, has := s.Metrics[session.PrimarySeconds]
	wall, timed := s.Metrics[metricWall]
	return wall - own, wall, has && timed && wall > 0
}

// clock compares the clocks over the counted pairs so far.
func (p *progress) clock(planned string, margin float64) *Clock {
	var base, head []*Sample
	for _, a := range p.attempts() {
		if !a.dropped && a.whole() {
			base, head = append(base, &p.samples[a.base]), append(head, &p.samples[a.head])
		}
	}
	return clockOf(planned, margin, base, head)
}

// clock compares the clocks over the pairs of a workload; nil where its samples do not tell.
func (w *Workload) clock(planned string, margin float64) *Clock {
	var base, head []*Sample
	for _, p := range w.Pairs {
		if p.Base < 0 || p.Base >= len(w.Samples) || p.Head < 0 || p.Head >= len(w.Samples) {
			return nil
		}
		base, head = append(base, &w.Samples[p.Base]), append(head, &w.Samples[p.Head])
	}
	return clockOf(planned, margin, base, head)
}

// by is a metric under the name of the clock that decides; c may be nil.
func (c *Clock) by(planned config.Metric) config.Metric {
	if c != nil {
		planned.Name = c.Used
	}
	return planned
}

// PlannedMetric is the name of the metric that bench.yaml names, whichever clock decides: what makes workloads of
// several runs the same.
func (w *Workload) PlannedMetric() string {
	if w.Clock != nil {
		return w.Clock.Planned
	}
	return w.Metric.Name
}

// primary is the primary metric of bench.yaml, by the clock that decides a workload.
func (d *Decision) primary(w *Workload) config.Metric {
	metric := d.file.Metrics.Primary
	metric.Name = w.Metric.Name
	return metric
}

// metricOf describes a metric for a report.
func metricOf(m config.Metric) Metric {
	return Metric{m.Name, string(m.Better), stats.Scale(m.Scale), m.Control}
}

// judgedBy says whether a workload may be judged by a metric, where bench.yaml plans another or the same: the harness's
// clock stands in for the prover's.
func judgedBy(planned, used string) bool {
	return used == planned || planned == session.PrimarySeconds && used == metricWall
}

// MayBeJudgedBy says whether a workload that is planned to be judged by a metric may say that it was by another: see
// Clock. Judge then checks by its samples which of the two it has to be.
func MayBeJudgedBy(planned, used Metric) bool {
	name := used.Name
	used.Name = planned.Name
	return used == planned && judgedBy(planned.Name, name)
}
