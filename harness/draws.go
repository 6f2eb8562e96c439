package harness

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/harness/build"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/stats"
)

// The kinds of warning about builds.
const (
	warnLayout    = "layout"
	warnToolchain = "toolchain"
)

// builds is how many builds of either arm a plan has; plans of earlier versions say nothing.
func (p Plan) builds() int { return max(1, p.Builds) }

// planned is the number of processes that a plan says beforehand: 0 where it leaves it to what starting one takes.
// Where nothing else is said every build has one.
func (p Plan) planned() int {
	if p.Launches == 0 && p.builds() > 1 {
		return p.builds()
	}
	return p.Launches
}

// sequence is the plan of looks where so many processes of either arm measure.
func (p Plan) sequence(launches int) (stats.Design, error) {
	return stats.NewDesign(p.Pairs, p.Looks, p.WholeAlpha(), stats.Sampling{Launches: launches, Builds: p.builds()})
}

// fresh is the number of processes that gives every block its own, or every pair where there are too few blocks for the
// tests to count them.
func (p Plan) fresh() (int, error) {
	design, err := stats.NewDesign(p.Pairs, p.Looks, p.WholeAlpha(), stats.Sampling{})
	return design.Units, err
}

// mayHave refuses a number of processes that no run of the plan comes to.
func (p Plan) mayHave(launches int) error {
	allowed, err := p.mayDraw()
	if err != nil {
		return err
	}
	if !slices.Contains(allowed, launches) {
		return fmt.Errorf("it has %d processes of either arm, and a plan of %d pairs none of that kind", launches, p.Pairs)
	}
	return nil
}

// alone says that only the session of a workload that proves is kept.
func (d *Decision) alone(workload string) bool {
	return d.Plan.Resident == string(config.ResidentOne) && d.workload(workload).IsSession()
}

// draw fixes how many processes of either arm measure, and the plan of looks with it: before the first measured proof,
// and by nothing that differs between the arms.
func (m *measurement) draw() error {
	if m.progress.launches == nil {
		launches, why, err := m.decideLaunches()
		if err != nil {
			return err
		}
		m.run.notify(Notice{Workload: m.workload.Name, Text: m.workload.Name + ": " + why})
		if err := m.run.record(recordLaunches, launchesRecord{m.workload.Name, launches, why}); err != nil {
			return err
		}
	}
	launches, builds := *m.progress.launches, m.run.decision.Plan.builds()
	m.schedule = m.schedule.Drawing(launches, builds)
	if pending := m.pending(m.run.decision.Plan.Pairs); len(pending) > 0 {
		m.launched = m.schedule.Pair(pending[0]).Launch // what is open was opened for it
	}
	var err error
	m.design, err = m.run.decision.Plan.sequence(launches)
	return err
}

// decideLaunches says how many processes of either arm measure, and why.
func (m *measurement) decideLaunches() (launches int, why string, err error) {
	plan := m.run.decision.Plan
	fresh, err := plan.fresh()
	setup, proof := m.setup(), m.warmProof()
	if m.progress.settled != nil {
		setup += time.Duration(m.progress.settled.More) * proof
	}
	switch {
	case err != nil:
		return 0, "", err
	case m.alone() || !m.workload.IsSession():
		return plan.planned(), "every proof has a process of its own, or every turn", nil
	case plan.Launches > 0:
		return plan.Launches, fmt.Sprintf("processes of either arm, as planned: %d", plan.Launches), nil
	case plan.Warmup > 0 && short(setup, proof):
		return fresh, fmt.Sprintf("fresh processes %d times, because starting one takes %s and a proof %s", fresh,
			Span(setup), Span(proof)), nil
	case plan.builds() > 1:
		return plan.builds(), fmt.Sprintf("one process for each of %d builds, because starting one takes %s and a proof %s",
			plan.builds(), Span(setup), Span(proof)), nil
	case plan.Warmup == 0:
		return 1, "one process of either arm, because fresh ones need plan.warmup of at least 1", nil
	}
	return 1, fmt.Sprintf("one process of either arm, because starting one takes %s and a proof %s: plan.launches can "+
		"demand more", Span(setup), Span(proof)), nil
}

// short says that starting both processes takes no longer than the four proofs of a block.
func short(setup, proof time.Duration) bool { return 2*setup <= 4*proof }

// setup is the longer of the times in which the two sessions were ready.
func (m *measurement) setup() time.Duration { return max(m.ready[Base], m.ready[Head]) }

// warmProof is the time of the shorter of the last two warm-up proofs, one of either arm.
func (m *measurement) warmProof() time.Duration {
	least := math.Inf(1)
	for _, arm := range []Arm{Base, Head} {
		last := math.Inf(1)
		for _, s := range m.progress.samples {
			if s.Arm == arm && s.Kind == WarmUp {
				last = s.Metrics[metricWall]
			}
		}
		least = min(least, last)
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return seconds(least)
}

// layout is the seed of a build's layout and the recipe with it; the seed is 0 where builds are not drawn.
func (r *run) layout(arm Arm, k int) (uint64, config.Build) {
	recipe := r.decision.file.Build
	s, err := r.decision.schedule()
	if err != nil || r.decision.Plan.builds() == 1 {
		return 0, recipe
	}
	seed := s.LayoutSeed(arm, k)
	return seed, recipe.With(seed)
}

// artifactsOf lists what a build made.
func artifactsOf(result *build.Result) []Artifact {
	list := []Artifact{}
	for _, a := range result.Provenance.Artifacts {
		list = append(list, Artifact{Name: a.Path, SHA256: a.SHA256, Bytes: a.Bytes})
	}
	return list
}

// warnAlike says where the builds of an arm do not differ although their layouts were drawn.
func (r *run) warnAlike(arm Arm) error {
	rev := r.decision.arm(arm)
	distinct := map[string]bool{}
	for _, layout := range rev.Layouts {
		distinct[fmt.Sprint(layout.Artifacts)] = true
	}
	if len(distinct) == len(rev.Layouts) {
		return nil
	}
	return r.warn(warnLayout,
		fmt.Sprintf("of %d builds of %s only %d differ: build.layout does not reach the toolchain", len(rev.Layouts), arm,
			len(distinct)))
}

// foreseeLaunches is how many processes a plan will come to, by the last run of the workload where the plan leaves it
// open.
func (d *Decision) foreseeLaunches(workload string) int {
	fresh, err := d.Plan.fresh()
	switch {
	case err != nil || d.alone(workload) || !d.workload(workload).IsSession() || d.Plan.Launches > 0:
		return d.Plan.planned()
	case d.Plan.Warmup == 0:
		return max(1, d.Plan.planned())
	}
	return fresh
}
