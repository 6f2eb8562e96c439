package harness

import (
	"time"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// ReportSchema names the JSON of a Report. Within a version keys may be added, never changed or removed.
const ReportSchema = "chiasmus.report/1"

// A State says how a run ended.
type State string

// The states of a run. A partial report is of an interrupted run and carries no verdict.
const (
	Complete State = "complete"
	Partial  State = "partial"
	Failed   State = "failed"
)

// An Arm is one side of the comparison.
type Arm = schedule.Arm

// The arms: base is A, head is B.
const (
	Base = schedule.Base
	Head = schedule.Head
)

// Report is what Compare returns and report.json contains: all that any rendering of a run shows.
type Report struct {
	Schema   string `json:"schema"`
	State    State  `json:"state"`
	ExitCode int    `json:"exit_code"`
	Run      Run    `json:"run"`

	Base Revision `json:"base"`
	Head Revision `json:"head"`
	// AA says that both arms are the same revision built in the same environment.
	AA bool `json:"a_a"`
	// Trust says that the verdict trusts head, because its programs were not isolated, and why they were not. It is empty
	// where they were. Reports begin with it.
	Trust string `json:"trust,omitempty"`
	// DifferentStatement says that the arms prove different claims, or head with fewer bits, and that the caller
	// allowed it. Headlines must say so.
	DifferentStatement bool `json:"different_statement"`
	// NewProofFormat says that the caller declared a changed format of proofs, so that base's verifier need not accept
	// them. Headlines must say so.
	NewProofFormat bool `json:"new_proof_format,omitempty"`

	Host        Host        `json:"host"`
	Environment Environment `json:"environment"`
	// Cost is null where bench.yaml gives no price.
	Cost *Cost `json:"cost"`
	Plan Plan  `json:"plan"`

	// Rate is how often runs are made here; null where too few are known.
	Rate *Rate `json:"rate,omitempty"`
	// OneBuild says why one build of either revision was measured; empty where several were.
	OneBuild string `json:"one_build,omitempty"`

	// Hosts are those of a joined report, which is of several: see Join. Run, Host and Plan.Seed are then not those of
	// one.
	Hosts []HostRun `json:"hosts,omitempty"`

	// Workloads are in the order of bench.yaml. In a failed or partial run the last ones may be missing.
	Workloads []Workload `json:"workloads"`

	// Failure says why a run failed; null in the other states.
	Failure  *Failure  `json:"failure"`
	Warnings []Warning `json:"warnings"`
	Events   []Event   `json:"events"`
	Paths    Paths     `json:"paths"`
}

// PairsPlanned is how many pairs of every workload were planned, on all hosts of a joined report together.
func (r *Report) PairsPlanned() int {
	hosts := 0
	for _, h := range r.Hosts {
		if !h.LeftOut {
			hosts++
		}
	}
	return r.Plan.Pairs * max(1, hosts)
}

// Resumable says whether the run can be gone on with.
func (r *Report) Resumable() bool {
	return r.State == Partial || r.State == Failed && r.Failure != nil && r.Failure.passing()
}

// Run identifies a run.
type Run struct {
	ID       string    `json:"id"` // <utc>-<base7>-<head7>, the name of its directory
	Command  []string  `json:"command"`
	Version  string    `json:"version"` // of the harness
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished"`
	// Resumed counts how often the run was gone on with.
	Resumed int `json:"resumed"`
	// Kind is compare, calibrate, or run where two commands were measured.
	Kind string `json:"kind"`
	// Config is the bench.yaml that counted, and its hash.
	Config       string `json:"config"`
	ConfigSHA256 string `json:"config_sha256"`
}

// Revision is one arm: what was built, and from what.
type Revision struct {
	SHA     string    `json:"sha"` // 40 or 64 hex digits
	Ref     string    `json:"ref"` // as it was named
	Subject string    `json:"subject"`
	Time    time.Time `json:"time"`
	// Argv is the template of the command that was measured instead of a revision; Subject is then its command line, and
	// SHA the hash of the program and of that.
	Argv []string `json:"argv,omitempty"`
	// Dirty says that the work tree was measured with changes that no commit holds; TreeHash then tells it apart.
	Dirty    bool   `json:"dirty"`
	TreeHash string `json:"tree_hash,omitempty"`
	// Env is what --base-env or --head-env added to the environment of the build and the proofs.
	Env       map[string]string `json:"env,omitempty"`
	Artifacts []Artifact        `json:"artifacts"`
	// Layouts are the builds with drawn layouts, where there are several; Artifacts are those of the first.
	Layouts []Layout `json:"layouts,omitempty"`
	// BuildSeconds is the time the build took, also when it came from the cache. BuildCached says so.
	BuildSeconds float64 `json:"build_seconds"`
	BuildCached  bool    `json:"build_cached"`
	// Toolchain names the compilers in one line.
	Toolchain string `json:"toolchain,omitempty"`
	// Tools are the versions of the tools that were on the PATH of the build.
	Tools map[string]string `json:"tools,omitempty"`
}

// Short returns the first seven digits of the SHA.
func (r Revision) Short() string { return r.SHA[:min(7, len(r.SHA))] }

// Layout is one of several builds of an arm.
type Layout struct {
	Seed      uint64     `json:"seed"` // of build.layout
	Artifacts []Artifact `json:"artifacts"`
}

// Artifact is one built file.
type Artifact struct {
	Name   string `json:"name"` // its path in bench.yaml
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Host is the machine in the few words that a report has room for.
type Host struct {
	Name        string   `json:"name"`
	System      string   `json:"system"` // operating system and kernel
	CPU         string   `json:"cpu"`
	Cores       int      `json:"cores"`
	MemoryBytes int64    `json:"memory_bytes"`
	GPUs        []string `json:"gpus"`
}

// Environment is the host as it was at the start and at the end of the measurement.
type Environment struct {
	// Start and End are null where the run did not get so far.
	Start       *environment.Snapshot   `json:"start"`
	End         *environment.Snapshot   `json:"end"`
	Differences []EnvironmentDifference `json:"differences"`
}

// EnvironmentDifference is something about the host that changed between start and end.
type EnvironmentDifference struct {
	Name  string `json:"name"`
	Start string `json:"start"`
	End   string `json:"end"`
}

// Cost is what the host's time cost.
type Cost struct {
	PerHour  float64 `json:"per_hour"`
	Total    float64 `json:"total"`
	Currency string  `json:"currency"`
	Hours    float64 `json:"hours"` // from the start of the run to its end, builds included
}

// Plan is what was decided before anything was measured.
type Plan struct {
	Pairs  int `json:"pairs"` // with looks the maximum
	Warmup int `json:"warmup"`
	// The most warm-up proofs of a side at its first start; 0 looks for no drift.
	Settle      int     `json:"settle,omitempty"`
	Design      string  `json:"design"` // abba or alternating
	Seed        uint64  `json:"seed"`
	SeedDrawn   bool    `json:"seed_drawn"` // not given by the caller
	Alpha       float64 `json:"alpha"`
	Equivalence float64 `json:"equivalence"` // a fraction
	// StageMargin is what one stage may add to the whole, as a fraction; 0 where stages decide nothing.
	StageMargin float64 `json:"stage_margin,omitempty"`
	Looks       int     `json:"looks"`
	// Tier 1 measures head alone first, against a baseline of base; what it may spend of Alpha the pairs may not.
	Tier     int    `json:"tier,omitempty"`
	Resident string `json:"resident"` // both or one
	// Launches is how many processes of either arm measure; 0 decides by the time that starting one takes, or does not
	// draw any where every proof has a process of its own. Builds is how many builds do.
	Launches        int     `json:"launches"`
	Builds          int     `json:"builds,omitempty"`
	CooldownSeconds float64 `json:"cooldown_seconds"`
	Isolated        bool    `json:"isolated"`
}

// WholeAlpha is what the primary metric of one workload may spend of Alpha in pairs: all, or what the stages and the
// first tier leave of it.
func (p Plan) WholeAlpha() float64 {
	_, pairs := p.tierAlphas()
	return pairs
}

// tierAlphas are what the primary metric of one workload may spend of Alpha, in the first tier and in pairs.
func (p Plan) tierAlphas() (first, pairs float64) {
	whole := p.Alpha
	if p.StageMargin > 0 {
		whole, _ = stats.SplitAlpha(p.Alpha)
	}
	if p.Tier == 0 {
		return 0, whole
	}
	return stats.SplitTiers(whole)
}

// Workload is all that one workload gave.
type Workload struct {
	Name string `json:"name"`
	// Suite is the workload of bench.yaml whose process reported this benchmark, and Benchmark what the suite calls it;
	// both are empty for what is no benchmark of a suite.
	Suite     string `json:"suite,omitempty"`
	Benchmark string `json:"benchmark,omitempty"`
	Mode      string `json:"mode"` // session or process
	Metric    Metric `json:"metric"`

	// Stats is of the primary metric. It is null in a partial run, and for a workload whose measurement did not end:
	// looking at a p-value before the end, and going on then, would break the error rate.
	Stats      *stats.Result     `json:"stats"`
	Secondary  []Secondary       `json:"secondary"`
	Sequential *stats.Sequential `json:"sequential"` // null in a plan with one look
	// Exact compares what repeats, where the measurement has ended.
	Exact []Exact `json:"exact"`

	// CodeProfile says in which functions the arms spend their time; null where that was not asked for.
	CodeProfile *CodeProfile `json:"code_profile,omitempty"`

	// Throughput is what either arm gets done a second; null without units in bench.yaml, and before the measurement
	// has ended.
	Throughput *Throughput `json:"throughput,omitempty"`

	// Busy is what was measured on a host too busy for a verdict; null in any other report.
	Busy *Busy `json:"busy,omitempty"`

	// Hosts says how the hosts of a joined report agree; null in any other.
	Hosts *stats.Hosts `json:"hosts,omitempty"`

	// Tier says how the first tier of a gate went; null in a plan without one.
	Tier *Tier `json:"tier,omitempty"`

	// Family is the verdict among those of all workloads; null in a run of one.
	Family *Family `json:"family,omitempty"`

	// Pairs are the counted pairs in the order they were measured; a dropped pair is here once, as measured again.
	Pairs []Pair `json:"pairs"`
	// Drops are the pairs that were dropped, with causes; their samples are in Samples.
	Drops   []Drop  `json:"drops"`
	Samples Samples `json:"samples"`
	// Counters holds for each counter the smallest and largest value of each arm's proofs.
	Counters []Counter `json:"counters"`

	BaseSession Session    `json:"base_session"`
	HeadSession Session    `json:"head_session"`
	Inputs      []Input    `json:"inputs"`
	Verified    Verified   `json:"verified"`
	Cross       CrossCheck `json:"cross"`
	// NotVerified says that bench.yaml declares no verifier: nothing shows that what was measured did its work. Headlines
	// must say so.
	NotVerified bool `json:"not_verified,omitempty"`
	// Challenges are what the verifiers said of proofs that they have to refuse; empty in reports of earlier versions.
	Challenges []Challenge `json:"challenges,omitempty"`
	// Unbound says that no verifier was told what a proof must prove, or that one did not listen. Headlines must say so.
	Unbound bool `json:"unbound,omitempty"`
	// BaseIdle and HeadIdle are what the sessions took while the other one proved; null where none waited.
	BaseIdle *Idle `json:"base_idle,omitempty"`
	HeadIdle *Idle `json:"head_idle,omitempty"`
	// Deferred is what the sessions took between replies and requests; null in process mode, and without pairs.
	Deferred *Deferred `json:"deferred,omitempty"`
	// Clock says by whose clock Metric is; null where the prover's time of a proof was not to decide.
	Clock *Clock `json:"clock,omitempty"`

	// ProofsPlanned and ProofsMade count all proofs; a run stopped early by a look, or interrupted, makes fewer.
	// Launches is how many processes of either arm the plan came to, 0 where they are not drawn.
	Launches int `json:"launches"`
	// Warmups is how many warm-up proofs every start but the first takes.
	Warmups int `json:"warmups,omitempty"`

	ProofsPlanned int       `json:"proofs_planned"`
	ProofsMade    int       `json:"proofs_made"`
	Seconds       float64   `json:"seconds"` // from opening the first session to closing the last, without interruptions
	Warnings      []Warning `json:"warnings"`
}

// Metric says how values of a metric are read.
type Metric struct {
	Name    string      `json:"name"`
	Better  string      `json:"better"` // lower or higher
	Scale   stats.Scale `json:"scale"`
	Control bool        `json:"control"` // the change cannot move it; one that moves is a warning
}

// The kinds of a secondary test.
const (
	KindMetric = "metric"
	KindStage  = "stage" // stage_*_seconds
)

// Secondary is the test of one secondary metric or stage. All of a workload are one Holm family.
type Secondary struct {
	Metric  string `json:"metric"`
	Kind    string `json:"kind"` // metric or stage
	Better  string `json:"better"`
	Control bool   `json:"control"`
	// ControlMoved says that a control has p_holm at or under alpha.
	ControlMoved bool `json:"control_moved"`
	// PHolm is the Holm-adjusted p-value of t over units, null for what is not tested.
	PHolm stats.Number `json:"p_holm"`
	// Stats is null for what is not tested; Untested then says why.
	Stats    *stats.Result `json:"stats"`
	Untested string        `json:"untested,omitempty"`
	// Contribution is what a stage adds to the whole, null for what is no stage and where a side lacks its time. The
	// contributions of all stages of a run are adjusted to each other.
	Contribution *stats.Contribution `json:"contribution"`
	// The means over the counted pairs, null where an arm never gave the metric.
	MeanA stats.Number `json:"mean_a"`
	MeanB stats.Number `json:"mean_b"`
}

// Pair is one counted pair.
type Pair struct {
	Number int `json:"pair"`  // from 1, by plan
	Block  int `json:"block"` // from 1
	// Launch and Build say which of its arm's processes and builds measured it, from 1; 0 in runs of earlier versions.
	Launch int `json:"launch,omitempty"`
	Build  int `json:"build,omitempty"`
	// Host is the place, from 1, of the host among those of a joined report; 0 in any other.
	Host  int         `json:"host,omitempty"`
	Order stats.Order `json:"order"`
	Seed  uint64      `json:"seed"`
	A     float64     `json:"a"` // the primary metric of base
	B     float64     `json:"b"`
	// Base and Head are the places of the two samples in Workload.Samples.
	Base int `json:"base"`
	Head int `json:"head"`
	// Attempt is 1, or one more for each time the pair was dropped before.
	Attempt int `json:"attempt"`
}

// Of hands two values of the pair, of whatever metric, to the statistics.
func (p Pair) Of(a, b float64) stats.Pair {
	return stats.Pair{
		Number: p.Number,
		Block:  p.Block,
		Launch: p.Launch,
		Build:  p.Build,
		Host:   p.Host,
		Order:  p.Order,
		A:      a,
		B:      b,
	}
}

// Drop is one pair that was measured and not counted.
type Drop struct {
	Pair    int         `json:"pair"`
	Block   int         `json:"block"`
	Order   stats.Order `json:"order"`
	Attempt int         `json:"attempt"`
	// Causes were all logged without looking at a time.
	Causes []Cause `json:"causes"`
	// A and B are the values of the primary metric, null for a side that was not measured. They are for the record
	// only: no decision ever read them.
	A stats.Number `json:"a"`
	B stats.Number `json:"b"`
}

// Cause is why a pair was dropped: something outside the measured process, seen during the proof of one arm.
type Cause struct {
	Arm  Arm    `json:"arm"`
	Kind string `json:"kind"` // those of environment.Kind, or interrupted
	Text string `json:"text"`
}

// Counter is the range of one counter over all proofs of each arm.
type Counter struct {
	Name    string       `json:"name"`
	BaseMin stats.Number `json:"base_min"`
	BaseMax stats.Number `json:"base_max"`
	HeadMin stats.Number `json:"head_min"`
	HeadMax stats.Number `json:"head_max"`
	// Expected is the assertion of bench.yaml, empty without one.
	Expected string `json:"expected,omitempty"`
}

// Session is what a session said of itself. In process mode all of it is empty.
type Session struct {
	Backend      string  `json:"backend"`
	Device       string  `json:"device"`
	SetupSeconds float64 `json:"setup_seconds"` // of the first start
	Statement    string  `json:"statement"`
	SecurityBits int     `json:"security_bits"`
	Starts       int     `json:"starts"`
}

// Input is a file of the config's repository that the workload reads.
type Input struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Verified counts the proofs that their own revision's verifier accepted. A proof that it does not accept ends the run.
type Verified struct {
	Base int `json:"base"`
	Head int `json:"head"`
}

// CrossCheck says whether base's verifier accepted the proofs of head. That it does not is a failure where bench.yaml
// or a pull request requires it, and else stands in the headline.
type CrossCheck struct {
	Done bool `json:"done"`
	// Accepted says that it accepted all of them.
	Accepted bool   `json:"accepted"`
	Text     string `json:"text,omitempty"` // what the verifier said when it refused last
	// Proofs counts the proofs of head that it tried, Refused those that it refused.
	Proofs  int `json:"proofs"`
	Refused int `json:"refused"`
}

// Failure says what ended a run.
type Failure struct {
	// Step is one of Steps.
	Step     string `json:"step"`
	Arm      Arm    `json:"arm,omitempty"`
	SHA      string `json:"sha,omitempty"`
	Workload string `json:"workload,omitempty"`
	Cause    string `json:"cause"`
	// LogTail is the end of the log of what failed; Log is its path relative to the run directory.
	LogTail string `json:"log_tail,omitempty"`
	Log     string `json:"log,omitempty"`
	// Proof is the path of the proof that was refused, kept for inspection on the host that measured.
	Proof string `json:"proof,omitempty"`
}

// A Warning is a caveat that a reader must know.
type Warning struct {
	Kind string `json:"kind"` // such as dirty tree, alternating, wall time, control moved, governor
	Text string `json:"text"`
}

// String returns "kind: text".
func (w Warning) String() string { return w.Kind + ": " + w.Text }

// Event is something that happened during the run.
type Event struct {
	Time time.Time `json:"time"`
	Kind string    `json:"kind"`
	Text string    `json:"text"`
}

// Paths says where the files of the run are, absolute, for people on the same machine.
type Paths struct {
	Directory string `json:"directory"`
	Report    string `json:"report"` // report.json
	Journal   string `json:"journal"`
	Logs      string `json:"logs"`
}
