package report

import (
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/floor"
	"github.com/chiasmus/chiasmus/stats"
)

// A Deferred describes the work of sessions between a reply and the next request, which no compared time includes.
//
// One second of CPU time spent there saves at most one second of a proof: all of it if the proof would have waited for
// that work, less on several CPUs. The same holds for a GPU. Work that both arms do there, such as freeing memory,
// shifts both equally. So the difference between the arms bounds the error of the effect, and Allowed, a fifth of the
// margin of equivalence, bounds the difference. A shift by a fifth of the margin produces no verdict: the total change
// lies within the margin and is called equivalent, or it is lost in a scatter several times as large.
type Deferred struct {
	// BaseCPUSeconds and HeadCPUSeconds are means over the counted proofs.
	BaseCPUSeconds float64 `json:"base_cpu_seconds"`
	HeadCPUSeconds float64 `json:"head_cpu_seconds"`
	// CPUShare is the excess of head's CPU time over base's, as a fraction of the mean wall time of base's proofs.
	CPUShare float64 `json:"cpu_share"`
	// The same for GPUs, as lower bounds: see gpuDeferred. They are null if unknown; on a host with GPUs, Unseen then says
	// why.
	BaseGPUSeconds *float64 `json:"base_gpu_seconds"`
	HeadGPUSeconds *float64 `json:"head_gpu_seconds"`
	GPUShare       *float64 `json:"gpu_share"`
	Unseen         string   `json:"unseen,omitempty"`
	// Allowed is the largest difference between the arms, as a fraction, that still allows a verdict.
	Allowed float64 `json:"allowed"`
}

// The limits of work outside the compared time.
const (
	// ErrorShare is the fraction of the margin of equivalence by which times may be wrong: see Deferred and Clock.
	ErrorShare = 0.2
	// deferredLevel is the probability below which the scatter of base alone does not explain a difference.
	deferredLevel = 1e-3
)

// waits are the CPU or GPU times of the sessions before each proof of the counted pairs, since their previous reply,
// and the wall times of base's proofs.
type waits struct{ base, head, wall []float64 }

// waitsOf collects the waits; value reads one from a sample. ok is false if a sample lacks the value, or without
// counted pairs.
func waitsOf(p *record.Progress, value func(*evidence.Sample) (float64, bool)) (all waits, ok bool) {
	for _, a := range p.Attempts() {
		if a.Dropped || !a.Whole() {
			continue
		}
		base, inBase := value(&p.Samples[a.Indices[0]])
		head, inHead := value(&p.Samples[a.Indices[1]])
		if !inBase || !inHead {
			return waits{}, false
		}
		all.base, all.head = append(all.base, base), append(all.head, head)
		all.wall = append(all.wall, p.Samples[a.Indices[0]].Metrics[metrics.WallSeconds])
	}
	return all, len(all.wall) > 0
}

// share returns the excess of head over base, as a fraction of the time of base's proofs.
func (w waits) share() float64 {
	return (stats.Mean(w.head).Float() - stats.Mean(w.base).Float()) / stats.Mean(w.wall).Float()
}

// beyond reports whether the arms differ by more than allowed plus the scatter of base. Head's scatter does not count,
// because head could inflate it. The pseudomedian tolerates single outliers and reacts to a shift of most pairs. The
// mean reacts to a shift of a few pairs, and counts if the test is significant: a shift that no test detects changes no
// verdict.
func (w waits) beyond(allowed, alpha float64) bool {
	differences := make([]float64, len(w.base))
	for i := range differences {
		differences[i] = w.head[i] - w.base[i]
	}
	base := stats.PairedT(w.base, deferredLevel)
	scatter := base.Critical.Float() * base.SD.Float() * math.Sqrt(2/float64(len(w.base)))
	if math.IsNaN(scatter) {
		scatter = 0 // base takes the same every time
	}
	limit := allowed + scatter
	whole := stats.PairedT(differences, alpha)
	return math.Abs(stats.PseudoMedian(differences, alpha).Estimate.Float()) > limit ||
		math.Abs(whole.Mean.Float()) > limit && whole.P.Float() <= alpha
}

// cpuWaited returns the CPU seconds that a session took before a proof.
func cpuWaited(s *evidence.Sample) (float64, bool) { return s.WaitedCPUSeconds, true }

// deferredOf describes the sessions of a workload between replies and requests; nil without pairs.
func deferredOf(p *record.Progress, margin float64) *Deferred {
	cpu, ok := waitsOf(p, cpuWaited)
	if !ok {
		return nil
	}
	d := &Deferred{
		BaseCPUSeconds: stats.Mean(cpu.base).Float(), HeadCPUSeconds: stats.Mean(cpu.head).Float(), CPUShare: cpu.share(),
		Allowed: ErrorShare * margin,
	}
	if gpu, ok := gpuWaits(p, cpu.wall); ok {
		base, head, share := gpu.base[0], gpu.head[0], gpu.share()
		d.BaseGPUSeconds, d.HeadGPUSeconds, d.GPUShare = &base, &head, &share
	}
	for _, s := range p.Samples {
		if s.GPUUnseen != "" {
			d.Unseen = s.GPUUnseen
		}
	}
	return d
}

// Evaded returns the arm that worked more between its replies and the next requests than a verdict allows, and the
// reason. Both are empty if neither arm did.
func Evaded(p *record.Progress, plan plan.Plan) (arm schedule.Arm, why string) {
	cpu, ok := waitsOf(p, cpuWaited)
	if !ok || len(cpu.wall) < 2 {
		return "", ""
	}
	allowed := ErrorShare * plan.Equivalence
	if cpu.beyond(allowed*stats.Mean(cpu.wall).Float()+floor.Deferred, plan.Alpha) {
		return tookMore(cpu, "%.3g ms of CPU time", fmt.Sprintf("%.2g %% (a fifth of plan.equivalence) and %.2g ms",
			100*allowed, 1e3*floor.Deferred))
	}
	gpu, ok := gpuWaits(p, cpu.wall)
	if !ok {
		return "", ""
	}
	resolution := gpuResolution*float64(max(startsOf(p, schedule.Base),
		startsOf(p, schedule.Head)))/float64(len(cpu.wall)) +
		GPUError*stats.Mean(cpu.wall).Float()
	if apart := math.Abs(gpu.head[0] - gpu.base[0]); apart > allowed*stats.Mean(cpu.wall).Float()+resolution {
		return tookMore(gpu, "at least %.3g ms of GPU time", fmt.Sprintf("%.2g %% (a fifth of plan.equivalence) and %.2g "+
			"ms, the error of the driver's samples,", 100*allowed, 1e3*resolution))
	}
	return "", ""
}

// The errors of the driver's account of a session's work on GPUs.
const (
	// gpuResolution is in seconds per start: a sample of the driver lasts a fifth of a second, and the first sample may
	// begin during set-up.
	gpuResolution = 0.25
	// GPUError is a part of the time of a proof. On an H200 (driver 580), two sessions whose kernels took 117 ms per proof
	// had 139 and 91 ms by the samples of 22 proofs. GPU work hidden in this error also takes CPU time to launch, which is
	// limited to a fifth of the margin.
	GPUError = 0.25
)

// gpuWaits returns the times that GPUs worked between requests, as one mean for each arm; wall has the times of proofs.
// ok is false if the driver does not report all proofs.
func gpuWaits(p *record.Progress, wall []float64) (w waits, ok bool) {
	base, inBase := gpuDeferred(p, schedule.Base)
	head, inHead := gpuDeferred(p, schedule.Head)
	return waits{[]float64{base}, []float64{head}, wall}, inBase && inHead
}

// gpuDeferred returns a lower bound on the seconds that GPUs worked for an arm between its requests, as a mean over its
// proofs: the work that does not fit into all requests together. The driver's samples do not say when, within their
// period, a process worked.
func gpuDeferred(p *record.Progress, arm schedule.Arm) (seconds float64, ok bool) {
	var busy, wall float64
	proofs := 0
	for _, s := range p.Samples {
		if s.Arm != arm {
			continue
		}
		if s.GPUWork == nil {
			return 0, false
		}
		proofs++
		busy, wall = busy+s.GPUWork.Busy, wall+s.Metrics[metrics.WallSeconds]
	}
	return max(0, busy-wall) / float64(max(1, proofs)), proofs > 0
}

// startsOf returns the number of starts of an arm's session, at least 1.
func startsOf(p *record.Progress, arm schedule.Arm) int { return max(1, p.Sessions[arm].Starts) }

// tookMore names the arm with the larger value, with both values and the limit.
func tookMore(w waits, what, allowed string) (schedule.Arm, string) {
	arm, more, less := schedule.Head, stats.Mean(w.head).Float(), stats.Mean(w.base).Float()
	if more < less {
		arm, more, less = schedule.Base, less, more
	}
	return arm, fmt.Sprintf("between its replies and the next requests, the session of %s took %s for each proof, and "+
		"the session of %s %.3g ms: %.2g %% of the time of a proof more, where %s are allowed. The compared time does not "+
		"include this work",
		arm, fmt.Sprintf(what, 1e3*more), arm.Other(), 1e3*less, 100*math.Abs(w.share()), allowed)
}
