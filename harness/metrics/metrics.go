package metrics

import (
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/stats"
)

// Of describes a metric for a report.
func Of(m config.Metric) Metric {
	return Metric{m.Name, string(m.Better), stats.Scale(m.Scale), m.Control}
}

// JudgedBy says whether a workload may be judged by a metric, where bench.yaml plans another or the same: the harness's
// clock stands in for the prover's.
func JudgedBy(planned, used string) bool {
	return used == planned || planned == ProveSeconds && used == WallSeconds
}

// MayBeJudgedBy says whether a workload that is planned to be judged by a metric may say that it was by another: see
// Clock. Judge then checks by its samples which of the two it has to be.
func MayBeJudgedBy(planned, used Metric) bool {
	name := used.Name
	used.Name = planned.Name
	return used == planned && JudgedBy(planned.Name, name)
}

// ProveSeconds is the prover's own time of a proof, from the request it has read to the proof complete in memory.
const ProveSeconds = "prove_seconds"

// The metrics that the harness adds to those of the prover.
const (
	WallSeconds = "wall_seconds" // of a proof, by the harness's clock
	ProofBytes  = "proof_bytes"
	CPUSeconds  = "cpu_seconds"
	CPUShare    = "cpu_share" // cpu_seconds over what all processors have: 1 is all of them all the time
	MaxRSSBytes = "max_rss_bytes"
	// Instructions are those that all processes of a prover retire in user mode.
	Instructions = "instructions"
)

// Metric says how values of a metric are read.
type Metric struct {
	Name    string      `json:"name"`
	Better  string      `json:"better"` // lower or higher
	Scale   stats.Scale `json:"scale"`
	Control bool        `json:"control"` // the change cannot move it; one that moves is a warning
}

// The wall time of a request may exceed the prover's own time by the larger of wallFraction of it and wallSlack
// seconds.
const wallFraction, wallSlack = 0.02, 0.005

// Unexplained returns the part of the wall time of a proof that the prover's own time does not explain, 0 unless it is
// more than 2 % and more than 5 ms.
func Unexplained(wall, own float64) float64 {
	excess := wall - own
	if excess <= max(wallFraction*own, wallSlack) {
		return 0
	}
	return excess
}
