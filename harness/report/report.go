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

// A State is how a run ended.
type State string

// The states of a run. The report of an interrupted run is partial and has no verdict.
const (
	Complete State = "complete"
	Partial  State = "partial"
	Failed   State = "failed"
)

// Report is the result of a run, as report.json contains it: everything that renderers show.
type Report struct {
	Schema   string `json:"schema"`
	State    State  `json:"state"`
	ExitCode int    `json:"exit_code"`
	Run      Run    `json:"run"`

	Base plan.Revision `json:"base"`
	Head plan.Revision `json:"head"`
	// Heads are all heads of a run with several, Head first; empty in a run with one head.
	Heads []plan.Revision `json:"heads,omitempty"`
	// AA means that both arms are the same revision built in the same environment.
	AA bool `json:"a_a"`
	// Trust says that the verdict trusts head and why its programs were not isolated; empty if they were. Reports begin
	// with it.
	Trust string `json:"trust,omitempty"`
	// DifferentStatement means that the arms prove different claims, or head with fewer bits, and that the caller allowed
	// it. Headlines must mention it.
	DifferentStatement bool `json:"different_statement"`
	// NewProofFormat means that the caller declared a changed proof format, so that base's verifier need not accept head's
	// proofs. Headlines must mention it.
	NewProofFormat bool `json:"new_proof_format,omitempty"`

	Host        Host        `json:"host"`
	Environment Environment `json:"environment"`
	// Cost is null if bench.yaml has no price.
	Cost *Cost     `json:"cost"`
	Plan plan.Plan `json:"plan"`

	// Rate is how often runs are made here; null if too few are known.
	Rate *plan.Rate `json:"rate,omitempty"`
	// OneBuild says why one build of each revision was measured; empty for several.
	OneBuild string `json:"one_build,omitempty"`

	// Hosts are the hosts of a joined report (see Join). Run, Host and Plan.Seed then belong to no single host.
	Hosts []HostRun `json:"hosts,omitempty"`

	// Workloads are in the order of bench.yaml. A failed or partial run may lack the last ones.
	Workloads []Workload `json:"workloads"`

	// Failure says why a run failed; null in the other states.
	Failure  *failure.Failure `json:"failure"`
	Warnings []plan.Warning   `json:"warnings"`
	Events   []evidence.Event `json:"events"`
	Paths    Paths            `json:"paths"`
}

// PairsPlanned returns the planned number of pairs per workload, on all hosts of a joined report together.
func (r *Report) PairsPlanned() int {
	hosts := 0
	for _, h := range r.Hosts {
		if !h.LeftOut {
			hosts++
		}
	}
	return r.Plan.Pairs * max(1, hosts)
}

// Resumable reports whether the run can be resumed.
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
	// Resumed is the number of times that the run was resumed.
	Resumed int `json:"resumed"`
	// Kind is compare, calibrate, or run for two commands.
	Kind string `json:"kind"`
	// Config is the path of the run's bench.yaml, ConfigSHA256 its digest.
	Config       string `json:"config"`
	ConfigSHA256 string `json:"config_sha256"`
}

// Host summarizes the machine.
type Host struct {
	Name        string   `json:"name"`
	System      string   `json:"system"` // operating system and kernel
	CPU         string   `json:"cpu"`
	Cores       int      `json:"cores"`
	MemoryBytes int64    `json:"memory_bytes"`
	GPUs        []string `json:"gpus"`
}

// Environment is the state of the host at the start and at the end of the measurement.
type Environment struct {
	// Start and End are null if the run did not get so far.
	Start       *environment.Snapshot   `json:"start"`
	End         *environment.Snapshot   `json:"end"`
	Differences []EnvironmentDifference `json:"differences"`
}

// EnvironmentDifference is a property of the host that changed between start and end.
type EnvironmentDifference struct {
	Name  string `json:"name"`
	Start string `json:"start"`
	End   string `json:"end"`
}

// Cost is the price of the host's time.
type Cost struct {
	PerHour  float64 `json:"per_hour"`
	Total    float64 `json:"total"`
	Currency string  `json:"currency"`
	Hours    float64 `json:"hours"` // from the start of the run to its end, builds included
}

// Workload is the result of one workload.
type Workload struct {
	Name string `json:"name"`
	// Suite is the workload of bench.yaml whose process reported this benchmark, and Benchmark its name in the suite. Both
	// are empty for other workloads.
	Suite     string `json:"suite,omitempty"`
	Benchmark string `json:"benchmark,omitempty"`
	// Of is the workload of bench.yaml, or the benchmark, that was measured on several heads, and HeadNumber the number of
	// the head in Report.Heads, from 1; absent in a run of one head.
	Of         string `json:"of,omitempty"`
	HeadNumber int    `json:"head_number,omitempty"`

	Mode   string         `json:"mode"` // session or process
	Metric metrics.Metric `json:"metric"`

	// Stats belongs to the primary metric. It is null in a partial run, and for a workload whose measurement has not
	// ended: reading a p-value and then continuing would break the error rate.
	Stats      *stats.Result     `json:"stats"`
	Secondary  []Secondary       `json:"secondary"`
	Sequential *stats.Sequential `json:"sequential"` // null in a plan with one analysis
	// Exact compares quantities that repeat, once the measurement has ended.
	Exact []Exact `json:"exact"`

	// CodeProfile says in which functions the arms spend their time; null unless the caller asked for a profile.
	CodeProfile *evidence.CodeProfile `json:"code_profile,omitempty"`

	// Throughput is the work of each arm per second; null without units in bench.yaml, and before the measurement has
	// ended.
	Throughput *Throughput `json:"throughput,omitempty"`

	// Busy describes what was measured on a host too busy for a verdict; else null.
	Busy *Busy `json:"busy,omitempty"`

	// Hosts says how the hosts of a joined report agree; else null.
	Hosts *stats.Hosts `json:"hosts,omitempty"`

	// PreCheck describes the baseline pre-check; null in a plan without one.
	PreCheck *baseline.PreCheck `json:"tier,omitempty"`

	// Family is the result adjusted for all workloads and heads; null in a run with one workload and head.
	Family *Family `json:"family,omitempty"`

	// Pairs are the counted pairs in the order of measurement. A dropped pair appears once, as measured again.
	Pairs []evidence.Pair `json:"pairs"`
	// Drops are the dropped pairs with their causes. Their samples are in Samples.
	Drops   []evidence.Drop  `json:"drops"`
	Samples evidence.Samples `json:"samples"`
	// Counters has, for each counter, the range of each arm's proofs.
	Counters []Counter `json:"counters"`

	BaseSession evidence.Session    `json:"base_session"`
	HeadSession evidence.Session    `json:"head_session"`
	Inputs      []plan.Input        `json:"inputs"`
	Verified    evidence.Verified   `json:"verified"`
	Cross       evidence.CrossCheck `json:"cross"`
	// NotVerified means that bench.yaml declares no verifier: nothing shows that the measured programs did their work.
	// Headlines must mention it.
	NotVerified bool `json:"not_verified,omitempty"`
	// Challenges are the answers of the verifiers to proofs that they must refuse; empty in reports of earlier versions.
	Challenges []evidence.Challenge `json:"challenges,omitempty"`
	// Unbound means that the verifiers do not receive the statement or seed of a proof, or that one ignores it. Headlines
	// must mention it.
	Unbound bool `json:"unbound,omitempty"`
	// BaseIdle and HeadIdle are the resources that the sessions used while the other arm proved; null if none waited.
	BaseIdle *evidence.Idle `json:"base_idle,omitempty"`
	HeadIdle *evidence.Idle `json:"head_idle,omitempty"`
	// Deferred describes the work of sessions between replies and requests; null in process mode, and without pairs.
	Deferred *Deferred `json:"deferred,omitempty"`
	// Clock says whose clock Metric uses; null if the planned metric is not prove_seconds.
	Clock *Clock `json:"clock,omitempty"`

	// Processes is the number of processes of each arm, 0 if processes are not randomized. ProofsPlanned and ProofsMade
	// count all proofs; a run that stopped early makes fewer than planned.
	Processes int `json:"launches"`
	// Warmups is the number of warm-up proofs at every start but the first.
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

// Secondary is the test of one secondary metric or stage. All tests of a workload form one Holm family.
type Secondary struct {
	Metric  string `json:"metric"`
	Kind    string `json:"kind"` // metric or stage
	Better  string `json:"better"`
	Control bool   `json:"control"`
	// ControlMoved means that a control has p_holm at or below alpha.
	ControlMoved bool `json:"control_moved"`
	// PHolm is the Holm-adjusted p-value of the t-test over sampling units, null if there is no test.
	PHolm stats.Number `json:"p_holm"`
	// Stats is null without a test; Untested then says why.
	Stats    *stats.Result `json:"stats"`
	Untested string        `json:"untested,omitempty"`
	// Contribution is what a stage adds to the total time, null for other metrics and if an arm lacks the stage. The
	// contributions of all stages of a run are adjusted together.
	Contribution *stats.Contribution `json:"contribution"`
	// The means over the counted pairs, null if an arm lacks the metric.
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

// Paths are the absolute paths of the run's files, for people on the same machine.
type Paths struct {
	Directory string `json:"directory"`
	Report    string `json:"report"` // report.json
	Journal   string `json:"journal"`
	Logs      string `json:"logs"`
}
