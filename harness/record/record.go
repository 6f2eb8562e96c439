package record

import (
	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// The kinds of journal record, with the type of their data. Each record is written before anything acts on it.
const (
	KindDecided     = "decided"     // plan.Identity: what the run measures, and how
	KindEvent       = "event"       // evidence.Event
	KindWarning     = "warning"     // Warning
	KindResumed     = "resumed"     // evidence.Event
	KindEnvironment = "environment" // Environment
	KindBegun       = "begun"       // Workload: its measurement begins or continues
	KindOpened      = "opened"      // Opened
	KindPreCheck    = "tier"        // PreCheck: the result of the baseline pre-check
	KindProcesses   = "launches"    // Processes: their number, decided before the first measured proof
	KindWarmupCount = "settled"     // WarmupCount: the number of warm-up proofs per start, decided by the first start
	KindSample      = "sample"      // Sample
	KindVerified    = "verified"    // Verified: the answers of the verifiers to a sample
	KindChallenge   = "challenge"   // Challenge: the answer of a verifier to proofs that it must refuse
	KindDropped     = "dropped"     // Dropped
	KindInterim     = "look"        // Interim
	KindMeasured    = "measured"    // Workload: its measurement has ended
	KindChecked     = "checked"     // no data: all workloads have ended, and the builds are unchanged
	KindProfiled    = "profiled"    // Profiled: in which functions the arms spend their time
	KindFailed      = "failed"      // failure.Failure
	KindInterrupted = "interrupted" // evidence.Event
	KindFinished    = "finished"    // Finished
	KindReported    = "reported"    // no data: the reports of a finished run are written
)

// Warning is a warning about a workload, or about the run if Workload is empty.
type Warning struct {
	Workload string `json:"workload,omitempty"`
	plan.Warning
}

// Opened is the start of a session, with what it reported about itself.
type Opened struct {
	Workload string           `json:"workload"`
	Arm      schedule.Arm     `json:"arm"`
	Session  evidence.Session `json:"session"`
}

// Processes is the number of processes of each arm.
type Processes struct {
	Workload  string `json:"workload"`
	Processes int    `json:"launches"`
	Text      string `json:"text"` // why
}

// WarmupCount is the number of warm-up proofs that the first start needed.
type WarmupCount struct {
	Workload string `json:"workload"`
	Proofs   int    `json:"proofs"` // of each arm at the first start
	More     int    `json:"more"`   // proofs beyond plan.warmup at every later start
	Text     string `json:"text"`   // empty if times did not drift
}

// Sample is one proof of a workload.
type Sample struct {
	Workload string `json:"workload"`
	evidence.Sample
}

// Verified is the result for one sample, by its index among the samples of the workload.
type Verified struct {
	Workload      string  `json:"workload"`
	Sample        int     `json:"sample"`
	Verified      bool    `json:"verified"`
	VerifySeconds float64 `json:"verify_seconds"`
	// Cross is the answer of base's verifier to a proof of head.
	Cross *Cross `json:"cross,omitempty"`
}

// Cross is the answer of base's verifier to a proof of head.
type Cross struct {
	Accepted bool   `json:"accepted"`
	Text     string `json:"text,omitempty"` // what the verifier said when it refused
}

// Dropped is an attempt at a pair that does not count.
type Dropped struct {
	Workload string           `json:"workload"`
	Pair     int              `json:"pair"`
	Attempt  int              `json:"attempt"`
	Causes   []evidence.Cause `json:"causes"`
}

// Interim is the decision of an interim analysis, without its statistics.
type Interim struct {
	Workload string `json:"workload"`
	Pairs    int    `json:"pairs"`
	Stopped  bool   `json:"stopped"`
}

// Workload names a workload.
type Workload struct {
	Workload string `json:"workload"`
}

// Finished is the end of a run.
type Finished struct {
	State    string `json:"state"`
	ExitCode int    `json:"exit_code"`
}

// PreCheck is the result of the baseline pre-check of a workload.
type PreCheck struct {
	Workload string `json:"workload"`
	baseline.PreCheck
}
