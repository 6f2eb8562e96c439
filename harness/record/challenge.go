package record

import (
	"github.com/chiasmus/chiasmus/harness/evidence"
)

// Challenge is the record of an evidence.Challenge.
type Challenge struct {
	Workload string `json:"workload"`
	evidence.Challenge
}
