package report

import (
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// What a waiting session may take, while the other one proves, beside the thresholds of the environment.
const (
	// idleIO is what it may read and write in a second.
	idleIO = 1 << 20
	// idleTick is by how much a reading of CPU time may be off: that of processes that have ended is in ticks.
	idleTick = 0.01
)

// idleOf adds up what the session of an arm took while the other one proved, nil where none waited.
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

// Restless says what the session of an arm took while the other one proved, empty where that is within the limits.
func Restless(p *record.Progress, arm schedule.Arm, limits environment.Thresholds) string {
	if idle := idleOf(p, arm); idle != nil {
		slack := 2 * idleTick * math.Sqrt(float64(len(p.Samples)))
		during := fmt.Sprintf("while %s proved, the waiting session of %s", arm.Other(), arm)
		remedy := "; `idle: stop` or `plan.resident: one` keeps it from that"
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
