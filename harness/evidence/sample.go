package evidence

import (
	"time"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// A SampleKind says what a proof was for.
type SampleKind string

// The kinds of sample: discarded proofs before the measurement, the unmeasured proof before a block that opens with the
// other arm than the last one closed with, measured proofs, and those of head alone in the first tier, whose Attempt is
// the number of their process.
const (
	WarmUp     SampleKind = "warmup"
	Alone      SampleKind = "alone"
	Unmeasured SampleKind = "unmeasured"
	Measured   SampleKind = "measured"
)

// Samples are all proofs of a workload in execution order.
type Samples []Sample

// Sample is one proof.
type Sample struct {
	Kind    SampleKind   `json:"kind"`
	Arm     schedule.Arm `json:"arm"`
	Pair    int          `json:"pair"`  // 0 unless measured
	Block   int          `json:"block"` // 0 unless measured
	Order   stats.Order  `json:"order"` // empty unless measured
	Attempt int          `json:"attempt"`
	Seed    uint64       `json:"seed"`
	Started time.Time    `json:"started"`
	// Metrics holds what the prover reported and what the harness saw: wall_seconds, proof_bytes, cpu_share,
	// max_rss_bytes and, with NVML, energy_joules among them.
	Metrics     map[string]float64 `json:"metrics"`
	Counters    map[string]float64 `json:"counters"`
	ProofSHA256 string             `json:"proof_sha256"`
	// ExactStatement is what the prover said that this proof claims.
	ExactStatement string `json:"exact_statement,omitempty"`
	// Idle is what the waiting session of the other arm took during this proof; null where there was none.
	Idle *Idle `json:"idle,omitempty"`
	// WaitedCPUSeconds is the CPU time of the proof's own session between its last reply and this request.
	WaitedCPUSeconds float64 `json:"waited_cpu_seconds,omitempty"`
	// GPUWork is what GPUs did for the session since its proof before, this one included; null where nobody can tell, and
	// GPUUnseen then says why, on a host with GPUs.
	GPUWork   *environment.GPUWork `json:"gpu_work,omitempty"`
	GPUUnseen string               `json:"gpu_unseen,omitempty"`
	Verified  bool                 `json:"verified"`
	// Unchecked says that there is no verifier to wait for.
	Unchecked bool `json:"unchecked,omitempty"`
	// Benchmarks are what the process reported of each benchmark of its suite: metrics by name, by benchmark.
	Benchmarks map[string]map[string]float64 `json:"benchmarks,omitempty"`
	// VerifySeconds is the wall time of the verification.
	VerifySeconds float64 `json:"verify_seconds"`
	// Dropped says that the pair of this sample did not count.
	Dropped bool    `json:"dropped"`
	Causes  []Cause `json:"causes,omitempty"`
	// Culprits are the processes of others that took most CPU time meanwhile, where others took too much.
	Culprits []environment.Culprit `json:"culprits,omitempty"`
}

// Idle is what a session took of the host while it was not asked to prove.
type Idle struct {
	Seconds    float64 `json:"seconds"` // how long it was watched
	CPUSeconds float64 `json:"cpu_seconds"`
	IOBytes    float64 `json:"io_bytes"`
	// GPUShare is the part of one GPU that it used, null where the driver does not tell.
	GPUShare *float64 `json:"gpu_share"`
}

// Pointers are those to the samples of a list.
func Pointers(list []Sample) []*Sample {
	out := make([]*Sample, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}
