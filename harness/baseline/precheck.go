package baseline

import (
	"github.com/chiasmus/chiasmus/stats"
)

// A PreCheck describes the baseline pre-check of a workload: a few processes of head alone, compared with a baseline of
// base.
type PreCheck struct {
	// Decided is the step that gave the verdict: 1 for the pre-check, 2 for pairs.
	Decided int `json:"decided"`
	// Text is the reason, in one sentence.
	Text string `json:"text"`
	// Run is the run that measured the baseline, AgeHours before this one. Processes is the number of processes of head
	// alone. All are empty if nothing was measured.
	Run       string  `json:"run,omitempty"`
	AgeHours  float64 `json:"age_hours,omitempty"`
	Processes int     `json:"processes,omitempty"`
	// Baseline and Moves (the shifts of the host) are, with head's proofs, the whole basis of a verdict of the pre-check.
	// They are null if pairs decided.
	Baseline *Baseline    `json:"baseline,omitempty"`
	Moves    []stats.Move `json:"moves,omitempty"`
}
