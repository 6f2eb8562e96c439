package evidence

import (
	"time"
)

// Session is what a session said of itself. In process mode all of it is empty.
type Session struct {
	Backend      string  `json:"backend"`
	Device       string  `json:"device"`
	SetupSeconds float64 `json:"setup_seconds"` // of the first start
	Statement    string  `json:"statement"`
	SecurityBits int     `json:"security_bits"`
	Starts       int     `json:"starts"`
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

// Event is something that happened during the run.
type Event struct {
	Time time.Time `json:"time"`
	Kind string    `json:"kind"`
	Text string    `json:"text"`
}
