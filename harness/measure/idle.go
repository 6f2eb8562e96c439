package measure

import (
	"maps"
	"slices"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/harness/session"
)

// pause stops a waiting session if the workload asks for that, or if head must not watch base prove: a head that is not
// isolated can read base's proof file, wherever it is. Head is therefore stopped from base's request until that file is
// gone, and continues with its own next request. Base is stopped, too, so that both wait in the same way.
func (m *measurement) pause(waiting session.Prover) error {
	open := m.run.decision.Trust() != "" && waiting != m.twin && !m.run.controls.idleAsWritten
	if m.workload.Idle != config.IdleStop && !open {
		return nil
	}
	return waiting.Pause()
}

// waiting returns the sessions that wait while an arm proves, by arm.
func (m *measurement) waiting(proving schedule.Arm) map[schedule.Arm]session.Prover {
	if m.twin != nil {
		return map[schedule.Arm]session.Prover{proving.Other(): m.twin}
	}
	waiting := maps.Clone(m.provers)
	delete(waiting, proving)
	return waiting
}

// pauseAll pauses the waiting sessions.
func (m *measurement) pauseAll(waiting map[schedule.Arm]session.Prover) error {
	for _, arm := range slices.Sorted(maps.Keys(waiting)) {
		if err := m.pause(waiting[arm]); err != nil {
			return m.runners[arm].failed(failure.StepSession, err)
		}
	}
	return nil
}

// accounts returns the resources that each waiting session has used so far.
func accounts(waiting map[schedule.Arm]session.Prover) map[schedule.Arm]session.Account {
	taken := map[schedule.Arm]session.Account{}
	for arm, prover := range waiting {
		taken[arm] = prover.Account()
	}
	return taken
}

// watched stores in a sample the resources that the waiting sessions used during its proof, which took the given
// seconds.
func (m *measurement) watched(sample *evidence.Sample, seconds float64, before, after map[schedule.Arm]session.Account,
	gpu *float64) {
	if m.twin != nil || !m.workload.IsSession() {
		return
	}
	for arm, account := range after {
		waited := account.Since(before[arm])
		idle := &evidence.Idle{Seconds: seconds, CPUSeconds: waited.CPUSeconds, IOBytes: waited.IOBytes, GPUShare: gpu}
		if m.run.decision.HeadCount() == 1 {
			sample.Idle = idle
			continue
		}
		if sample.Waiting == nil {
			sample.Waiting = map[schedule.Arm]*evidence.Idle{}
		}
		sample.Waiting[arm] = idle
	}
}
