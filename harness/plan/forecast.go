package plan

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/profile"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/words"
	"github.com/chiasmus/chiasmus/stats"
)

// predictProcesses returns the number of processes of each arm. It predicts the number if the plan leaves it to the
// measured start-up time.
func (d *Decision) predictProcesses(workload string) int {
	fresh, err := d.Plan.Fresh()
	switch {
	case err != nil || d.OneSession(workload) || !d.Workload(workload).IsSession() || d.Plan.Processes > 0:
		return d.Plan.Planned()
	case d.Plan.Warmup == 0:
		return max(1, d.Plan.Planned())
	}
	return fresh
}

// ProofsOf counts the proofs, unmeasured proofs included, that the given pairs take after a proof of arm last, pair
// previous and process launched. With alone, only one session is kept open, and each change of arm warms up the new
// session.
func ProofsOf(s *schedule.Schedule, pairs []int, plan Plan, alone bool, last schedule.Arm, previous, launched int) int {
	proofs := 0
	for _, n := range proofsByArm(s, pairs, plan, alone, last, previous, launched) {
		proofs += n
	}
	return proofs
}

// proofsByArm is ProofsOf for every arm.
func proofsByArm(s *schedule.Schedule, pairs []int, plan Plan, alone bool, last schedule.Arm, previous,
	launched int) map[schedule.Arm]int {
	proofs := map[schedule.Arm]int{}
	turn := func(arm schedule.Arm) {
		if alone && arm != last {
			proofs[arm] += plan.Warmup
			last = arm
		}
	}
	for _, number := range pairs {
		p := s.Pair(number)
		arms := p.Order.Arms()
		if p.Process != launched { // all processes restart, and the arm that proves first is warmed up last
			for _, arm := range arms {
				proofs[arm] += plan.Warmup
			}
			launched, last = p.Process, p.Order.First()
		}
		turn(p.Order.First())
		if s.Bridge(p, last, previous == number-1) {
			proofs[p.Order.First()]++
		}
		for _, arm := range arms {
			turn(arm)
			last = arm
			proofs[arm]++
		}
		previous = number
	}
	return proofs
}

// PlannedProofs counts the proofs of a run without dropped pairs and without an early stop. Each arm makes the given
// number of warm-up proofs at its first start.
func PlannedProofs(s *schedule.Schedule, plan Plan, warmups int, alone bool) int {
	proofs := 0
	for _, n := range PlannedByArm(s, plan, warmups, alone) {
		proofs += n
	}
	return proofs
}

// PlannedByArm is PlannedProofs for every arm.
func PlannedByArm(s *schedule.Schedule, plan Plan, warmups int, alone bool) map[schedule.Arm]int {
	pairs := make([]int, plan.Pairs)
	for i := range pairs {
		pairs[i] = i + 1
	}
	first := s.Pair(1)
	proofs := proofsByArm(s, pairs, plan, alone, first.Order.First(), 0, first.Process)
	for arm := range proofs {
		proofs[arm] += warmups
	}
	return proofs
}

// A Forecast predicts the proofs, time and sensitivity of a run.
type Forecast struct {
	Decision  *Decision
	Workloads []WorkloadForecast
}

// WorkloadForecast is the forecast of one workload.
type WorkloadForecast struct {
	Name   string
	Proofs int // warm-up and unmeasured ones included
	// Least and Most bound the number of proofs if the run will choose a random seed, which a dry run cannot know, or if
	// Open is set. They are 0 if Proofs is exact.
	Least, Most int
	// Processes is the number of processes of each arm, 0 if processes are not randomized.
	Processes int
	// Open means that the measured start-up time will decide between one process of each arm and Processes, and no
	// earlier run predicts the choice.
	Open bool
	// Left is the predicted time of measuring, 0 if unknown. Source names its origin.
	Left   time.Duration
	Source string
	// Detectable is the smallest effect in percent that the plan finds with 80 % power, from the noise profile of this
	// host; NaN without a profile.
	Detectable float64
}

// Text describes the forecast in one line.
func (w WorkloadForecast) Text() string {
	text := fmt.Sprintf("%s: %d proofs", w.Name, w.Proofs)
	if w.Most > w.Least {
		text = fmt.Sprintf("%s: %d to %d proofs, depending on the random orders", w.Name, w.Least, w.Most)
	}
	switch {
	case w.Open:
		text = fmt.Sprintf("%s: %d to %d proofs, in one process of each arm or in %d, depending on their start-up "+
			"time", w.Name,
			w.Least, w.Most, w.Processes)
	case w.Processes > 1:
		text += fmt.Sprintf(" in %d processes of each arm", w.Processes)
	}
	if w.Left > 0 {
		text += fmt.Sprintf(", about %s (from %s)", words.Span(w.Left), w.Source)
	} else if w.Source == "" {
		text += ", duration unknown (never measured here)"
	}
	if !math.IsNaN(w.Detectable) {
		text += fmt.Sprintf("; can detect an effect of %.2g %% with 80 %% power", w.Detectable)
	}
	return text
}

// PredictAll makes the forecast of a decision.
func PredictAll(ctx context.Context, decision *Decision) (*Forecast, error) {
	host, err := environment.Capture(ctx)
	if err != nil {
		return nil, err
	}
	f := &Forecast{Decision: decision}
	for _, name := range decision.Workloads {
		w, err := decision.Predict(name, host)
		if err != nil {
			return nil, err
		}
		if least, most := decision.boundProofs(name, w.Processes); !w.Open {
			w.Least, w.Most = least, most
		} else if most > 0 {
			fewest, _ := decision.boundProofs(name, 1)
			w.Least, w.Most = fewest, most
		}
		f.Workloads = append(f.Workloads, w)
	}
	return f, nil
}

// boundProofs bounds PlannedProofs over all seeds: between two blocks of one process there is one unmeasured proof or
// none. Both bounds are 0 if the seed is known or does not matter.
func (d *Decision) boundProofs(name string, processes int) (least, most int) {
	p := d.Plan
	if !p.SeedDrawn || d.OneSession(name) || p.Design != string(config.ABBA) {
		return 0, 0
	}
	processes = max(1, processes)
	least = len(d.Arms()) * (d.PlanOf(name).FirstWarmups() + p.Warmup*(processes-1) + p.Pairs)
	return least, least + max(0, (p.Pairs+1)/2-processes)
}

// Predict makes the forecast of one workload, from the noise profile of this host or else from the last run.
func (d *Decision) Predict(name string, host *environment.Snapshot) (WorkloadForecast, error) {
	plan, err := d.Schedule()
	if err != nil {
		return WorkloadForecast{}, err
	}
	primary := d.File.Metrics.Primary
	w := WorkloadForecast{Name: name, Processes: d.predictProcesses(name), Detectable: math.NaN()}
	warmups := d.PlanOf(name).FirstWarmups()
	w.Proofs = PlannedProofs(plan.WithReplicates(w.Processes, d.Plan.Builds), d.Plan, warmups, d.OneSession(name))
	if d.OfCommands() { // an earlier run may have measured other commands
		if d.ProbeSeconds > 0 {
			w.Left, w.Source = words.Duration(float64(w.Proofs)*d.ProbeSeconds/float64(len(d.Arms()))), "the first processes"
		}
		return w, nil
	}
	profile, err := profile.Load(d.Directory, name)
	if err != nil {
		return w, err
	}
	if profile != nil && profile.Fits(metrics.Metric{Name: primary.Name, Scale: stats.Scale(primary.Scale)}, host) {
		w.Left, w.Source = words.Duration(float64(w.Proofs)*profile.ProofSeconds()), "the noise profile"
		w.Detectable = profile.DetectablePercent(stats.Draw{
			Pairs:     d.Plan.Pairs,
			Processes: w.Processes,
			Builds:    d.Plan.BuildCount(),
		}, d.Plan.WholeAlpha()/float64(d.FamilySize()), d.Plan.Equivalence)
		return w, nil
	}
	runs, err := journal.List(journal.RunsFolder(d.Directory))
	if err != nil {
		return w, err
	}
	for _, dir := range slices.Backward(runs) {
		r, err := readEarlier(dir)
		if err != nil {
			continue // an unreadable report must not prevent the measurement
		}
		for _, before := range r.Workloads {
			if (before.Name == name || before.Of == name) && before.Seconds > 0 && before.ProofsMade > 0 {
				if d.Plan.Processes == 0 && before.Processes == 1 && d.Plan.BuildCount() == 1 &&
					!d.OneSession(name) { // starting is slow here
					w.Processes = 1
					w.Proofs = PlannedProofs(plan.WithReplicates(1, 1), d.Plan, warmups, false)
				}
				w.Left, w.Source = words.Duration(float64(w.Proofs)*before.Seconds/float64(before.ProofsMade)), "run "+r.ID
				return w, nil
			}
		}
	}
	if w.Processes > 1 && d.Plan.Processes == 0 && d.Plan.BuildCount() == 1 && d.Workload(name).IsSession() &&
		!d.OneSession(name) {
		w.Open = true
		w.Least, w.Most = PlannedProofs(plan.WithReplicates(1, 1), d.Plan, warmups, false), w.Proofs
	}
	return w, nil
}
