package evidence

import (
	"time"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// A SampleKind is the purpose of a proof.
type SampleKind string

// The kinds of sample: discarded warm-up proofs; proofs of head alone in the baseline pre-check, whose Attempt is the
// number of their process; the unmeasured proof before a block whose first arm is not the last arm of the previous
// block; and measured proofs.
const (
	WarmUp     SampleKind = "warmup"
	PreCheck   SampleKind = "alone"
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
	// Metrics holds the metrics of the prover and those that the harness measures: wall_seconds, proof_bytes, cpu_share,
	// max_rss_bytes and, with NVML, energy_joules.
	Metrics     map[string]float64 `json:"metrics"`
	Counters    map[string]float64 `json:"counters"`
	ProofSHA256 string             `json:"proof_sha256"`
	// ExactStatement is the claim of this proof according to the prover.
	ExactStatement string `json:"exact_statement,omitempty"`
	// Idle is what the waiting session of the other arm used during this proof; null if no session waited.
	Idle *Idle `json:"idle,omitempty"`
	// Waiting has the same for every waiting session, by arm, in a run with several heads; Idle is then null.
	Waiting map[schedule.Arm]*Idle `json:"waiting,omitempty"`
	// WaitedCPUSeconds is the CPU time of the proof's own session between its previous reply and this request.
	WaitedCPUSeconds float64 `json:"waited_cpu_seconds,omitempty"`
	// GPUWork is the work of GPUs for this session since its previous proof, this proof included. It is null if unknown;
	// on a host with GPUs, GPUUnseen then says why.
	GPUWork   *environment.GPUWork `json:"gpu_work,omitempty"`
	GPUUnseen string               `json:"gpu_unseen,omitempty"`
	Verified  bool                 `json:"verified"`
	// Unchecked means that the workload has no verifier.
	Unchecked bool `json:"unchecked,omitempty"`
	// Benchmarks are the metrics that the process reported, by benchmark of its suite and by name.
	Benchmarks map[string]map[string]float64 `json:"benchmarks,omitempty"`
	// VerifySeconds is the wall time of the verification.
	VerifySeconds float64 `json:"verify_seconds"`
	// Dropped means that the pair of this sample does not count.
	Dropped bool    `json:"dropped"`
	Causes  []Cause `json:"causes,omitempty"`
	// Culprits are the other processes that used most CPU time during the proof, if others used too much.
	Culprits []environment.Culprit `json:"culprits,omitempty"`
}

// Idle is what a session used while it had no request.
type Idle struct {
	Seconds    float64 `json:"seconds"` // how long it was watched
	CPUSeconds float64 `json:"cpu_seconds"`
	IOBytes    float64 `json:"io_bytes"`
	// GPUShare is the used share of one GPU, null if the driver does not report it.
	GPUShare *float64 `json:"gpu_share"`
}

// Pointers returns pointers to the samples of a list.
func Pointers(list []Sample) []*Sample {
	out := make([]*Sample, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}
