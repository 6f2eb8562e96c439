package report

import (
	"time"

	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/stats"
)

// Schema names the JSON of a Report. Within a version keys may be added, never changed or removed.
const Schema = "chiasmus.report/1"

// A State says how a run ended.
type State string

// The states of a run. A partial report is of an interrupted run and carries no verdict.
const (
	Complete State = "complete"
	Partial  State = "partial"
	Failed   State = "failed"
)

// Report is what Compare returns and report.json contains: all that any rendering of a run shows.
type Report struct {
	Schema   string `json:"schema"`
	State    State  `json:"state"`
	ExitCode int    `json:"exit_code"`
	Run      Run    `json:"run"`

	Base plan.Revision `json:"base"`
	Head plan.Revision `json:"head"`
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
	Cost *Cost     `json:"cost"`
	Plan plan.Plan `json:"plan"`

	// Rate is how often runs are made here; null where too few are known.
	Rate *plan.Rate `json:"rate,omitempty"`
	// OneBuild says why one build of either revision was measured; empty where several were.
	OneBuild string `json:"one_build,omitempty"`

	// Hosts are those of a joined report, which is of several: see Join. Run, Host and Plan.Seed are then not those of
	// one.
	Hosts []HostRun `json:"hosts,omitempty"`

	// Workloads are in the order of bench.yaml. In a failed or partial run the last ones may be missing.
	Workloads []Workload `json:"workloads"`

	// Failure says why a run failed; null in the other states.
	Failure  *failure.Failure `json:"failure"`
	Warnings []plan.Warning   `json:"warnings"`
	Events   []evidence.Event `json:"events"`
	Paths    Paths            `json:"paths"`
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
	return r.State == Partial || r.State == Failed && r.Failure != nil && r.Failure.Passing()
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

// Workload is all that one workload gave.
type Workload struct {
	Name string `json:"name"`
	// Suite is the workload of bench.yaml whose process reported this benchmark, and Benchmark what the suite calls it;
	// both are empty for what is no benchmark of a suite.
	Suite     string         `json:"suite,omitempty"`
	Benchmark string         `json:"benchmark,omitempty"`
	Mode      string         `json:"mode"` // session or process
	Metric    metrics.Metric `json:"metric"`

	// Stats is of the primary metric. It is null in a partial run, and for a workload whose measurement did not end:
	// looking at a p-value before the end, and going on then, would break the error rate.
	Stats      *stats.Result     `json:"stats"`
	Secondary  []Secondary       `json:"secondary"`
	Sequential *stats.Sequential `json:"sequential"` // null in a plan with one look
	// Exact compares what repeats, where the measurement has ended.
	Exact []Exact `json:"exact"`

	// CodeProfile says in which functions the arms spend their time; null where that was not asked for.
	CodeProfile *evidence.CodeProfile `json:"code_profile,omitempty"`

	// Throughput is what either arm gets done a second; null without units in bench.yaml, and before the measurement
	// has ended.
	Throughput *Throughput `json:"throughput,omitempty"`

	// Busy is what was measured on a host too busy for a verdict; null in any other report.
	Busy *Busy `json:"busy,omitempty"`

	// Hosts says how the hosts of a joined report agree; null in any other.
	Hosts *stats.Hosts `json:"hosts,omitempty"`

	// Tier says how the first tier of a gate went; null in a plan without one.
	Tier *baseline.Tier `json:"tier,omitempty"`

	// Family is the verdict among those of all workloads; null in a run of one.
	Family *Family `json:"family,omitempty"`

	// Pairs are the counted pairs in the order they were measured; a dropped pair is here once, as measured again.
	Pairs []evidence.Pair `json:"pairs"`
	// Drops are the pairs that were dropped, with causes; their samples are in Samples.
	Drops   []evidence.Drop  `json:"drops"`
	Samples evidence.Samples `json:"samples"`
	// Counters holds for each counter the smallest and largest value of each arm's proofs.
	Counters []Counter `json:"counters"`

	BaseSession evidence.Session    `json:"base_session"`
	HeadSession evidence.Session    `json:"head_session"`
	Inputs      []plan.Input        `json:"inputs"`
	Verified    evidence.Verified   `json:"verified"`
	Cross       evidence.CrossCheck `json:"cross"`
	// NotVerified says that bench.yaml declares no verifier: nothing shows that what was measured did its work. Headlines
	// must say so.
	NotVerified bool `json:"not_verified,omitempty"`
	// Challenges are what the verifiers said of proofs that they have to refuse; empty in reports of earlier versions.
	Challenges []evidence.Challenge `json:"challenges,omitempty"`
	// Unbound says that no verifier was told what a proof must prove, or that one did not listen. Headlines must say so.
	Unbound bool `json:"unbound,omitempty"`
	// BaseIdle and HeadIdle are what the sessions took while the other one proved; null where none waited.
	BaseIdle *evidence.Idle `json:"base_idle,omitempty"`
	HeadIdle *evidence.Idle `json:"head_idle,omitempty"`
	// Deferred is what the sessions took between replies and requests; null in process mode, and without pairs.
	Deferred *Deferred `json:"deferred,omitempty"`
	// Clock says by whose clock Metric is; null where the prover's time of a proof was not to decide.
	Clock *Clock `json:"clock,omitempty"`

	// ProofsPlanned and ProofsMade count all proofs; a run stopped early by a look, or interrupted, makes fewer.
	// Launches is how many processes of either arm the plan came to, 0 where they are not drawn.
	Launches int `json:"launches"`
	// Warmups is how many warm-up proofs every start but the first takes.
	Warmups int `json:"warmups,omitempty"`

	ProofsPlanned int `json:"proofs_planned"`
	ProofsMade    int `json:"proofs_made"`
	// Seconds run from opening the first session to closing the last, without interruptions.
	Seconds  float64        `json:"seconds"`
	Warnings []plan.Warning `json:"warnings"`
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

// Paths says where the files of the run are, absolute, for people on the same machine.
type Paths struct {
	Directory string `json:"directory"`
	Report    string `json:"report"` // report.json
	Journal   string `json:"journal"`
	Logs      string `json:"logs"`
}
