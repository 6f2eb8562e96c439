package evidence

import (
	"github.com/chiasmus/chiasmus/harness/flame"
)

// A CodeProfile says in which functions the arms of a workload spend their CPU time. It is taken after the last
// measured pair, from proofs that count nowhere else, and influences no verdict.
type CodeProfile struct {
	// Source is the source of the call stacks: one of measure.ProfileSources.
	Source string `json:"source"`
	// The number of sampled proofs, stack samples and CPU seconds of each arm.
	BaseProofs  int     `json:"base_proofs"`
	HeadProofs  int     `json:"head_proofs"`
	BaseSamples int     `json:"base_samples"`
	HeadSamples int     `json:"head_samples"`
	BaseSeconds float64 `json:"base_seconds"`
	HeadSeconds float64 `json:"head_seconds"`
	// GPU describes the traced GPU kernels; nil if none were traced.
	GPU *GPUProfile `json:"gpu,omitempty"`
	// Functions are the functions and GPU kernels whose self time changed most, the largest change first.
	Functions []flame.Change `json:"functions"`
	// Graph is the file of the differential flame graph, relative to the run directory.
	Graph string   `json:"graph,omitempty"`
	Notes []string `json:"notes"`
	// Failed says why there is no profile; empty if there is one.
	Failed string `json:"failed,omitempty"`
}

// A GPUProfile is the time that the GPU kernels of a proof take in each arm, by Nsight Systems. Kernels that run at the
// same time all count.
type GPUProfile struct {
	BaseProofs  int     `json:"base_proofs"`
	HeadProofs  int     `json:"head_proofs"`
	BaseSeconds float64 `json:"base_seconds"`
	HeadSeconds float64 `json:"head_seconds"`
}
