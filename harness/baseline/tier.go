package baseline

import (
	"github.com/chiasmus/chiasmus/stats"
)

// A Tier says how the first tier of a gate went: head alone, by a few processes, against a baseline of base.
type Tier struct {
	// Decided is the tier whose verdict the workload has: 1 or, by pairs, 2.
	Decided int `json:"decided"`
	// Text says why, in a sentence.
	Text string `json:"text"`
	// Run measured the baseline, AgeHours before; Processes of head were measured alone. All are empty where nothing was
	// measured.
	Run       string  `json:"run,omitempty"`
	AgeHours  float64 `json:"age_hours,omitempty"`
	Processes int     `json:"processes,omitempty"`
	// Baseline and Moves, from which it is known how far the host moves, are with head's proofs all that a verdict of the
	// first tier rests on. They are null where pairs decided.
	Baseline *Baseline    `json:"baseline,omitempty"`
	Moves    []stats.Move `json:"moves,omitempty"`
}
