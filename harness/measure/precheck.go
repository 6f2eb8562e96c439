package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/harness/session"
	"github.com/chiasmus/chiasmus/internal/floor"
	"github.com/chiasmus/chiasmus/stats"
)

// preCheck runs the baseline pre-check: if the plan asks for it and a baseline of base allows it, it measures head
// alone. It reports whether the pre-check decided the workload. Otherwise pairs decide, and the report gives the
// reason.
func (m *measurement) preCheck(ctx context.Context) (ended bool, err error) {
	d := m.run.decision
	if d.Plan.PreCheck == 0 {
		return false, nil
	}
	if m.progress.PreCheck != nil {
		return m.progress.PreCheck.Decided == 1, nil
	}
	outcome := record.PreCheck{Workload: m.workload.Name, PreCheck: baseline.PreCheck{Decided: 2}}
	now := time.Now()
	why, err := m.preparePreCheck(&outcome, now)
	if err != nil {
		return false, err
	}
	if why == "" {
		if why, err = m.measureAlone(ctx, &outcome); err != nil {
			return false, err
		}
	}
	if why == "" {
		w, err := report.AssembleWorkload(d, m.workload.Name, m.progress, false, false)
		if err != nil {
			return false, err
		}
		w.Metric.Name = outcome.Baseline.Metric
		why = report.JudgePreCheck(d, &w, &outcome.PreCheck)
	}
	if why != "" {
		outcome.Baseline, outcome.Moves = nil, nil
	}
	if outcome.Text = "the baseline pre-check decided nothing: " + why; why == "" {
		outcome.Decided = 1
		outcome.Text = fmt.Sprintf("decided by the baseline pre-check: %d processes of head alone, against the "+
			"baseline that run %s made %.1f hours earlier", outcome.Processes, outcome.Run, outcome.AgeHours)
	}
	m.run.notify(Notice{Workload: m.workload.Name, Text: m.workload.Name + ": " + outcome.Text})
	if err := m.run.record(record.KindPreCheck, outcome); err != nil || outcome.Decided != 1 {
		return false, err
	}
	return true, m.run.record(record.KindMeasured, record.Workload{Workload: m.workload.Name})
}

// preparePreCheck chooses the baseline and the number of processes; why is the reason if there is no pre-check.
func (m *measurement) preparePreCheck(record *record.PreCheck, now time.Time) (why string, err error) {
	d := m.run.decision
	switch {
	case len(m.progress.Samples) > 0:
		return "the run was interrupted before it ended", nil
	case d.Plan.StageMargin > 0:
		return "metrics.stages asks for pairs", nil
	case d.File.Metrics.Primary.Scale != config.LogScale:
		return "it compares logarithms, and metrics.primary has another scale", nil
	case d.Plan.BuildCount() > 1 || d.OneSession(m.workload.Name):
		return "it compares sessions of one build that stay open, and the plan has others", nil
	}
	list, refused, why := m.run.baselinesFor(m.workload.Name)
	if why != "" {
		return why, nil
	}
	base, moves, why := baseline.Choose(list, refused, &d.Base, baseline.SetupOf(d, m.workload.Name),
		m.run.history.Start, now)
	if why != "" {
		return why, nil
	}
	each := 4 + 2*base.Warmups
	blocks := stats.PlanPreCheck(base.Unpaired(), moves, report.PreCheckOptions(d), d.Plan.Pairs/2, m.perBlock(),
		float64(each+2)/float64(each))
	if blocks == 0 {
		return fmt.Sprintf("by the baseline of run %s, head alone would not end the run sooner than pairs do", base.Run), nil
	}
	record.Baseline, record.Moves = base, moves
	record.Run, record.AgeHours = base.Run, now.Sub(base.Time).Hours()
	record.Processes = blocks * m.perBlock()
	return "", nil
}

// perBlock returns the number of processes that make the four proofs of a block of head alone.
func (m *measurement) perBlock() int {
	if m.workload.IsSession() {
		return 2
	}
	return 4
}

// measureAlone measures head under the conditions of a pair, in blocks of fresh processes: two sessions of head take
// turns, so that a second session is open during each proof, as in a pair. Afterwards base proves the same seeds,
// untimed, if only base can name the statements of their proofs. why is the reason if the times are no evidence.
func (m *measurement) measureAlone(ctx context.Context, record *record.PreCheck) (why string, err error) {
	m.run.notify(Notice{
		Workload: m.workload.Name,
		Text:     fmt.Sprintf("%s: measuring head alone first, by %d processes", m.workload.Name, record.Processes),
	})
	m.runners = m.builds[0]
	for block := range record.Processes / m.perBlock() {
		if err := m.aloneBlock(ctx, block, record.Baseline.Warmups); err != nil {
			return "", err
		}
	}
	if err := m.verifyAlone(ctx); err != nil {
		return "", err
	}
	return m.unusable(record), nil
}

// aloneBlock measures one block with two sessions of head, or with four processes if every proof has its own.
func (m *measurement) aloneBlock(ctx context.Context, block, warmups int) (err error) {
	var twins [2]session.Prover
	turn := func(k int) {
		m.provers[schedule.Head], m.twin = twins[k], twins[1-k]
		m.sessions()
	}
	defer func() {
		m.twin = nil
		for k := range twins {
			if twins[k] != nil {
				m.provers[schedule.Head] = twins[k]
				err = errors.Join(err, m.close(schedule.Head))
			}
		}
	}()
	for k := range twins {
		if err := m.open(ctx, schedule.Head); err != nil {
			return err
		}
		twins[k] = m.provers[schedule.Head]
		delete(m.provers, schedule.Head)
	}
	for k := range twins {
		turn(k)
		if err := m.warmUp(ctx, schedule.Head, 0, warmups); err != nil {
			return err
		}
	}
	for i, k := range []int{1, 0, 0, 1} { // as ABBA; the session that was warmed up last begins
		turn(k)
		process := 2*block + k + 1
		if m.perBlock() == 4 {
			process = 4*block + i + 1
		}
		if err := m.prove(ctx, evidence.Sample{
			Kind:    evidence.PreCheck,
			Arm:     schedule.Head,
			Attempt: process,
			Seed:    m.schedule.AloneSeed(2*block + i/2 + 1),
		}); err != nil {
			return err
		}
	}
	return nil
}

// verifyAlone verifies the proofs of head alone. If only base can name their statements, base proves their seeds first.
func (m *measurement) verifyAlone(ctx context.Context) error {
	said := m.workload.Verify.Uses(config.ExactStatement) && m.workload.ExactStatement == "" ||
		m.workload.Verify.Uses(config.Statement) && m.workload.Statement == ""
	if !said {
		waiting := m.unverified
		m.unverified = nil
		for _, made := range waiting {
			if err := m.verifyOne(ctx, made); err != nil {
				return err
			}
		}
		return nil
	}
	if err := m.open(ctx, schedule.Base); err != nil {
		return err
	}
	for len(m.unverified) > 0 {
		seed := m.progress.Samples[m.unverified[0].sample].Seed
		if err := m.prove(ctx, evidence.Sample{Kind: evidence.Unmeasured, Arm: schedule.Base, Seed: seed}); err != nil {
			return errors.Join(err, m.close(schedule.Base))
		}
	}
	return m.close(schedule.Base)
}

// sameClock is the largest relative difference between the GPUs' clock and the baseline's.
const sameClock = 0.02

// unusable returns the reason why the times of head alone cannot be compared with the baseline, or "": a disturbance,
// another or an untrusted clock, or another claim. Pairs show more in all these cases.
func (m *measurement) unusable(record *record.PreCheck) string {
	var proofs []evidence.Sample
	for _, s := range m.progress.Samples {
		if s.Kind != evidence.PreCheck {
			continue
		}
		if len(s.Causes) > 0 {
			return "the host was disturbed: " + evidence.CausesText(s.Causes)
		}
		proofs = append(proofs, s)
	}
	if why := report.Restless(m.progress, schedule.Head, m.run.decision.File.Environment); why != "" {
		return why
	}
	base := record.Baseline
	if m.workload.IsSession() {
		if problem, _ := claimsDiffer(base.Session, m.progress.Sessions[schedule.Head]); problem != "" {
			return problem
		}
	}
	margin := m.run.decision.Plan.Equivalence
	allowed := report.ErrorShare*margin*base.Seconds + floor.Deferred
	if more := baseline.DeferredIn(proofs) - base.Deferred; m.workload.IsSession() && more > allowed {
		return fmt.Sprintf("between its replies and the next requests, the session of head took %.3g ms more CPU time per "+
			"proof than base did; %.3g ms are allowed", 1e3*more, 1e3*allowed)
	}
	if c := report.ClockOf(base.Metric, margin, evidence.Pointers(proofs), evidence.Pointers(proofs)); c.Disagrees() {
		return fmt.Sprintf("the baseline uses %s, and head's differs from %s by up to %.2g %%, more than %.2g %%", c.Planned,
			c.Used, 100*c.HeadApart, 100*c.Allowed)
	}
	if now := baseline.GPUClock(proofs); math.Abs(now-base.Clock) > sameClock*base.Clock {
		return fmt.Sprintf("the GPUs' clock was %.0f MHz at the baseline, and is %.0f MHz", base.Clock, now)
	}
	return ""
}
