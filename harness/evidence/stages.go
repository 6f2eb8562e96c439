package evidence

import (
	"maps"
	"slices"

	"github.com/chiasmus/chiasmus/harness/metrics"
)

// Apart returns the wall time of a proof minus the prover's own time. ok is false if either is missing.
func (s *Sample) Apart() (apart, wall float64, ok bool) {
	own, has := s.Metrics[metrics.ProveSeconds]
	wall, timed := s.Metrics[metrics.WallSeconds]
	return wall - own, wall, has && timed && wall > 0
}

// Value returns a metric of a proof, measured or computed from measured metrics, such that the rows of a table of
// stages add up to the total time.
//
// If a device works on a stage, its events give the device's time and the host's clock gives the time of the calls. The
// difference is the host's part, host_NAME_seconds: the host's work while the device waits. If the device is still
// working when a call returns, the host's part is negative, and larger by the same amount in a later stage that waits
// for the device. Device and host always add up to the stage.
func (s *Sample) Value(metric string) (value float64, ok bool) {
	get := func(name string) float64 {
		value, has := s.Metrics[name]
		ok = ok && has
		return value
	}
	ok = true
	switch stage, part, _ := metrics.StageOf(metric); {
	case metric == metrics.Outside:
		value = get(metrics.WallSeconds) - get(metrics.ProveSeconds)
		return metrics.Rounded(value), ok
	case part == metrics.StageHost:
		if value = get(metrics.HostStage(stage)) - get(metrics.DeviceStage(stage)); ok {
			return metrics.Rounded(value), true
		}
	}
	value, ok = s.Metrics[metric]
	return value, ok
}

// Unstaged returns the part of a proof's own time outside the given stages.
func (s *Sample) Unstaged(stages []string) (seconds float64, ok bool) {
	seconds, ok = s.Metrics[metrics.ProveSeconds]
	for _, stage := range stages {
		took, has := s.Metrics[metrics.HostStage(stage)]
		seconds, ok = seconds-took, ok && has
	}
	return metrics.Rounded(seconds), ok
}

// StageNames returns the stages of a proof, by the host's clock.
func (s *Sample) StageNames() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(s.Metrics)) {
		if stage, part, ok := metrics.StageOf(name); ok && part == metrics.StageTime {
			names = append(names, stage)
		}
	}
	return names
}
