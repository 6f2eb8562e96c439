package harness

import (
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/session"
)

// pause stops a waiting session where the workload allows that.
func (m *measurement) pause(waiting session.Prover) error {
	if waiting == nil || m.workload.Idle != config.IdleStop {
		return nil
	}
	return waiting.Pause()
}

// waiting is the session that waits while an arm proves.
func (m *measurement) waiting(proving Arm) session.Prover {
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
