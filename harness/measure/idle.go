package measure

import (
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/harness/session"
)

// pause stops a waiting session where the workload asks for that, and where head must not watch base prove. A head that
// is not isolated can read base's proof wherever it lies as a file. From base's request until that file is gone head is
// stopped, and it goes on when it is asked itself. Base is stopped alike, so that both wait in the same way.
func (m *measurement) pause(waiting session.Prover) error {
	open := m.run.decision.Trust() != "" && waiting != m.twin && !m.run.controls.idleAsWritten
	if waiting == nil || m.workload.Idle != config.IdleStop && !open {
		return nil
	}
	return waiting.Pause()
}

// waiting is the session that waits while an arm proves.
func (m *measurement) waiting(proving schedule.Arm) session.Prover {
	if m.twin != nil {
		return m.twin
	}
	return m.provers[proving.Other()]
}

// accountOf is what a waiting session has taken so far.
func accountOf(waiting session.Prover) session.Account {
	if waiting == nil {
		return session.Account{}
	}
	return waiting.Account()
}
