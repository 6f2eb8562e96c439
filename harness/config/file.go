package config

import (
	"time"

	"github.com/chiasmus/chiasmus/harness/adapter"
	"github.com/chiasmus/chiasmus/harness/environment"
)

// Version is the version of bench.yaml that this package reads.
const Version = 1

// A File is one decoded bench.yaml with its defaults filled in.
type File struct {
	// Path is the path that the caller gave; errors contain it.
	Path string
	// Source holds the decoded bytes. Parse(Path, Source) returns the same File again, so a run that keeps Source can be
	// resumed even if the file has changed.
	Source []byte
	// SHA256 is the hexadecimal SHA-256 of Source.
	SHA256 string

	Version     int
	Build       Build
	Workloads   []Workload
	Metrics     Metrics
	Plan        Plan
	Environment environment.Thresholds
	Host        Host
	GitHub      GitHub
	Nightly     Nightly
}

// A Build says how artifacts are built in a clean worktree. It is the recipe of the build cache.
type Build struct {
	// Fetch runs before Command and is the only command with access to the network. It is empty if nothing is fetched. For
	// a pull request it runs on another host, and its result is transferred.
	Fetch []string `json:"fetch,omitempty"`
	// Command builds the artifacts.
	Command []string `json:"command"`
	// Artifacts are slash-separated paths relative to the worktree, clean and inside it.
	Artifacts []string `json:"artifacts"`
	// Env overrides the caller's environment.
	Env map[string]string `json:"env,omitempty"`
	// EnvPass names further variables of the caller that the build sees, in addition to those that toolchains read. A name
	// may end in *.
	EnvPass []string `json:"env_pass,omitempty"`
	// Timeout bounds checkout, Fetch and Command together.
	Timeout time.Duration `json:"timeout"`
	// Reuse are folders of the worktree. The next build starts with a copy of them.
	Reuse []string `json:"reuse,omitempty"`
	// Layout randomizes the layout of a build, if a plan has several builds per arm.
	Layout Layout `json:"layout,omitzero"`
	// Drawn reports whether Layout has been applied to Command and Env.
	Drawn bool `json:"drawn,omitempty"`
	// AllowLFSPointers permits Git LFS pointers in place of files.
	AllowLFSPointers bool `json:"allow_lfs_pointers,omitempty"`
}

// A Layout passes a seed for the layout of code and data to a build. `{layout}` stands for the seed, a whole number
// below 2^31, and must occur in at least one of the texts.
type Layout struct {
	// Env is added to the environment of Command, over Build.Env.
	Env map[string]string `json:"env,omitempty"`
	// Args are added to Command.
	Args []string `json:"args,omitempty"`
}

// A Workload is one thing to prove.
type Workload struct {
	// Name is unique among the workloads regardless of case, and a safe file name. A combination of a matrix is a separate
	// workload, with a name such as sort.size-1024.backend-gpu.
	Name string
	// Declared is the name in the file if a matrix extends it, and Parameters are the values of the combination. Both are
	// empty without a matrix.
	Declared   string
	Parameters []Parameter
	// Session starts a long-lived process that speaks chiasmus.session/1. Exactly one of Session and Process is set.
	Session Template
	// Process makes one proof and exits.
	Process Template
	// Adapter names the tool whose benchmark suite Process runs. It is empty if the process itself is timed.
	Adapter adapter.Kind
	// Verify exits with status 0 if and only if the proof in {proof} is valid and, if a statement is passed, proves that
	// statement. It may be missing: see Verifies.
	Verify Template
	// Setup runs once for each revision before the measurement, Prepare before each proof, and Cleanup at the end. Each
	// may be empty.
	Setup, Prepare, Cleanup Template
	// Cross says what follows if base's verifier rejects a proof of head.
	Cross Cross
	// Statement and ExactStatement, if not empty, replace what base reports about itself.
	Statement, ExactStatement string
	// Idle says what a session does while the other one proves.
	Idle Idle
	// Units describe the work of a proof.
	Units Units
	// Expect is asserted on every proof.
	Expect Expect
	// Env overrides the caller's environment.
	Env map[string]string
	// Timeout bounds each session start, each proof and each verification.
	Timeout time.Duration
	// MaxProof bounds the size of a proof in bytes; 0 means the default of sessions.
	MaxProof int64
	// Default reports whether the workload is measured if none is named.
	Default bool
	// Line is the line of the workload in the file.
	Line int
}

// A Cross says what follows if base's verifier rejects a proof of head.
type Cross string

// The run ends (required), or the headline says it (reported). Auto ends the run for a pull request, whose author may
// have weakened prover and verifier together.
const (
	CrossAuto     Cross = "auto"
	CrossRequired Cross = "required"
	CrossReported Cross = "reported"
)

// An Idle says what a session does while the other one proves.
type Idle string

// The session keeps running and its consumption is measured, or a signal stops it.
const (
	IdleRun  Idle = "run"
	IdleStop Idle = "stop"
)

// Expect holds the assertions on every proof by counter or metric.
type Expect struct {
	Counters map[string]Expectation
	Metrics  map[string]Expectation
}

// Better is the direction in which a metric improves.
type Better string

// The directions of a metric.
const (
	Lower  Better = "lower"
	Higher Better = "higher"
)

// Scale is the scale on which pairs of a metric are compared.
type Scale string

// The scales: the log of the ratio, the percentage of base, the difference.
const (
	LogScale        Scale = "log"
	PercentScale    Scale = "percent"
	DifferenceScale Scale = "difference"
)

// A Metric is a quantity of every proof.
type Metric struct {
	Name   string
	Better Better
	Scale  Scale
	// Control marks a metric that the change under test cannot affect. A shift of such a metric is a warning.
	Control bool
}

// Metrics names what is measured. The primary metric decides the verdict, together with the bounds of Stages and Exact.
type Metrics struct {
	Primary Metric
	Report  []Metric
	// StageMargin is how much one stage may add to the total, as a fraction of it. 0 means that stages decide nothing.
	StageMargin float64
	// Exact bounds, for each counter or metric, the excess of head over base as a fraction.
	Exact map[string]float64
}

// A Design is the order in which base (A) and head (B) are measured.
type Design string

// Randomized blocks of ABBA or BAAB, or ABAB throughout.
const (
	ABBA        Design = "abba"
	Alternating Design = "alternating"
)

// Resident says which sessions stay warm between proofs.
type Resident string

// Both sessions, or only the one that proves.
const (
	ResidentBoth Resident = "both"
	ResidentOne  Resident = "one"
)

// A Plan says how much is measured and how it is evaluated.
type Plan struct {
	// Pairs is even. If Analyses > 1, it is the maximum.
	Pairs int
	// Warmup is the number of discarded proofs per side.
	Warmup int
	// Settle is the maximum number of warm-up proofs at a side's first start while times drift; 0 disables the check for
	// drift.
	Settle int
	Design Design
	// Seed 0 requests a random seed.
	Seed uint64
	// PreCheck 1 measures head alone first, against a cached baseline of base; 0 measures pairs.
	PreCheck int
	// Alpha is the two-sided level of the tests.
	Alpha float64
	// Equivalence is the smallest effect worth acting on, as a fraction: 0.01 is 1 %.
	Equivalence float64
	// Analyses is the number of analyses. A plan with more than one is group-sequential.
	Analyses int
	Resident Resident
	// Processes is the number of processes per arm; 0 derives it from the time that a start takes.
	Processes int
	// Builds is the number of builds per arm; 0 is auto.
	Builds int
	// Cooldown is the pause before every proof.
	Cooldown time.Duration
}

// Money is an amount in a currency, such as 0.87 USD.
type Money struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"` // three capital letters, ISO 4217
}

// Host describes the machine that measures.
type Host struct {
	// Name is empty if the machine's own name is used.
	Name string
	// CostPerHour is nil if the file gives none.
	CostPerHour *Money
}

// GitHub holds the settings of pull-request runs.
type GitHub struct {
	// Baselines is a folder of the measuring host that the user of its jobs may read but not write. It may be empty.
	Baselines string
	// RunsOn holds the labels of the runner that measures.
	RunsOn []string
	// Timeout bounds a whole run, including builds.
	Timeout time.Duration
	// MaxPairs and MaxAnalyses bound what a comment may request.
	MaxPairs, MaxAnalyses int
	// Inconclusive is the conclusion of the check run for an inconclusive or borderline verdict.
	Inconclusive Conclusion
	// Comment is the first word of a comment that starts a run.
	Comment string
}

// A Conclusion is the conclusion of a check run.
type Conclusion string

// The conclusions permitted for an inconclusive verdict.
const (
	neutral Conclusion = "neutral"
	failure Conclusion = "failure"
)

// Nightly holds the settings of the nightly job.
type Nightly struct {
	// Workloads names the workloads measured at night. Empty means the default workloads.
	Workloads []string
	// Baseline is a revision, such as the tag of a release, from which slow drift is measured. It may be empty.
	Baseline string
	// History is where the nights are recorded.
	History History
	// Labels are put on the issues that the job opens.
	Labels []string
	// Pairs bounds the pairs of one workload in a night, over all its comparisons.
	Pairs int
	// Unsettled is the number of consecutive inconclusive nights that opens an issue.
	Unsettled int
	// Bisect is the time for searching the commits of a night's confirmed regressions; 0 disables the search.
	Bisect time.Duration
}

// History is a branch of the repository or a folder: exactly one is set.
type History struct {
	Branch string
	Folder string
}

// Workload returns the workload with this name.
func (f *File) Workload(name string) (Workload, bool) {
	for _, w := range f.Workloads {
		if w.Name == name {
			return w, true
		}
	}
	return Workload{}, false
}

// DefaultWorkloads returns the workloads measured if none is named. There is at least one.
func (f *File) DefaultWorkloads() []Workload {
	var out []Workload
	for _, w := range f.Workloads {
		if w.Default {
			out = append(out, w)
		}
	}
	return out
}

// Templates returns all commands of the workload. Some may be empty.
func (w Workload) Templates() []Template {
	return []Template{w.Session, w.Process, w.Verify, w.Setup, w.Prepare, w.Cleanup}
}

// IsSession reports whether the workload is driven as a session.
func (w Workload) IsSession() bool { return len(w.Session.args) > 0 }

// Verifies reports whether there is a verifier. Without one nothing shows that the measured program did its work, and
// every report must say so.
func (w Workload) Verifies() bool { return len(w.Verify.args) > 0 }

// BindsStatement reports whether the verifier receives what a proof must prove: its statement, or the seed of its input
// if the command fixes the other inputs. A verifier that receives neither may accept a proof of a smaller claim.
func (w Workload) BindsStatement() bool {
	return w.Verify.Uses(Statement) || w.Verify.Uses(ExactStatement) || w.Verify.Uses(Seed)
}

// Names returns the names of the workloads in the order of the file.
func (f *File) Names() []string {
	names := make([]string, len(f.Workloads))
	for i, w := range f.Workloads {
		names[i] = w.Name
	}
	return names
}
