package cli

import (
	"encoding/json"
	"maps"
	"time"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// measurements are a proof's metrics and counters, in the form of the session contract and
// of the metrics file.
type measurements struct {
	Metrics  map[string]float64 `json:"metrics"`
	Counters map[string]uint64  `json:"counters"`
}

// measure puts a proof's figures under their names. Execution and encoding, which stark
// does not see, count as other time.
func measure(on backend.Backend, m *stark.Metrics, total time.Duration, peakHostBytes, fallbacks uint64) measurements {
	out := measurements{
		Metrics:  map[string]float64{"prove_seconds": total.Seconds()},
		Counters: map[string]uint64{"fallbacks": fallbacks, "grind_hashes": m.GrindHashes},
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
	if reporter, ok := on.(backend.Reporter); ok {
		metrics, counters := reporter.Report()
		maps.Copy(out.Metrics, metrics)
		maps.Copy(out.Counters, counters)
	}
	if busy, traced := out.Metrics["device_busy_seconds"]; traced {
		out.Metrics["device_busy_fraction"] = busy / total.Seconds()
	}
	return out
}

// metricsFile is the content of a metrics file: what a session says in its ready line and its proof event.
type metricsFile struct {
	measurements
	Statement      string `json:"statement"`
	ExactStatement string `json:"exact_statement"`
	SecurityBits   int    `json:"security_bits"`
}

func (f metricsFile) text() ([]byte, error) {
	data, err := json.Marshal(f)
	return append(data, '\n'), err
}
