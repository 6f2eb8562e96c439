package record

import (
	"github.com/chiasmus/chiasmus/harness/evidence"
)

// Challenge is a Challenge in the journal.
type Challenge struct {
	Workload string `json:"workload"`
	evidence.Challenge
}
