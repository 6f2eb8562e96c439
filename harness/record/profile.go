package record

import (
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/journal"
)

// Profiled is the code profile of a workload.
type Profiled struct {
	Workload string               `json:"workload"`
	Profile  evidence.CodeProfile `json:"profile"`
}

// foldProfile stores a profile.
func (h *History) foldProfile(r journal.Record) error {
	return decode(r, func(p Profiled) { h.Workload(p.Workload).Profile = &p.Profile })
}
