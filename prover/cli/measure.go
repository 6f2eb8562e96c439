package cli

import (
	"encoding/json"
	"maps"
	"time"

	"github.com/chiasmus/chiasmus/prover/stark"
)

// measurements are a proof's metrics and counters, in the form of the session contract and
// of the metrics file.
type measurements struct {
	Metrics  map[string]float64 `json:"metrics"`
	Counters map[string]uint64  `json:"counters"`
}

// Reporter is what a backend may add to measurements: figures of the last proof, with their
// unit in the name.
type Reporter interface {
	Report() (metrics map[string]float64, counters map[string]uint64)
}

// measure puts a proof's figures under their names. The witness and the encoding, which stark
// does not see, count as other time.
func (e *engine) measure(m *stark.Metrics, total time.Duration, peakHostBytes uint64) measurements {
	out := measurements{
		Metrics:  map[string]float64{"prove_seconds": total.Seconds()},
		Counters: map[string]uint64{"fallbacks": 0, "grind_hashes": m.GrindHashes},
	}
	for _, stage := range stark.Stages {
		took := m.Stages[stage]
		if stage == stark.StageOther {
			took += total - m.Total
		}
		out.Metrics["stage_"+string(stage)+"_seconds"] = took.Seconds()
	}
	if peakHostBytes > 0 {
		out.Metrics["peak_host_bytes"] = float64(peakHostBytes)
	}
	if reporter, ok := e.backend.(Reporter); ok {
		metrics, counters := reporter.Report()
		maps.Copy(out.Metrics, metrics)
		maps.Copy(out.Counters, counters)
	}
	return out
}

// file is the content of a metrics file.
func (m measurements) file() ([]byte, error) {
	data, err := json.Marshal(m)
	return append(data, '\n'), err
}
