package harness

import (
	"context"
	"io"
	"path/filepath"
	"time"

	"github.com/chiasmus/chiasmus/harness/build"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/stats"
)

// Options say what to compare. Zero values mean what bench.yaml says, or its default.
type Options struct {
	// Directory is where the harness is run: its repository is measured, its bench.yaml counts, its .chiasmus holds
	// runs. Empty means the working directory.
	Directory string
	// Builds is the folder that builds are kept in; empty means BuildsFolder.
	Builds string
	// Config names a bench.yaml elsewhere.
	Config string
	// Range is base..head, base...head or head, as in revision.Repository.Resolve.
	Range string
	// Dirty measures the work tree as head.
	Dirty bool
	// BaseEnv and HeadEnv are added to the environment of an arm's build and proofs.
	BaseEnv, HeadEnv map[string]string

	// Workloads names what is measured; empty means the default workloads.
	Workloads []string
	Pairs     int
	Looks     int
	Launches  int
	// Tier 1 measures head alone first, against a baseline of base; 0 is what bench.yaml says.
	Tier int
	// PairsOnly leaves the first tier out whatever bench.yaml says: nights and searches count pairs.
	PairsOnly bool
	// KeepHead keeps a baseline of head, too: at night it is a revision of the default branch, tomorrow's base.
	KeepHead bool
	// DrawnBuilds is how many builds of either arm are measured.
	DrawnBuilds int
	Seed        uint64
	// DrawSeed draws a seed whatever bench.yaml says.
	DrawSeed bool

	// AllowDifferentStatement goes on where the arms prove different claims, or head with fewer bits.
	AllowDifferentStatement bool
	// NewProofFormat declares that the format of proofs has changed, so that base's verifier need not accept head's.
	NewProofFormat bool
	// PullRequest says that somebody else asked for the comparison: base's verifier then has to accept head's proofs,
	// unless bench.yaml says otherwise.
	PullRequest bool
	// Isolate runs builds, sessions and verifiers under bubblewrap. Where it is not set, Open says why.
	Isolate bool
	Open    string
	// OrOpen makes Isolate a wish: where base does not build isolated, because it needs files or a network of this host,
	// both arms are measured without. Head has no say in that.
	OrOpen bool
	// Sealed is for a host that runs strangers' code: nothing is fetched. Git reads what the repository holds and nothing
	// of this host's configuration, and build.fetch is not run.
	Sealed bool
	// Fetched is what build.fetch left elsewhere, by commit. Where a commit is not named, what is there under the empty
	// name is taken: a search builds commits that nobody named beforehand.
	Fetched map[string]build.Fetched
	// RequireQuiet waits until the host is quiet before it measures, and gives up with exit code 4.
	RequireQuiet bool
	// FailOn are verdicts that end with exit code 1 besides regression.
	FailOn []stats.Verdict

	// Kind is what the run is for; empty means KindCompare.
	Kind string

	// Commands are measured instead of two revisions of a repository, which then need not be there.
	Commands *Commands
	// Script takes the place of bench.yaml, where it is not nil.
	Script *Script

	Controls
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
	Renderers map[string]Renderer
	Tables    map[string]TableRenderer
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
	Carried []Baseline
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

// The kinds of run.
const (
	KindCompare   = "compare"
	KindCalibrate = "calibrate" // A/A on two separate builds
)

// A Renderer draws a report.
type Renderer func(w io.Writer, r *Report) error

// A TableRenderer writes a file of one workload.
type TableRenderer func(w io.Writer, load *Workload) error

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

// folder is where everything of this package is kept.
const folder = ".chiasmus"

// RunsFolder returns where the runs of a directory are.
func RunsFolder(directory string) string { return filepath.Join(directory, folder, "runs") }

// ProfilesFolder returns where the noise profiles of a directory are.
func ProfilesFolder(directory string) string { return filepath.Join(directory, folder, "profiles") }

func (c Controls) notify(n Notice) {
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

// checkWorkloads refuses several workloads where there is room for one.
func (c Controls) checkWorkloads(names []string) error {
	if c.OneWorkload && len(names) > 1 {
		return usage("the format has room for one workload, and this run has %s: take another format, or one --workload",
			joinWords(names))
	}
	return nil
}
