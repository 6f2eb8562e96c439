package evidence

import (
	"time"
)

// Session is what a session reports about itself when it starts. It is empty in process mode.
type Session struct {
	Backend      string  `json:"backend"`
	Device       string  `json:"device"`
	SetupSeconds float64 `json:"setup_seconds"` // of the first start
	Statement    string  `json:"statement"`
	SecurityBits int     `json:"security_bits"`
	Starts       int     `json:"starts"`
}

// Verified counts the proofs that the verifier of their own revision accepted. A refused proof ends the run.
type Verified struct {
	Base int `json:"base"`
	Head int `json:"head"`
}

// CrossCheck reports whether base's verifier accepted the proofs of head. A refusal is a failure if bench.yaml or a
// pull request requires acceptance; otherwise the headline mentions it.
type CrossCheck struct {
	Done bool `json:"done"`
	// Accepted means that base's verifier accepted all of head's proofs.
	Accepted bool   `json:"accepted"`
	Text     string `json:"text,omitempty"` // what the verifier said when it refused last
	// Proofs counts the proofs of head that base's verifier checked, Refused those that it refused.
	Proofs  int `json:"proofs"`
	Refused int `json:"refused"`
}

// Event is something that happened during the run.
type Event struct {
	Time time.Time `json:"time"`
	Kind string    `json:"kind"`
	Text string    `json:"text"`
}
