package measure

import (
	"context"
	"time"

	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
)

// Caller is who asks.
func (c Controls) Caller() plan.Caller {
	return plan.Caller{Command: c.Command, Version: c.Version, OneWorkload: c.OneWorkload}
}

// Controls are the part of the options that does not change what a run decides: they are the same for Compare and
// Resume.
type Controls struct {
	// Stop, once closed, lets the running proof finish and ends the run with a partial report. Cancelling the
	// context kills what runs.
	Stop <-chan struct{}
	// Notify is told what happens; nil for nobody. It is called from one goroutine at a time.
	Notify func(Notice)
	// Renderers write report.<extension> into the run directory besides report.json, and Tables write
	// <workload>/<name>, such as pairs.csv.
	Renderers map[string]report.Renderer
	Tables    map[string]report.TableRenderer
	// Command and Version are recorded: the command line and the version of the harness.
	Command []string
	Version string
	// OneWorkload refuses a run of several workloads, whose report would not fit where it goes.
	OneWorkload bool
	// NoWait fails where another measurement runs on this host, instead of waiting.
	NoWait bool
	// Baselines is the folder of the baselines of first tiers; empty means BaselinesFolder.
	Baselines string
	// Carried are baselines that whoever asks vouches for: where there are any no folder is read, also for a pull request.
	Carried []baseline.Baseline
	// Profile samples the call stacks of both arms after the last measured pair, by one of ProfileSources; empty for no.
	Profile string
	// LockFile is the lock of the host; empty means the one of the machine: see journal.LockHost.
	LockFile string

	// idleAsWritten lets sessions wait as bench.yaml says, whoever trusts head, in tests of what a waiting session does.
	idleAsWritten bool
	// uncounted is group.Uncounted, unless a test has another.
	uncounted func() string
	// codeSource and profiledProofs stand in for what samples and for how many proofs, in tests.
	codeSource     func() codeSource
	profiledProofs int
	// Instead of those of environment, in tests.
	observe   func() Observer
	waitQuiet func(context.Context, environment.Thresholds, ...func([]environment.Cause)) error
}

// A Notice is one thing that happened, for people who watch. It never says anything about the times that were measured.
type Notice struct {
	// Text is what happened; empty when only the counts moved.
	Text     string
	Workload string
	// Pairs and Proofs count what has been measured of what is planned, 0 before the first.
	Pairs, PairsPlanned   int
	Proofs, ProofsPlanned int
	// Left is the time that the workload will still take, 0 while unknown.
	Left time.Duration
	// Build is set while a build runs, and then nothing else is.
	Build *BuildLine
}

func (c Controls) Tell(n Notice) {
	if c.Notify != nil {
		c.Notify(n)
	}
}

// stopped says whether the run was asked to end.
func (c Controls) stopped() bool {
	select {
	case <-c.Stop: // a nil channel never delivers
		return true
	default:
		return false
	}
}
