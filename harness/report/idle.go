package report

import (
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// Limits of the resources of a waiting session, in addition to the thresholds of the environment.
const (
	// idleIO is the limit of bytes read and written per second.
	idleIO = 1 << 20
	// idleTick is the error of a reading of CPU time in seconds: processes that have ended are counted in ticks.
	idleTick = 0.01
)

// idleOf adds up what the session of an arm used while the other arm proved; nil if no session waited.
func idleOf(p *record.Progress, arm schedule.Arm) *evidence.Idle {
	var total *evidence.Idle
	gpu := 0.0
	for _, s := range p.Samples {
		if s.Arm == arm || s.Idle == nil {
			continue
		}
		if total == nil {
			total = &evidence.Idle{}
		}
		total.Seconds += s.Idle.Seconds
		total.CPUSeconds += s.Idle.CPUSeconds
		total.IOBytes += s.Idle.IOBytes
		if s.Idle.GPUShare != nil {
			gpu += *s.Idle.GPUShare * s.Idle.Seconds
			total.GPUShare = new(float64)
		}
	}
	if total != nil && total.GPUShare != nil && total.Seconds > 0 {
		*total.GPUShare = gpu / total.Seconds
	}
	return total
}

// Restless describes how the session of an arm exceeded the limits while the other arm proved; empty if it did not.
func Restless(p *record.Progress, arm schedule.Arm, limits environment.Thresholds) string {
	if idle := idleOf(p, arm); idle != nil {
		slack := 2 * idleTick * math.Sqrt(float64(len(p.Samples)))
		during := fmt.Sprintf("while %s proved, the waiting session of %s", arm.Other(), arm)
		remedy := "; `idle: stop` or `plan.resident: one` prevents that"
		switch {
		case idle.CPUSeconds > limits.IdleCPU*idle.Seconds+slack:
			return fmt.Sprintf("%s took %.2f s of CPU time in %.2f s (more than %.0f %% of a CPU)%s", during, idle.CPUSeconds,
				idle.Seconds, 100*limits.IdleCPU, remedy)
		case idle.GPUShare != nil && *idle.GPUShare > limits.IdleGPU:
			return fmt.Sprintf("%s took %.0f %% of a GPU (more than %.0f %%)%s", during, 100**idle.GPUShare, 100*limits.IdleGPU,
				remedy)
		case idle.IOBytes > idleIO*(1+idle.Seconds):
			return fmt.Sprintf("%s read and wrote %.0f MiB in %.2f s (more than 1 MiB a second)%s", during, idle.IOBytes/(1<<20),
				idle.Seconds, remedy)
		}
	}
	return ""
}
