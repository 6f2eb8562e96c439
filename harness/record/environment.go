package record

import (
	"github.com/chiasmus/chiasmus/harness/environment"
)

// Environment is the record of the host at the start or the end of the measurement.
type Environment struct {
	Phase    string                `json:"phase"` // start or end
	Snapshot *environment.Snapshot `json:"snapshot"`
}

// The phases of an Environment record.
const (
	PhaseStart = "start"
	PhaseEnd   = "end"
)

// foldEnvironment keeps the first start and the last end.
func (h *History) foldEnvironment(e Environment) {
	switch {
	case e.Phase == PhaseEnd:
		h.End = e.Snapshot
	case h.Start == nil:
		h.Start = e.Snapshot
	}
}
