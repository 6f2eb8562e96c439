package plan

import (
	"github.com/chiasmus/chiasmus/harness/dependencies"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/internal/words"
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
	Fetched map[string]dependencies.Fetched
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

	Caller
}

// A Caller is who asks for a run: the command line and the version of the harness, which are recorded.
type Caller struct {
	Command []string
	Version string
	// OneWorkload refuses a run of several workloads, whose report would not fit where it goes.
	OneWorkload bool
}

// The kinds of run.
const (
	KindCompare   = "compare"
	KindCalibrate = "calibrate" // A/A on two separate builds
)

// CheckWorkloads refuses several workloads where there is room for one.
func (c Caller) CheckWorkloads(names []string) error {
	if c.OneWorkload && len(names) > 1 {
		return failure.Usage("the format has room for one workload, and this run has %s: take another format, or one "+
			"--workload", words.And(names))
	}
	return nil
}
