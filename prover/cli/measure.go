package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"time"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
)

// measurements are a proof's metrics and counters, in the format of sessions and metrics files.
type measurements struct {
	Metrics  map[string]float64 `json:"metrics"`
	Counters map[string]uint64  `json:"counters"`
	Shards   []shardTimes       `json:"shards,omitempty"` // of a run in shards
	Nodes    []nodeTimes        `json:"nodes,omitempty"`  // of an aggregation
}

// measure maps a whole proof's metrics to their names. Execution and encoding, which package prove does not measure,
// count as other time.
func (w *wholeProof) measure(out *measurements, on backend.Backend, total time.Duration) {
	out.Counters["grind_hashes"] = w.metrics.GrindHashes
	out.Counters["cells"] = cellsOf(w.prover.Key().Shape(w.proof.Instances))
	for _, stage := range prove.Stages {
		took := w.metrics.Stages[stage]
		if stage == prove.StageOther {
			took += total - w.metrics.Total
		}
		out.Metrics["stage_"+string(stage)+"_seconds"] = took.Seconds()
	}
	metrics, counters := on.Report()
	maps.Copy(out.Metrics, metrics)
	maps.Copy(out.Counters, counters)
	if busy, traced := out.Metrics["device_busy_seconds"]; traced {
		out.Metrics["device_busy_fraction"] = busy / total.Seconds()
	}
}

// cellsOf returns the number of cells that a proof commits to: main, auxiliary and quotient.
func cellsOf(shape *protocol.Shape) (cells uint64) {
	for i := range shape.Instances {
		width := protocol.Width(shape.Table(i), protocol.Main) + protocol.Width(shape.Table(i), protocol.Auxiliary)
		cells += uint64(width) * uint64(shape.Rows(i))
	}
	for _, class := range shape.Classes {
		cells += protocol.QuotientWidth << class.LogHeight
	}
	return cells
}

// metricsFile is the content of a metrics file: the contents of a session's ready line and of its proof event.
type metricsFile struct {
	measurements
	Statement      string      `json:"statement"`
	ExactStatement string      `json:"exact_statement"`
	SecurityBits   int         `json:"security_bits"`
	Program        *programRun `json:"program,omitempty"`  // of a RISC-V program
	Devices        []string    `json:"devices,omitempty"`  // of a run in shards
	Timeline       []timedPart `json:"timeline,omitempty"` // of a whole proof or an aggregation
}

// programRun describes the proven run of a program.
type programRun struct {
	ID           string `json:"id"`
	Cycles       uint64 `json:"cycles"`
	Exit         uint64 `json:"exit"`
	Misaligned   uint64 `json:"misaligned_accesses"`
	OutputBytes  int    `json:"output_bytes"`
	OutputSHA256 string `json:"output_sha256"`
}

// programRunOf describes the run that was proven; nil for a machine without programs.
func programRunOf(key *protocol.Key, public circuit.Public) (*programRun, error) {
	if key.Program == nil {
		return nil, nil
	}
	run, err := statement.Read(public)
	if err != nil {
		return nil, err
	}
	id, digest := key.ProgramID(), sha256.Sum256(run.Output)
	return &programRun{
		ID: hex.EncodeToString(id[:]), Cycles: run.Cycles, Exit: run.Exit, Misaligned: run.Misaligned,
		OutputBytes: len(run.Output), OutputSHA256: hex.EncodeToString(digest[:]),
	}, nil
}

func (f metricsFile) text() ([]byte, error) {
	data, err := json.Marshal(f)
	return append(data, '\n'), err
}
