package harness

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/internal/floor"
	"github.com/chiasmus/chiasmus/harness/session"
	"github.com/chiasmus/chiasmus/stats"
)

// trustworthy withholds the verdict of a workload whose sessions disturbed each other, or whose times the harness's own
// clock contradicts. It ends the run before anything is computed from the times.
func (m *measurement) trustworthy() error {
	if len(m.unverified) > 0 {
		return fmt.Errorf("%d proofs were never verified", len(m.unverified))
	}
	for _, arm := range []Arm{Base, Head} {
		if why := m.progress.restless(arm, m.run.decision.file.Environment); why != "" {
			return m.runners[arm].failed(StepIdle, errors.New(why))
		}
	}
	if m.wallTimed[Head] || harnessMetrics[m.metric.Name] {
		return nil
	}
	arm, why := contradicted(m.progress.clocks(), m.run.decision.Plan.Equivalence, clockFloor(m.workload))
	if why == "" {
		return nil
	}
	return m.runners[arm].failed(StepTimes, errors.New(why))
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

// What a waiting session may take beside the thresholds of the environment.
const (
	// idleIO is what it may read and write in a second.
	idleIO = 1 << 20
	// idleTick is by how much a reading of processor time is off: the kernel counts in hundredths of a second.
	idleTick = 0.01
	// waitedShare is the CPU time that it may take between the proofs of either arm, as a part of what its own proofs
	// took: memory is given back after a reply, and no work is done.
	waitedShare = 0.25
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

// restless says what the session of an arm took while it was not asked to prove, empty where that is within the limits.
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
	var proving, waiting, meanwhile float64
	for _, s := range p.samples {
		if s.Arm == arm {
			proving += s.Metrics[metricCPU]
			waiting += s.WaitedCPUSeconds
		} else if s.Idle != nil {
			meanwhile += s.Idle.CPUSeconds
		}
	}
	slack := 2*idleTick*math.Sqrt(float64(len(p.samples))) + limits.IdleCPU*idleSeconds(p.samples)
	if between := waiting - meanwhile; between > waitedShare*proving+slack {
		return fmt.Sprintf("the session of %s took %.2f s of CPU time while nothing was asked of it, and %.2f s for its "+
			"proofs: work is done outside of the time that is compared",
			arm, between, proving)
	}
	return ""
}

// idleSeconds is the time in which a session waited while the other one proved.
func idleSeconds(samples Samples) (total float64) {
	for _, s := range samples {
		if s.Idle != nil {
			total += s.Idle.Seconds
		}
	}
	return total
}

// clocks is the time of each counted pair by the prover's clock and by the harness's.
type clocks struct{ own, wall map[Arm][]float64 }

func (p *progress) clocks() clocks {
	c := clocks{map[Arm][]float64{}, map[Arm][]float64{}}
	for _, a := range p.attempts() {
		if a.dropped || !a.whole() {
			continue
		}
		for arm, at := range map[Arm]int{Base: a.base, Head: a.head} {
			c.own[arm] = append(c.own[arm], p.samples[at].Metrics[session.PrimarySeconds])
			c.wall[arm] = append(c.wall[arm], p.samples[at].Metrics[metricWall])
		}
	}
	return c
}

// clockLevel is how improbable it has to be that two honest provers differ so in the distance between the two clocks.
const clockLevel = 1e-5

// clockFloor is what the distance may differ by from one arm to the other, whatever else.
func clockFloor(w config.Workload) float64 {
	if w.IsSession() {
		return floor.Session
	}
	return floor.Process
}

// contradicted compares the distance between the prover's time and the wall time over the arms. Both are outside of
// what is compared: the way of a request and of a reply, the proof's way to its file. Where they differ by more than
// half of what is worth acting on, by more than the floor, and by more than base's own distances scatter, times were
// moved out of what is compared. It names the arm with the larger distance. Only base's scatter counts: head could
// widen its own.
func contradicted(c clocks, equivalence, least float64) (Arm, string) {
	n := len(c.own[Base])
	if n < 2 {
		return "", ""
	}
	distance := map[Arm][]float64{}
	for _, arm := range []Arm{Base, Head} {
		for i := range c.own[arm] {
			distance[arm] = append(distance[arm], c.wall[arm][i]-c.own[arm][i])
		}
	}
	differences := make([]float64, n)
	for i := range differences {
		differences[i] = distance[Head][i] - distance[Base][i]
	}
	// The pseudomedian bears a single hiccup, and no third of the pairs.
	apart := stats.PseudoMedian(differences, 0.05).Estimate.Float()
	base := stats.PairedT(distance[Base], clockLevel)
	scatter := base.Critical.Float() * base.SD.Float() * math.Sqrt(2/float64(n))
	if math.IsNaN(scatter) {
		scatter = 0 // all of base's distances are equal
	}
	limit := max(scatter, equivalence/2*mean(c.own[Base]).Float(), least)
	// A difference that no test sees moves no verdict: base's distances may be alike by chance.
	seen := min(stats.WilcoxonSignedRank(differences, stats.ZerosPratt).P, stats.PairedT(differences, 0.05).P)
	if math.Abs(apart) <= limit || seen > 0.05 {
		return "", ""
	}
	arm := Head
	if apart < 0 {
		arm = Base
	}
	return arm, fmt.Sprintf("the wall time of its proofs exceeds its %s by %.3g s, and that of %s by %.3g s: more apart "+
		"than the %.3g s that base's own times allow, so its clock is not believed",
		session.PrimarySeconds, middle(distance[arm]), arm.Other(), middle(distance[arm.Other()]), limit)
}

// middle is the median.
func middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
