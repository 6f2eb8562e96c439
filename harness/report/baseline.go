package report

import (
	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// BaselineOf makes a baseline from one arm's counted pairs. ok is false if the arm has uncommitted changes, if the
// workload was not judged by pairs on the log scale, or if there are too few processes to estimate how much processes
// differ.
func BaselineOf(d *plan.Decision, w *Workload, arm schedule.Arm, host *environment.Snapshot) (b baseline.Baseline,
	ok bool) {
	rev := d.Arm(arm)
	samples := samplesOf(w, arm)
	if rev.Dirty || len(samples) == 0 || w.Stats == nil || w.Stats.Phase == 1 || w.Metric.Scale != stats.ScaleLog {
		return b, false
	}
	b = baseline.Baseline{
		Schema:   baseline.Schema,
		Run:      d.ID,
		Time:     samples[len(samples)-1].Started,
		Revision: rev.SHA,
		Workload: w.Name,
		Host:     host,
		Setup:    baseline.SetupOf(d, w.Name),
		Build:    rev.Identity(),
		Session:  w.BaseSession,
		Warmups:  w.Warmups,
		Exact:    map[string]float64{},
	}
	if arm == schedule.Head {
		b.Session = w.HeadSession
	}
	b.Metric = w.Metric.Name
	b.Means, b.Seconds = baseline.ProcessMeans(samples, b.Metric)
	b.Deferred, b.Clock = baseline.DeferredIn(samples), baseline.GPUClock(samples)
	if len(b.Means) < stats.FewestProcesses {
		return b, false
	}
	for _, e := range w.Exact {
		low, high := e.BaseMin, e.BaseMax
		if arm == schedule.Head {
			low, high = e.HeadMin, e.HeadMax
		}
		if low.Exists() && low == high {
			b.Exact[e.Name] = low.Float()
		}
	}
	b.SHA256 = b.Sum()
	return b, true
}

// samplesOf returns the counted proofs of an arm. Their Attempt is set to the number of their process.
func samplesOf(w *Workload, arm schedule.Arm) []evidence.Sample {
	var list []evidence.Sample
	for _, p := range w.Pairs {
		at := p.Base
		if arm == schedule.Head {
			at = p.Head
		}
		s := w.Samples[at]
		if s.Attempt = p.Process; p.Process == 0 {
			s.Attempt = p.Number // a process of its own
		}
		list = append(list, s)
	}
	return list
}
