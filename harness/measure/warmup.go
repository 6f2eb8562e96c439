package measure

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// warnUnsettled is the kind of warning about times that still drifted after the largest number of warm-up proofs.
const warnUnsettled = "warm-up"

// settleStep is the number of additional warm-up proofs of each arm after each check that found a drift.
const settleStep = 2

// warmUp makes the discarded proofs number made+1 to upTo of an arm.
func (m *measurement) warmUp(ctx context.Context, arm schedule.Arm, made, upTo int) error {
	for n := made + 1; n <= upTo; n++ {
		if err := m.prove(ctx, evidence.Sample{Kind: evidence.WarmUp, Arm: arm, Seed: m.schedule.WarmupSeed(n)}); err != nil {
			return err
		}
	}
	return nil
}

// warmAll warms up the sessions of all arms, the next one to prove last. At the first start it makes more proofs while
// the times of any arm drift; later starts make the same number of additional proofs. All arms make the same number,
// and no measured proof influences it.
func (m *measurement) warmAll(ctx context.Context, arms []schedule.Arm) error {
	plan := m.run.decision.PlanOf(m.workload.Name)
	if plan.Settle == 0 || m.progress.WarmupCount != nil {
		plan, _ = m.progress.Settling(plan)
		return m.warmEach(ctx, arms, 0, plan.Warmup)
	}
	first, made := plan.FirstWarmups(), 0
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

func (m *measurement) warmEach(ctx context.Context, arms []schedule.Arm, made, upTo int) error {
	for _, arm := range arms {
		if err := m.warmUp(ctx, arm, made, upTo); err != nil {
			return err
		}
	}
	return nil
}

// drift describes the drift in the last warm-up proofs of an arm; empty if no arm's times drift.
func (m *measurement) drift(arms []schedule.Arm, margin float64) string {
	for _, arm := range arms {
		var values []float64
		for _, s := range m.progress.Samples {
			if s.Kind == evidence.WarmUp && s.Arm == arm {
				values = append(values, s.Metrics[m.metric.Name])
			}
		}
		if change, drifting := stats.Drifting(values, margin); drifting {
			return fmt.Sprintf("the %s of %s moved in one direction over its last %d warm-up proofs, by %+.2g %% in "+
				"total",
				m.metric.Name, arm, stats.DriftWindow, 100*change)
		}
	}
	return ""
}

// settled journals the number of warm-up proofs of the first start. If times never converge, every start makes
// plan.warmup proofs, because more would not help, and the report has a warning.
func (m *measurement) settled(made, more int, drift string) error {
	start := record.WarmupCount{Workload: m.workload.Name, Proofs: made, More: more}
	switch {
	case drift != "":
		start.More = 0
		text := fmt.Sprintf("after %d warm-up proofs of each arm, the maximum of plan.settle, %s", made, drift)
		if err := m.warn(warnUnsettled, text); err != nil {
			return err
		}
	case more > 0:
		start.Text = fmt.Sprintf("times drifted until %d warm-up proofs of each arm were made: every start makes %d "+
			"more than plan.warmup", made, more)
		m.run.notify(Notice{Workload: m.workload.Name, Text: m.workload.Name + ": " + start.Text})
	}
	return m.run.record(record.KindWarmupCount, start)
}
