package measure

import (
	"slices"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/harness/session"
)

// An Observer watches the host during a proof for disturbances outside the measured process. environment.Observer
// implements it.
type Observer interface {
	// SetProcesses sets the processes of the open sessions.
	SetProcesses(pids []int)
	// Start begins to watch a proof of the given process; there is none in process mode.
	Start(measured ...int)
	Stop() environment.Observation
	// Notes lists what cannot be observed on this host.
	Notes() []string
	Close() error
}

// watch returns an observer for a workload. Once per run, it reports what this host cannot observe.
func (r *run) watch() (Observer, error) {
	if r.controls.observe != nil {
		return r.controls.observe(), nil
	}
	o := environment.NewObserver(r.decision.File.Environment, nil)
	notes := o.Notes()
	if why := session.NoInstructions(); why != "" {
		notes = append(notes, "instructions are not counted: "+why)
	}
	for _, note := range notes {
		if slices.ContainsFunc(r.history.Events, func(e evidence.Event) bool { return e.Text == note }) {
			continue
		}
		if err := r.event("%s", note); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// sessions tells the observer which sessions are open.
func (m *measurement) sessions() {
	var pids []int
	for _, arm := range m.run.decision.Arms() {
		pids = append(pids, m.measured(arm)...)
	}
	if m.twin != nil {
		pids = append(pids, first(m.twin)...)
	}
	m.observer.SetProcesses(pids)
}

// measured returns the first process of an arm's session, none in process mode.
func (m *measurement) measured(arm schedule.Arm) []int {
	if prover := m.provers[arm]; prover != nil {
		return first(prover)
	}
	return nil
}

// first returns the first process of a session.
func first(prover session.Prover) []int {
	pids := prover.PIDs()
	return pids[:min(1, len(pids))]
}
