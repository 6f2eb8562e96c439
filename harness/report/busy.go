package report

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/internal/words"
	"github.com/chiasmus/chiasmus/stats"
)

// DropLimit is the largest share of the planned pairs that may be dropped. Beyond it the host counts as unfit, and the
// run ends without a complete report.
const DropLimit = 0.25

// A Busy describes what was measured on a host too busy for a verdict.
//
// Its figures come from the first measurement of every pair, disturbed or not. Nothing is selected: the kept pairs
// alone would depend on what happened while they were measured, and a slower arm is exposed to disturbances for longer.
// Disturbances from outside do not depend on the arm, and the order of arms is randomized. So they widen the interval
// without shifting its centre.
type Busy struct {
	// Pairs counts the first measurements, Disturbed those with a cause, and Dropped all dropped attempts.
	Pairs     int `json:"pairs"`
	Disturbed int `json:"disturbed"`
	Dropped   int `json:"dropped"`
	// Stats has no verdict. It is null if there are too few pairs.
	Stats *stats.Result `json:"stats"`
	// Causes counts the disturbed proofs by kind.
	Causes map[string]int `json:"causes"`
	// Culprits are the other processes with the largest mean share of CPU time over all measured proofs.
	Culprits []environment.Culprit `json:"culprits"`
	// Advice lists what to do, the most useful first.
	Advice []string `json:"advice"`
}

// busy describes a workload that ended because too many pairs were dropped; nil for any other workload.
func busy(d *plan.Decision, w *Workload, p *record.Progress) *Busy {
	b := &Busy{Dropped: p.Dropped(), Causes: map[string]int{}, Culprits: []environment.Culprit{}}
	if p.Measured || float64(b.Dropped) <= DropLimit*float64(d.Plan.Pairs) {
		return nil
	}
	pairs := p.First(w.Metric.Name)
	for i, pair := range pairs {
		if planned, err := d.Schedule(); err == nil {
			at := planned.WithReplicates(w.Processes, d.Plan.Builds).Pair(pair.Number)
			pairs[i].Process, pairs[i].Build = at.Process, at.Build
		}
		if p.Samples[pair.Base].Dropped {
			b.Disturbed++
		}
	}
	b.Pairs = len(pairs)
	if result, err := stats.Analyze(evidence.StatsPairs(pairs), d.StatsOptions(primary(d, w))); err == nil {
		result.Verdict = ""
		b.Stats = &result
	}
	b.blame(p.Samples)
	b.Advice = b.advise(d)
	return b
}

// blame fills in causes and culprits.
func (b *Busy) blame(samples evidence.Samples) {
	type who struct {
		pid  int
		name string
	}
	taken, proofs := map[who]float64{}, 0
	for _, s := range samples {
		if s.Kind != evidence.Measured {
			continue
		}
		proofs++
		kinds := map[string]bool{}
		for _, c := range s.Causes {
			kinds[c.Kind] = true
		}
		for kind := range kinds {
			b.Causes[kind]++
		}
		for _, c := range s.Culprits {
			taken[who{c.PID, c.Name}] += c.Share
		}
		if s.Metrics["cpu_throttle_events"] > 0 {
			b.Causes[causeCPUHeat]++
		}
	}
	for w, share := range taken {
		b.Culprits = append(b.Culprits, environment.Culprit{PID: w.pid, Name: w.name, Share: share / float64(proofs)})
	}
	slices.SortFunc(b.Culprits, func(x, y environment.Culprit) int {
		return cmp.Or(cmp.Compare(y.Share, x.Share), cmp.Compare(x.PID, y.PID))
	})
	b.Culprits = b.Culprits[:min(len(b.Culprits), mostBlamed)]
}

const (
	// mostBlamed is the number of culprits that a report names.
	mostBlamed = 5
	// causeCPUHeat counts proofs during which a hot CPU slowed down. It drops no pair.
	causeCPUHeat = "cpu_throttle"
	// mostAdvised is the largest number of pairs that advice names.
	mostAdvised = 1000
)

// advise lists what to do about the disturbances.
func (b *Busy) advise(d *plan.Decision) []string {
	var list []string
	say := func(format string, arguments ...any) { list = append(list, fmt.Sprintf(format, arguments...)) }
	has := func(kind environment.Kind) bool { return b.Causes[string(kind)] > 0 }
	limits := d.File.Environment
	if has(environment.Others) {
		if len(b.Culprits) > 0 {
			var names []string
			for _, c := range b.Culprits[:min(2, len(b.Culprits))] {
				names = append(names, fmt.Sprintf("%s (PID %d)", c.Name, c.PID))
			}
			say("close %s, or wait until it is done", words.And(names))
		} else {
			say("find what else runs: it is outside of this container or belongs to the host")
		}
		if last := runtime.NumCPU() - 1; last > 2 {
			say("or keep them apart: `taskset -c 2-%d harness ...` leaves the other CPUs to them", last)
		}
		accept := fmt.Sprintf("environment.others in bench.yaml is %.3g %%", 100*limits.Others)
		if d.Config == plan.AdhocConfig {
			accept = "--keep-disturbed"
		}
		say("or accept them: %s; disturbed pairs then count, and the interval gets wider", accept)
	}
	if has(environment.Steal) {
		say("this virtual machine shares its CPUs with others: take a dedicated one or another host, or raise "+
			"environment.steal (%.3g %%)", 100*limits.Steal)
	}
	if has(environment.MemoryOthers) {
		say("free memory: other processes took memory that the measurement waited for")
	}
	if has(environment.Suspended) {
		say("keep the host awake: `systemd-inhibit harness ...`")
	}
	if has(environment.GPUShared) {
		say("end the other processes on the GPU, or name the GPU that is free in environment.gpus")
	}
	if has(environment.GPUThrottled) || b.Causes[causeCPUHeat] > 0 {
		say("the host was too hot, or short of power: cool it, or add a pause before each proof with plan.cooldown: 5s")
	}
	if n := b.pairsNeeded(d); n > 0 {
		say("more pairs average out what remains: `--pairs %d` would narrow the interval to about %.3g %%", n,
			100*d.Plan.Equivalence)
	}
	say("or measure on another host: `harness compare --require-quiet` waits until this one is quiet")
	return list
}

// pairsNeeded returns the number of equally noisy pairs that narrow the interval to the margin of equivalence. It
// returns 0 if the measured pairs suffice, or if the number is unreasonable.
func (b *Busy) pairsNeeded(d *plan.Decision) int {
	if b.Stats == nil || !b.Stats.EffectCIPercent.Exists() {
		return 0
	}
	half := (b.Stats.EffectCIPercent.High - b.Stats.EffectCIPercent.Low) / 200
	n := float64(b.Pairs) * math.Pow(half/d.Plan.Equivalence, 2)
	if n <= float64(b.Pairs) || n > mostAdvised {
		return 0
	}
	return 2 * int(math.Ceil(n/2))
}
