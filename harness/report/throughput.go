package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// A Throughput is the work per second of each arm, from the counted proofs. It restates their times and is never
// tested.
type Throughput struct {
	// Unit is the plural of the counted thing, such as cycles.
	Unit string `json:"unit"`
	// Count is the number in every proof, 0 if From, a counter or metric of every proof, gives it.
	Count float64 `json:"count,omitempty"`
	From  string  `json:"from,omitempty"`
	// Time is the metric that Count is divided by, in seconds.
	Time string   `json:"time"`
	Base Throughs `json:"base"`
	Head Throughs `json:"head"`
}

// Throughs is the throughput of one arm, in units per second.
type Throughs struct {
	Median stats.Number `json:"median"`
	// CI contains the median with probability at least Confidence, if the proofs are independent. It does not exist for
	// few proofs.
	CI         stats.Interval `json:"ci"`
	Confidence stats.Number   `json:"confidence"`
}

// warnUnits is the kind of warning about proofs without the counter or metric of units.
const warnUnits = "units"

// throughput is computed from the counted pairs. missing names what a proof lacks; both are zero without units.
func throughput(d *plan.Decision, w *Workload) (t *Throughput, missing string) {
	u := d.Workload(w.Name).Units
	if u.Name == "" {
		return nil, ""
	}
	t = &Throughput{Unit: u.Name, Count: u.Count, From: u.Counter + u.Metric, Time: w.Metric.Name}
	if !strings.HasSuffix(t.Time, "_seconds") {
		t.Time = metrics.WallSeconds
	}
	for _, arm := range []schedule.Arm{schedule.Base, schedule.Head} {
		var rates []float64
		for _, p := range w.Pairs {
			seconds, at := p.A, p.Base
			if arm == schedule.Head {
				seconds, at = p.B, p.Head
			}
			var s evidence.Sample
			if at >= 0 && at < len(w.Samples) {
				s = w.Samples[at]
			}
			if t.Time != w.Metric.Name {
				seconds = s.Metrics[t.Time]
			}
			count, ok := unitsIn(u, s)
			if !ok {
				return nil, fmt.Sprintf("%s does not report %s in every proof: no throughput is shown", arm, t.From)
			}
			if !(seconds > 0) {
				return nil, fmt.Sprintf("%s has a proof of no %s: no throughput is shown", arm, t.Time)
			}
			rates = append(rates, count/seconds)
		}
		if len(rates) == 0 {
			return nil, ""
		}
		if arm == schedule.Base {
			t.Base = throughs(rates, d.Plan.Alpha)
		} else {
			t.Head = throughs(rates, d.Plan.Alpha)
		}
	}
	return t, ""
}

// unitsIn returns the number of units in a proof.
func unitsIn(u config.Units, s evidence.Sample) (count float64, ok bool) {
	switch {
	case u.Counter != "":
		count, ok = s.Counters[u.Counter]
	case u.Metric != "":
		count, ok = s.Metrics[u.Metric]
	default:
		return u.Count, true
	}
	return count, ok && count >= 0
}

// throughs returns the median, with the interval between two order statistics that inverts the sign test: from the k-th
// smallest to the k-th largest value, with the largest k whose confidence 1 - 2 P(B < k) is at least 1 - level, where B
// is binomial with p = 1/2.
func throughs(values []float64, level float64) Throughs {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	none := stats.Number(math.NaN())
	t := Throughs{
		Median:     stats.Number((sorted[(n-1)/2] + sorted[n/2]) / 2),
		CI:         stats.Interval{Low: math.NaN(), High: math.NaN()},
		Confidence: none,
	}
	signs := distuv.Binomial{N: float64(n), P: 0.5}
	for k := 1; k <= n/2; k++ {
		outside := 2 * signs.CDF(float64(k-1))
		if outside > level {
			break
		}
		t.CI, t.Confidence = stats.Interval{Low: sorted[k-1], High: sorted[n-k]}, stats.Number(1-outside)
	}
	return t
}
