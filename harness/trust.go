package harness

import (
	"errors"
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/environment"
)

// trustworthy withholds the verdict of a workload whose sessions disturbed each other, or of which one did work outside
// of the time that is compared.
func (m *measurement) trustworthy() error {
	if len(m.unverified) > 0 {
		return fmt.Errorf("%d proofs were never verified", len(m.unverified))
	}
	for _, arm := range []Arm{Base, Head} {
		if why := m.progress.restless(arm, m.run.decision.file.Environment); why != "" {
			return m.runners[arm].failed(StepIdle, errors.New(why))
		}
	}
	if m.workload.IsSession() {
		if arm, why := m.progress.evaded(m.run.decision.Plan); why != "" {
			return m.runners[arm].failed(StepIdle, errors.New(why))
		}
	}
	return m.oneClock()
}

// oneClock withholds the verdict of a run whose clocks agreed at a look and no longer do, where by the harness's clock,
// which now decides, that look would have ended the run.
func (m *measurement) oneClock() error {
	metric := m.judgedBy()
	if metric.Name == m.metric.Name || len(m.design.Looks) == 1 {
		return nil
	}
	_, _, err := m.design.Analyze(statsPairs(m.progress.counted(metric.Name)), m.run.decision.options(metric))
	if err == nil {
		return nil
	}
	return &FailureError{Failure: Failure{Step: StepTimes, Workload: m.workload.Name,
		Cause: fmt.Sprintf("%s agreed with %s when the looks were taken, and no longer does: %v; with plan.looks, "+
			"metrics.primary: %s is judged by one clock throughout", m.metric.Name, metric.Name, err, metric.Name)}}
}

// judgedBy is the primary metric by the clock that decides, as far as the pairs tell.
func (m *measurement) judgedBy() config.Metric {
	return m.progress.clock(m.metric.Name, m.run.decision.Plan.Equivalence).by(m.metric)
}

// trust says that the verdict trusts head, empty where it need not: programs of head that are not isolated have the
// rights of whoever measures. In an A/A run there is no head to trust.
func (d *Decision) trust() string {
	if d.Plan.Isolated || d.AA {
		return ""
	}
	if d.ofCommands() {
		return "Both commands ran without isolation, with all the rights of the user who measured: the verdict trusts them."
	}
	text := "This verdict trusts head: its programs ran without isolation, with all the rights of the user who " +
		"measured, the files and processes of base included"
	if d.Open != "" {
		text += " (" + d.Open + ")"
	}
	return text + "."
}

// harnessMetrics are measured by the harness itself, or not at all: what a prover says of its time does not bend them,
// and what it reports by their names is left out.
var harnessMetrics = map[string]bool{
	metricWall:          true,
	metricProofBytes:    true,
	metricCPU:           true,
	metricCPUShare:      true,
	metricRSS:           true,
	metricInstructions:  true,
	"energy_joules":     true,
	"gpu_energy_joules": true,
	"cpu_energy_joules": true,
	"resident_bytes":    true,
}

// What a waiting session may take, while the other one proves, beside the thresholds of the environment.
const (
	// idleIO is what it may read and write in a second.
	idleIO = 1 << 20
	// idleTick is by how much a reading of CPU time may be off: that of processes that have ended is in ticks.
	idleTick = 0.01
)

// idle adds up what the session of an arm took while the other one proved, nil where none waited.
func (p *progress) idle(arm Arm) *Idle {
	var total *Idle
	gpu := 0.0
	for _, s := range p.samples {
		if s.Arm == arm || s.Idle == nil {
			continue
		}
		if total == nil {
			total = &Idle{}
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

// restless says what the session of an arm took while the other one proved, empty where that is within the limits.
func (p *progress) restless(arm Arm, limits environment.Thresholds) string {
	if idle := p.idle(arm); idle != nil {
		slack := 2 * idleTick * math.Sqrt(float64(len(p.samples)))
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
