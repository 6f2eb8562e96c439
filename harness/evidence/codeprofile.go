package evidence

import (
	"github.com/chiasmus/chiasmus/harness/flame"
)

// A CodeProfile says in which functions the arms of a workload spend their CPU time. It is taken after the last
// measured pair, by proofs that nothing else counts, and decides nothing.
type CodeProfile struct {
	// Source is how the stacks were found: one of the sources of Controls.Profile.
	Source string `json:"source"`
	// Proofs of either arm were sampled, which gave so many samples and took so much CPU time each.
	BaseProofs  int     `json:"base_proofs"`
	HeadProofs  int     `json:"head_proofs"`
	BaseSamples int     `json:"base_samples"`
	HeadSamples int     `json:"head_samples"`
	BaseSeconds float64 `json:"base_seconds"`
	HeadSeconds float64 `json:"head_seconds"`
	// Functions are those whose self time changed most, the largest change first.
	Functions []flame.Change `json:"functions"`
	// Graph is the file of the differential flame graph, relative to the folder of the run.
	Graph string   `json:"graph,omitempty"`
	Notes []string `json:"notes"`
	// Failed says why there is none of all that; empty where there is.
	Failed string `json:"failed,omitempty"`
}
