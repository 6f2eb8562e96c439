package measure

import (
	"context"
	"time"

	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
)

// Caller returns the part of the controls that a decision records.
func (c Controls) Caller() plan.Caller {
	return plan.Caller{Command: c.Command, Version: c.Version, OneWorkload: c.OneWorkload}
}

// Controls are the options that do not change the decision of a run: Begin and Resume both take them.
type Controls struct {
	// Stop, once closed, lets the running proof finish and ends the run with a partial report. Cancelling the context
	// kills the running programs.
	Stop <-chan struct{}
	// Notify receives notices; nil discards them. It is called from one goroutine at a time.
	Notify func(Notice)
	// Renderers write report.<extension> into the run directory, next to report.json. Tables write <workload>/<name>,
	// such as pairs.csv.
	Renderers map[string]report.Renderer
	Tables    map[string]report.TableRenderer
	// Command and Version are recorded: the command line and the version of the harness.
	Command []string
	Version string
	// OneWorkload refuses runs of several workloads, for output formats that show one.
	OneWorkload bool
	// NoWait fails instead of waiting if another measurement is running on this host.
	NoWait bool
	// Baselines is the folder of baselines. Empty means baseline.Folder.
	Baselines string
	// Carried are baselines that the caller vouches for. If there are any, no folder is read, also for a pull request.
	Carried []baseline.Baseline
	// Profile samples the call stacks of both arms after the last measured pair, from one of ProfileSources. Empty means
	// no profile.
	Profile string
	// LockFile is the lock of the host. Empty means the lock of the machine: see journal.LockHost.
	LockFile string

	// idleAsWritten, in tests, lets sessions wait as bench.yaml says even if head is trusted.
	idleAsWritten bool
	// uncounted, in tests, replaces group.Uncounted.
	uncounted func() string
	// codeSource and profiledProofs, in tests, replace the sampling and its number of proofs; onGPU says that the host has
	// a GPU.
	codeSource     func() codeSource
	profiledProofs int
	onGPU          bool
	// observe and waitQuiet, in tests, replace the functions of package environment.
	observe   func() Observer
	waitQuiet func(context.Context, environment.Thresholds, ...func([]environment.Cause)) error
}

// A Notice tells people about the progress of a run. It never contains a measured time.
type Notice struct {
	// Text describes an event. It is empty if only the counts changed.
	Text     string
	Workload string
	// Pairs and Proofs are the numbers measured so far, with the planned numbers; 0 before the first.
	Pairs, PairsPlanned   int
	Proofs, ProofsPlanned int
	// Left is the predicted remaining time of the workload, 0 while unknown.
	Left time.Duration
	// Build is set during a build; the other fields are then empty.
	Build *BuildLine
}

func (c Controls) Tell(n Notice) {
	if c.Notify != nil {
		c.Notify(n)
	}
}

// stopped reports whether the run was asked to end.
func (c Controls) stopped() bool {
	select {
	case <-c.Stop: // a nil channel never delivers
		return true
	default:
		return false
	}
}
