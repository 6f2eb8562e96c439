package measure

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// trustworthy returns an error, which withholds the verdict of a workload, if its sessions disturbed each other or if a
// session worked outside the compared time.
func (m *measurement) trustworthy() error {
	if len(m.unverified) > 0 {
		return fmt.Errorf("%d proofs were never verified", len(m.unverified))
	}
	for _, head := range m.run.decision.Heads() {
		if err := m.trustworthyAgainst(head); err != nil {
			return err
		}
	}
	return m.oneClock()
}

// trustworthyAgainst checks base and one head.
func (m *measurement) trustworthyAgainst(head schedule.Arm) error {
	seen := m.progress.Against(head)
	failed := func(arm schedule.Arm, why string) error {
		if arm == schedule.Head {
			arm = head
		}
		return m.runners[arm].failed(failure.StepIdle, errors.New(m.named(head, why)))
	}
	for _, arm := range []schedule.Arm{schedule.Base, schedule.Head} {
		if why := report.Restless(seen, arm, m.run.decision.File.Environment); why != "" {
			return failed(arm, why)
		}
	}
	if m.workload.IsSession() {
		if arm, why := report.Evaded(seen, m.run.decision.Plan); why != "" {
			return failed(arm, why)
		}
	}
	return nil
}

// named prefixes a text about base and a head with the head's name if there are several heads.
func (m *measurement) named(head schedule.Arm, text string) string {
	if m.run.decision.HeadCount() == 1 {
		return text
	}
	return fmt.Sprintf("%s (%s): %s", head, m.run.decision.Arm(head).Title(), text)
}

// oneClock withholds the verdict if the prover's and the harness's clock agreed at an interim analysis and no longer
// do, and if by the harness's clock, which now decides, that analysis would have ended the run.
func (m *measurement) oneClock() error {
	metric := m.judgedBy()
	if metric.Name == m.metric.Name || len(m.design.Analyses) == 1 {
		return nil
	}
	_, _, err := m.design.Analyze(evidence.StatsPairs(m.progress.Counted(metric.Name)),
		m.run.decision.StatsOptions(metric))
	if err == nil {
		return nil
	}
	return &failure.Error{Failure: failure.Failure{Step: failure.StepTimes, Workload: m.workload.Name,
		Cause: fmt.Sprintf("%s agreed with %s at the interim analyses, and no longer does: %v; for interim "+
			"analyses, set metrics.primary to %s, whose clock never changes", m.metric.Name, metric.Name, err, metric.Name)}}
}

// judgedBy returns the primary metric by the clock that decides, according to the pairs so far.
func (m *measurement) judgedBy() config.Metric {
	return report.ClockSoFar(m.progress, m.metric.Name, m.run.decision.Plan.Equivalence).By(m.metric)
}

// harnessMetrics are the metrics that only the harness measures. Values that a prover reports under these names are
// discarded.
var harnessMetrics = map[string]bool{
	metrics.WallSeconds:  true,
	metrics.ProofBytes:   true,
	metrics.CPUSeconds:   true,
	metrics.CPUShare:     true,
	metrics.MaxRSSBytes:  true,
	metrics.Instructions: true,
	"energy_joules":      true,
	"gpu_energy_joules":  true,
	"cpu_energy_joules":  true,
	"resident_bytes":     true,
}
