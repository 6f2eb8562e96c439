package measure

import (
	"fmt"
	"math"
	"time"

	"github.com/chiasmus/chiasmus/harness/build"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/internal/words"
)

// draw fixes the number of processes of each arm, and with it the interim analyses. It runs before the first measured
// proof, and no difference between the arms influences it.
func (m *measurement) draw() error {
	if m.progress.Processes == nil {
		processes, why, err := m.decideProcesses()
		if err != nil {
			return err
		}
		m.run.notify(Notice{Workload: m.workload.Name, Text: m.workload.Name + ": " + why})
		if err := m.run.record(record.KindProcesses, record.Processes{Workload: m.workload.Name, Processes: processes,
			Text: why}); err != nil {
			return err
		}
	}
	processes, builds := *m.progress.Processes, m.run.decision.Plan.BuildCount()
	m.schedule = m.schedule.WithReplicates(processes, builds)
	if pending := m.pending(m.run.decision.Plan.Pairs); len(pending) > 0 {
		m.launched = m.schedule.Pair(pending[0]).Process // the open sessions were opened for it
	}
	var err error
	m.design, err = m.run.decision.Plan.Sequence(processes)
	return err
}

// decideProcesses returns the number of processes of each arm, and the reason.
func (m *measurement) decideProcesses() (processes int, why string, err error) {
	plan := m.run.decision.Plan
	fresh, err := plan.Fresh()
	setup, proof := m.setup(), m.warmProof()
	if m.progress.WarmupCount != nil {
		setup += time.Duration(m.progress.WarmupCount.More) * proof
	}
	switch {
	case err != nil:
		return 0, "", err
	case m.alone() || !m.workload.IsSession():
		return plan.Planned(), "each measurement runs in a new process", nil
	case plan.Processes > 0:
		return plan.Processes, plural.Of(plan.Processes, "process") + " of each arm, as planned", nil
	case plan.Warmup > 0 && short(setup, proof):
		return fresh, fmt.Sprintf("%d fresh processes of each arm, because starting one takes %s and a proof %s", fresh,
			words.Span(setup), words.Span(proof)), nil
	case plan.BuildCount() > 1:
		return plan.BuildCount(), fmt.Sprintf("one process for each of %d builds, because starting one takes %s and a "+
			"proof %s", plan.BuildCount(), words.Span(setup), words.Span(proof)), nil
	case plan.Warmup == 0:
		return 1, "one process of each arm, because fresh ones need plan.warmup of at least 1", nil
	}
	return 1, fmt.Sprintf("one process of each arm, because starting one takes %s and a proof %s; set plan.processes "+
		"for more", words.Span(setup), words.Span(proof)), nil
}

// short reports whether starting a process of each arm takes no longer than the proofs of a block, two of each arm.
func short(setup, proof time.Duration) bool { return setup <= 2*proof }

// setup returns the longest time that a session took to become ready.
func (m *measurement) setup() time.Duration {
	longest := time.Duration(0)
	for _, took := range m.ready {
		longest = max(longest, took)
	}
	return longest
}

// warmProof returns the shortest time among the last warm-up proof of each arm; 0 if there are none.
func (m *measurement) warmProof() time.Duration {
	least := math.Inf(1)
	for _, arm := range m.run.decision.Arms() {
		last := math.Inf(1)
		for _, s := range m.progress.Samples {
			if s.Arm == arm && s.Kind == evidence.WarmUp {
				last = s.Metrics[metrics.WallSeconds]
			}
		}
		least = min(least, last)
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return words.Duration(least)
}

// layout returns the seed of a build's layout and the recipe with it. The seed is 0 if layouts are not randomized.
func (r *run) layout(arm schedule.Arm, k int) (uint64, config.Build) {
	recipe := r.decision.File.Build
	s, err := r.decision.Schedule()
	if err != nil || r.decision.Plan.BuildCount() == 1 {
		return 0, recipe
	}
	seed := s.LayoutSeed(arm, k)
	return seed, recipe.With(seed)
}

// artifactsOf lists the artifacts of a build.
func artifactsOf(result *build.Result) []plan.Artifact {
	list := []plan.Artifact{}
	for _, a := range result.Provenance.Artifacts {
		list = append(list, plan.Artifact{Name: a.Path, SHA256: a.SHA256, Bytes: a.Bytes})
	}
	return list
}

// warnAlike warns if builds of an arm are equal although their layouts were randomized.
func (r *run) warnAlike(arm schedule.Arm) error {
	rev := r.decision.Arm(arm)
	distinct := map[string]bool{}
	for _, layout := range rev.Layouts {
		distinct[fmt.Sprint(layout.Artifacts)] = true
	}
	if len(distinct) == len(rev.Layouts) {
		return nil
	}
	return r.warn(plan.WarnLayout,
		fmt.Sprintf("only %d of %d builds of %s are distinct: build.layout does not reach the toolchain", len(distinct),
			len(rev.Layouts), arm))
}
