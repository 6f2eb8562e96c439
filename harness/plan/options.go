package plan

import (
	"github.com/chiasmus/chiasmus/harness/dependencies"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/internal/words"
	"github.com/chiasmus/chiasmus/stats"
)

// Options say what to compare. A zero value means the value of bench.yaml, or its default.
type Options struct {
	// Directory is the directory to run in. Its repository is measured, its bench.yaml counts and its .chiasmus holds the
	// runs. Empty means the working directory.
	Directory string
	// Builds is the folder of builds. Empty means BuildsFolder.
	Builds string
	// Config is the path of a bench.yaml elsewhere.
	Config string
	// Range is base..head, base...head or head, as in revision.Repository.Resolve.
	Range string
	// Heads are further heads, compared with the base of Range in the same schedule as its head.
	Heads []string
	// Dirty measures the work tree as head.
	Dirty bool
	// BaseEnv and HeadEnv are added to the environment of an arm's build and proofs.
	BaseEnv, HeadEnv map[string]string

	// Workloads are the names of workloads to measure. Empty means the default workloads.
	Workloads []string
	Pairs     int
	Analyses  int
	Processes int
	// PreCheck 1 adds a baseline pre-check: head alone is measured first and compared with a cached baseline of base. 0
	// means the value of bench.yaml.
	PreCheck int
	// PairsOnly skips the baseline pre-check whatever bench.yaml says. Nightly runs and searches use it.
	PairsOnly bool
	// KeepHead stores a baseline of head too. In a nightly run, head is a revision of the default branch and so the next
	// base.
	KeepHead bool
	// BuildsPerArm is the number of builds of each arm.
	BuildsPerArm int
	Seed         uint64
	// RandomSeed chooses a random seed whatever bench.yaml says.
	RandomSeed bool

	// AllowDifferentStatement continues even if the arms prove different claims, or head has fewer bits of security.
	AllowDifferentStatement bool
	// NewProofFormat declares a changed proof format, so that base's verifier need not accept head's proofs.
	NewProofFormat bool
	// PullRequest marks a comparison with untrusted code. Base's verifier must then accept head's proofs, unless
	// bench.yaml says otherwise.
	PullRequest bool
	// Isolate runs builds, sessions and verifiers under bubblewrap. Without it, Open says why.
	Isolate bool
	Open    string
	// OrOpen makes Isolate optional: if base does not build isolated, because it needs files or a network of this host,
	// both arms are measured without isolation. Head cannot cause this.
	OrOpen bool
	// Sealed is for hosts that run untrusted code. Nothing is fetched: git reads only the repository, none of this host's
	// configuration, and build.fetch does not run.
	Sealed bool
	// Fetched has the archives that build.fetch produced on another host, by commit. The archive under the empty name
	// serves all other commits: a search builds commits that are not known beforehand.
	Fetched map[string]dependencies.Fetched
	// RequireQuiet waits for a quiet host before measuring, and gives up with exit code 4.
	RequireQuiet bool
	// FailOn lists verdicts, besides regression, with exit code 1.
	FailOn []stats.Verdict

	// Kind is the kind of run. Empty means KindCompare.
	Kind string

	// Commands are measured instead of two revisions. No repository is needed then.
	Commands *Commands
	// Script replaces bench.yaml unless it is nil.
	Script *Script

	Caller
}

// A Caller is recorded with the run: the command line and version of the harness.
type Caller struct {
	Command []string
	Version string
	// OneWorkload refuses runs of several workloads, for output formats that show one.
	OneWorkload bool
}

// The kinds of run.
const (
	KindCompare   = "compare"
	KindCalibrate = "calibrate" // A/A on two separate builds
)

// CheckWorkloads refuses several workloads if OneWorkload is set.
func (c Caller) CheckWorkloads(names []string) error {
	if c.OneWorkload && len(names) > 1 {
		return failure.Usage("the format shows only one workload, and this run has %s: choose another format, or one "+
			"--workload", words.And(names))
	}
	return nil
}
