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
	// Path is the file as it was named by the caller; errors use it.
	Path string
	// Source holds the bytes that were decoded. Parse(Path, Source) gives the same File again,
	// so a run that keeps Source can be resumed whatever happened to the file since.
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

// A Build says how artifacts are made from a clean worktree. It is the recipe of the build cache.
type Build struct {
	// Fetch runs before Command and alone may use the network; empty when nothing is fetched. For a pull request it runs
	// on another host, and what it leaves travels.
	Fetch []string `json:"fetch,omitempty"`
	// Command makes the artifacts.
	Command []string `json:"command"`
	// Artifacts are slash-separated paths relative to the worktree, clean and inside it.
	Artifacts []string `json:"artifacts"`
	// Env is added to the caller's environment, over it.
	Env map[string]string `json:"env,omitempty"`
	// EnvPass names variables of the caller that the build sees besides those that toolchains read. A name may end in *.
	EnvPass []string `json:"env_pass,omitempty"`
	// Timeout bounds checkout, Fetch and Command together.
	Timeout time.Duration `json:"timeout"`
	// Reuse are folders of the worktree, as Artifacts are files, that the next build starts with a copy of.
	Reuse []string `json:"reuse,omitempty"`
	// Layout draws the layout of a build, where a plan has several of either arm.
	Layout Layout `json:"layout,omitzero"`
	// Drawn says that Layout's texts are in Command and Env.
	Drawn bool `json:"drawn,omitempty"`
	// AllowLFSPointers builds although files of Git LFS are there as pointers only.
	AllowLFSPointers bool `json:"allow_lfs_pointers,omitempty"`
}

// A Layout is how a build is told to lay out its code and data by a seed: `{layout}` stands for it, a whole number
// below 2^31, in at least one of its texts.
type Layout struct {
	// Env is added to the environment of Command, over Build.Env.
	Env map[string]string `json:"env,omitempty"`
	// Args are added to Command.
	Args []string `json:"args,omitempty"`
}

// A Workload is one thing to prove.
type Workload struct {
	// Name is unique among the workloads regardless of case, and a safe file name. A combination of a matrix is a workload
	// of its own, named such as sort.size-1024.backend-gpu.
	Name string
	// Declared is the name in the file where a matrix adds to it, and Parameters are the values of the combination; both
	// are empty without a matrix.
	Declared   string
	Parameters []Parameter
	// Session starts a long-lived process that speaks chiasmus.session/1. Exactly one of Session
	// and Process is set.
	Session Template
	// Process makes one proof and exits.
	Process Template
	// Adapter names the tool whose benchmark suite Process runs; empty where the process itself is what is timed.
	Adapter adapter.Kind
	// Verify exits 0 when and only when the proof in {proof} is valid, and where it is told one proves the statement. It
	// may be missing: see Verifies.
	Verify Template
	// Setup runs once for each revision before it is measured, Prepare before each proof, and Cleanup after all; each is
	// empty where the file has none.
	Setup, Prepare, Cleanup Template
	// Cross says what it means that base's verifier refuses a proof of head.
	Cross Cross
	// Statement and ExactStatement, where they are not empty, stand for what base says of itself.
	Statement, ExactStatement string
	// Idle says what a session does while the other one proves.
	Idle Idle
	// Units say what a proof gets done.
	Units Units
	// Expect is asserted on every proof.
	Expect Expect
	// Env is added to the caller's environment, over it.
	Env map[string]string
	// Timeout bounds the start of a session, one proof and one verification: each.
	Timeout time.Duration
	// MaxProof bounds a proof in bytes; 0 means what a session takes without it.
	MaxProof int64
	// Default says whether the workload is measured when none is named.
	Default bool
	// Line is where the workload begins in the file.
	Line int
}

// A Cross says what follows when base's verifier refuses a proof of head.
type Cross string

// The rules: end the run, or say it in the headline. Auto ends it for a pull request, whose author may have weakened
// prover and verifier together.
const (
	CrossAuto     Cross = "auto"
	CrossRequired Cross = "required"
	CrossReported Cross = "reported"
)

// An Idle says what becomes of a session while the other one proves.
type Idle string

// The rules: it is left to itself and what it takes is measured, or it is stopped by a signal.
const (
	IdleRun  Idle = "run"
	IdleStop Idle = "stop"
)

// Expect holds the assertions on every proof, by the name of a counter or a metric.
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

// The scales of section 6 of the design: the log of the ratio, the percentage of base, the plain
// difference.
const (
	LogScale        Scale = "log"
	PercentScale    Scale = "percent"
	DifferenceScale Scale = "difference"
)

// A Metric is a quantity that is read from every proof.
type Metric struct {
	Name   string
	Better Better
	Scale  Scale
	// Control marks a metric that the change under test cannot move; one that moves is a warning.
	Control bool
}

// Metrics names what is measured. The primary metric decides the verdict, beside what Stages and Exact bound.
type Metrics struct {
	Primary Metric
	Report  []Metric
	// StageMargin is what one stage may add to the whole, as a fraction of it; 0 where stages decide nothing.
	StageMargin float64
	// Exact says by how much, as a fraction, head's counter or metric of that name may exceed base's.
	Exact map[string]float64
}

// A Design is the order in which base (A) and head (B) are measured.
type Design string

// The designs: blocks of ABBA or BAAB drawn from the seed, or ABAB throughout.
const (
	ABBA        Design = "abba"
	Alternating Design = "alternating"
)

// Resident says which sessions stay warm between proofs.
type Resident string

// Both sessions stay warm, or only the one that proves.
const (
	ResidentBoth Resident = "both"
	ResidentOne  Resident = "one"
)

// A Plan says how much is measured and what is concluded from it.
type Plan struct {
	// Pairs is even; with Analyses > 1 it is the maximum.
	Pairs int
	// Warmup counts discarded proofs on each side.
	Warmup int
	// Settle is the most of them that a side makes at its first start while their times drift; 0 looks for no drift.
	Settle int
	Design Design
	// Seed 0 asks for a drawn seed.
	Seed uint64
	// PreCheck 1 measures head alone first, against a cached baseline of base; 0 measures pairs.
	PreCheck int
	// Alpha is the two-sided level of the tests.
	Alpha float64
	// Equivalence is the smallest effect worth acting on, as a fraction: 0.01 is 1 %.
	Equivalence float64
	// Analyses > 1 is a group-sequential plan.
	Analyses int
	Resident Resident
	// Processes is how many processes of either arm measure; 0 decides by the time that starting one takes.
	Processes int
	// Builds is how many builds of either arm are measured; 0 is auto.
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
	// Name is empty where the machine's own name will do.
	Name string
	// CostPerHour is nil where the file gives none.
	CostPerHour *Money
}

// GitHub holds the settings of pull-request runs.
type GitHub struct {
	// Baselines is a folder of the host that measures, which the user of its jobs may read and not write; empty without
	// one.
	Baselines string
	// RunsOn holds the labels of the runner that measures.
	RunsOn []string
	// Timeout bounds a whole run, builds included.
	Timeout time.Duration
	// MaxPairs and MaxLooks cap what a comment may ask for.
	MaxPairs, MaxAnalyses int
	// Inconclusive is the conclusion of the check run of an inconclusive or borderline verdict.
	Inconclusive Conclusion
	// Comment is the first word of a comment that starts a run.
	Comment string
}

// A Conclusion is how a check run ends.
type Conclusion string

// The conclusions that an inconclusive verdict may have.
const (
	Neutral Conclusion = "neutral"
	Failure Conclusion = "failure"
)

// Nightly holds the settings of the nightly job.
type Nightly struct {
	// Workloads names what is measured at night; empty means the default workloads.
	Workloads []string
	// Baseline is a revision, such as the tag of a release, that slow creep is measured against;
	// empty for none.
	Baseline string
	// History is where the nights are recorded.
	History History
	// Labels are put on the issues that the job opens.
	Labels []string
	// Pairs are the most that a night measures one workload with, over all its comparisons.
	Pairs int
	// Unsettled is how many nights in a row that settle nothing open an issue.
	Unsettled int
	// Bisect is the time that searching the commits behind a night's confirmed regressions may take; 0 starts none.
	Bisect time.Duration
}

// History is a branch of the repository or a folder: exactly one is set.
type History struct {
	Branch string
	Folder string
}

// Workload returns the workload of that name.
func (f *File) Workload(name string) (Workload, bool) {
	for _, w := range f.Workloads {
		if w.Name == name {
			return w, true
		}
	}
	return Workload{}, false
}

// DefaultWorkloads returns the workloads that are measured when none is named. There is at least one.
func (f *File) DefaultWorkloads() []Workload {
	var out []Workload
	for _, w := range f.Workloads {
		if w.Default {
			out = append(out, w)
		}
	}
	return out
}

// Templates are all commands of the workload; some are empty.
func (w Workload) Templates() []Template {
	return []Template{w.Session, w.Process, w.Verify, w.Setup, w.Prepare, w.Cleanup}
}

// IsSession says whether the workload is driven as a session.
func (w Workload) IsSession() bool { return len(w.Session.args) > 0 }

// Verifies says whether there is a verifier. Without one nothing says that what was measured did its work, and every
// report has to say so.
func (w Workload) Verifies() bool { return len(w.Verify.args) > 0 }

// Told reports whether the verifier is told what a proof must prove: its statement, or the seed of its input, with what
// else is fixed in the command. One that is not accepts a proof of less.
func (w Workload) Told() bool {
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
