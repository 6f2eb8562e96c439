package metrics

import (
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/stats"
)

// Metric describes how to read the values of a metric.
type Metric struct {
	Name    string      `json:"name"`
	Better  string      `json:"better"` // lower or higher
	Scale   stats.Scale `json:"scale"`
	Control bool        `json:"control"` // the change cannot affect it; a shift is a warning
}

// Of describes a metric of bench.yaml for a report.
func Of(m config.Metric) Metric {
	return Metric{m.Name, string(m.Better), stats.Scale(m.Scale), m.Control}
}

// JudgedBy reports whether a workload planned for one metric may be judged by another: the harness's clock can replace
// the prover's.
func JudgedBy(planned, used string) bool {
	return used == planned || planned == ProveSeconds && used == WallSeconds
}

// MayBeJudgedBy reports whether a report may claim that a workload planned for one metric was judged by another: see
// report.Clock. Judge then checks the claim against the samples.
func MayBeJudgedBy(planned, used Metric) bool {
	name := used.Name
	used.Name = planned.Name
	return used == planned && JudgedBy(planned.Name, name)
}

// ProveSeconds is the prover's own time of a proof, from reading the request to the complete proof in memory.
const ProveSeconds = "prove_seconds"

// The metrics that the harness adds to the prover's.
const (
	WallSeconds = "wall_seconds" // of a proof, by the harness's clock
	ProofBytes  = "proof_bytes"
	CPUSeconds  = "cpu_seconds"
	CPUShare    = "cpu_share" // cpu_seconds as a share of the time of all processors
	MaxRSSBytes = "max_rss_bytes"
	// Instructions counts the user-mode instructions of all processes of a prover.
	Instructions = "instructions"
)

// The wall time of a request may exceed the prover's own time by the larger of wallFraction of it and wallSlack
// seconds.
const wallFraction, wallSlack = 0.02, 0.005

// Unexplained returns the part of the wall time of a proof that exceeds the prover's own time, 0 unless it is more than
// 2 % and more than 5 ms.
func Unexplained(wall, own float64) float64 {
	excess := wall - own
	if excess <= max(wallFraction*own, wallSlack) {
		return 0
	}
	return excess
}
