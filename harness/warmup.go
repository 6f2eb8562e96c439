package harness

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/stats"
)

// warnUnsettled marks a prover whose times still drifted when as many warm-up proofs were made as the plan allows.
const warnUnsettled = "warm-up"

// settleStep is how many warm-up proofs more either arm makes after a look that saw a drift.
const settleStep = 2

// firstWarmups is how many warm-up proofs either arm makes at its first start at least: enough to look for a drift.
// Where none is looked for it is plan.warmup, as at every other start.
func (p Plan) firstWarmups() int {
	if p.Settle == 0 {
		return p.Warmup
	}
	return max(p.Warmup, stats.DriftWindow)
}

// settling is the plan of a workload as its first start left it: with the warm-up proofs that later ones take, and the
// number that the first one took.
func (p *progress) settling(plan Plan) (Plan, int) {
	if p.settled == nil {
		return plan, plan.firstWarmups()
	}
	plan.Warmup += p.settled.More
	return plan, p.settled.Proofs
}

// planOf is the plan of a workload. Drift is looked for where both sessions stay: a session that ends at every turn,
// and a process that makes one proof, are warm or cold alike every time.
func (d *Decision) planOf(workload string) Plan {
	plan := d.Plan
	if d.alone(workload) || !d.workload(workload).IsSession() || plan.Warmup == 0 {
		plan.Settle = 0
	}
	return plan
}

// warmUp makes discarded proofs of an arm: those from one number up to another.
func (m *measurement) warmUp(ctx context.Context, arm Arm, made, upTo int) error {
	for n := made + 1; n <= upTo; n++ {
		if err := m.prove(ctx, Sample{Kind: WarmUp, Arm: arm, Seed: m.schedule.WarmupSeed(n)}); err != nil {
			return err
		}
	}
	return nil
}

// warmBoth warms up the sessions of both arms, the one that goes on last. At the first start it takes more proofs while
// the times of either arm drift; later starts take as many more as that one did. Both arms make equally many, and no
// measured proof has a say.
func (m *measurement) warmBoth(ctx context.Context, arms []Arm) error {
	plan := m.run.decision.planOf(m.workload.Name)
	if plan.Settle == 0 || m.progress.settled != nil {
		plan, _ = m.progress.settling(plan)
		return m.warmEach(ctx, arms, 0, plan.Warmup)
	}
	first, made := plan.firstWarmups(), 0
	for next := first; ; next = min(next+settleStep, plan.Settle) {
		if err := m.warmEach(ctx, arms, made, next); err != nil {
			return err
		}
		made = next
		drift := m.drift(arms, plan.Equivalence)
		if drift == "" || made >= plan.Settle {
			return m.settled(made, made-first, drift)
		}
	}
}

func (m *measurement) warmEach(ctx context.Context, arms []Arm, made, upTo int) error {
	for _, arm := range arms {
		if err := m.warmUp(ctx, arm, made, upTo); err != nil {
			return err
		}
	}
	return nil
}

// drift says how the last warm-up proofs of an arm drift, empty where those of neither do.
func (m *measurement) drift(arms []Arm, margin float64) string {
	for _, arm := range arms {
		var values []float64
		for _, s := range m.progress.samples {
			if s.Kind == WarmUp && s.Arm == arm {
				values = append(values, s.Metrics[m.metric.Name])
			}
		}
		if change, drifting := stats.Drifting(values, margin); drifting {
			return fmt.Sprintf("the %s of %s went from each of its last %d warm-up proofs to the next one way, by %+.2g %% in "+
				"all",
				m.metric.Name, arm, stats.DriftWindow, 100*change)
		}
	}
	return ""
}

// settled journals how the first start went. Processes that never settle are all measured alike, as warm as plan.warmup
// makes them: more proofs would not help, and the report says so.
func (m *measurement) settled(made, more int, drift string) error {
	record := settledRecord{Workload: m.workload.Name, Proofs: made, More: more}
	switch {
	case drift != "":
		record.More = 0
		text := fmt.Sprintf("after %d warm-up proofs of either arm, as many as plan.settle allows, %s", made, drift)
		if err := m.warn(warnUnsettled, text); err != nil {
			return err
		}
	case more > 0:
		record.Text = fmt.Sprintf("times drifted until %d warm-up proofs of either arm were made: every start takes %d "+
			"more than plan.warmup", made, more)
		m.run.notify(Notice{Workload: m.workload.Name, Text: m.workload.Name + ": " + record.Text})
	}
	return m.run.record(recordSettled, record)
}
