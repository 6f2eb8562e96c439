package report

import (
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/floor"
)

// WallWarnings names the arms whose requests took longer than their proofs.
func WallWarnings(samples evidence.Samples) []plan.Warning { return wallWarnings(samples) }

// ClockBetween compares the two clocks, without the allowance for a busy host.
func ClockBetween(margin float64, base, head evidence.Samples) *Clock {
	defer floor.OnAnyHost()()
	return ClockOf("prove_seconds", margin, evidence.Pointers(base), evidence.Pointers(head))
}

// EvadedIn judges the work between replies and requests, without the allowance for a busy host.
func EvadedIn(samples evidence.Samples, plan plan.Plan) (schedule.Arm, string) {
	defer floor.OnAnyHost()()
	return Evaded((&record.Progress{Samples: samples}), plan)
}

// DeferredIn describes the work between replies and requests.
func DeferredIn(samples evidence.Samples, margin float64) *Deferred {
	return deferredOf((&record.Progress{Samples: samples}), margin)
}

// RestlessIn judges a session that waits.
func RestlessIn(samples evidence.Samples, arm schedule.Arm, limits environment.Thresholds) string {
	return Restless((&record.Progress{Samples: samples}), arm, limits)
}

// ThroughsOf returns the throughput of one arm.
var ThroughsOf = throughs
