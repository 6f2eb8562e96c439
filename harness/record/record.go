package record

import (
	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// The kinds of journal record. Each is written before anybody acts on what it says.
const (
	KindDecided     = "decided"     // identity: what the run measures, and how
	KindEvent       = "event"       // Event
	KindWarning     = "warning"     // workloadWarning
	KindResumed     = "resumed"     // Event
	KindEnvironment = "environment" // environmentRecord
	KindBegun       = "begun"       // workloadRecord: the workload's measurement begins or goes on
	KindOpened      = "opened"      // openedRecord
	KindTier        = "tier"        // tierRecord: how the first tier went, written when it has ended
	// launchesRecord: how many processes of either arm measure, decided before the first measured proof.
	KindLaunches = "launches"
	KindSettled  = "settled"  // settledRecord: how many warm-up proofs a start takes, decided by the first one
	KindSample   = "sample"   // sampleRecord
	KindVerified = "verified" // verifiedRecord: what the verifiers said of a sample
	// challengeRecord: what a verifier said of what it has to refuse.
	KindChallenge = "challenge"
	KindDropped   = "dropped"  // droppedRecord
	KindLook      = "look"     // lookRecord
	KindMeasured  = "measured" // workloadRecord: the workload's measurement has ended
	// Nothing: all workloads have ended, and the builds are still those that were measured.
	KindChecked     = "checked"
	KindProfiled    = "profiled"    // profiledRecord: in which functions the arms spend their time
	KindFailed      = "failed"      // Failure
	KindInterrupted = "interrupted" // Event
	KindFinished    = "finished"    // finishedRecord
	KindReported    = "reported"    // nothing: the reports of what is finished are written
)

type Warning struct {
	Workload string `json:"workload,omitempty"`
	plan.Warning
}

type Opened struct {
	Workload string           `json:"workload"`
	Arm      schedule.Arm     `json:"arm"`
	Session  evidence.Session `json:"session"`
}

type Launches struct {
	Workload string `json:"workload"`
	Launches int    `json:"launches"`
	Text     string `json:"text"` // why
}

// Settled is what the warm-up proofs of the first start showed.
type Settled struct {
	Workload string `json:"workload"`
	Proofs   int    `json:"proofs"` // of either arm at that start
	More     int    `json:"more"`   // beyond plan.warmup, that every later start takes
	Text     string `json:"text"`   // empty where there was nothing to say
}

type Sample struct {
	Workload string `json:"workload"`
	evidence.Sample
}

// Verified is of the sample at that place among those of the workload, from 0.
type Verified struct {
	Workload      string  `json:"workload"`
	Sample        int     `json:"sample"`
	Verified      bool    `json:"verified"`
	VerifySeconds float64 `json:"verify_seconds"`
	// Cross is what base's verifier said of a proof of head.
	Cross *Cross `json:"cross,omitempty"`
}

type Cross struct {
	Accepted bool   `json:"accepted"`
	Text     string `json:"text,omitempty"` // what the verifier said when it refused
}

type Dropped struct {
	Workload string           `json:"workload"`
	Pair     int              `json:"pair"`
	Attempt  int              `json:"attempt"`
	Causes   []evidence.Cause `json:"causes"`
}

type Look struct {
	Workload string `json:"workload"`
	Pairs    int    `json:"pairs"`
	Stopped  bool   `json:"stopped"`
}

type Workload struct {
	Workload string `json:"workload"`
}

type Finished struct {
	State    string `json:"state"`
	ExitCode int    `json:"exit_code"`
}

// Tier is how the first tier of a workload went.
type Tier struct {
	Workload string `json:"workload"`
	baseline.Tier
}
