package evidence

import (
	"fmt"

	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// StatsPairs hands the counted pairs to the statistics.
func StatsPairs(pairs []Pair) []stats.Pair {
	out := make([]stats.Pair, len(pairs))
	for i, p := range pairs {
		out[i] = p.Of(p.A, p.B)
	}
	return out
}

// CauseInterrupted is the cause of a pair whose second half was never measured.
const CauseInterrupted = "interrupted"

// CausesText lists causes in one line.
func CausesText(causes []Cause) string {
	text := ""
	for i, c := range causes {
		if i > 0 {
			text += "; "
		}
		text += fmt.Sprintf("%s (%s)", c.Text, c.Arm)
	}
	return text
}

// Pair is one counted pair.
type Pair struct {
	Number int `json:"pair"`  // from 1, by plan
	Block  int `json:"block"` // from 1
	// Launch and Build say which of its arm's processes and builds measured it, from 1; 0 in runs of earlier versions.
	Launch int `json:"launch,omitempty"`
	Build  int `json:"build,omitempty"`
	// Host is the place, from 1, of the host among those of a joined report; 0 in any other.
	Host  int         `json:"host,omitempty"`
	Order stats.Order `json:"order"`
	Seed  uint64      `json:"seed"`
	A     float64     `json:"a"` // the primary metric of base
	B     float64     `json:"b"`
	// Base and Head are the places of the two samples in Workload.Samples.
	Base int `json:"base"`
	Head int `json:"head"`
	// Attempt is 1, or one more for each time the pair was dropped before.
	Attempt int `json:"attempt"`
}

// Of hands two values of the pair, of whatever metric, to the statistics.
func (p Pair) Of(a, b float64) stats.Pair {
	return stats.Pair{
		Number: p.Number,
		Block:  p.Block,
		Launch: p.Launch,
		Build:  p.Build,
		Host:   p.Host,
		Order:  p.Order,
		A:      a,
		B:      b,
	}
}

// Drop is one pair that was measured and not counted.
type Drop struct {
	Pair    int         `json:"pair"`
	Block   int         `json:"block"`
	Order   stats.Order `json:"order"`
	Attempt int         `json:"attempt"`
	// Causes were all logged without looking at a time.
	Causes []Cause `json:"causes"`
	// A and B are the values of the primary metric, null for a side that was not measured. They are for the record
	// only: no decision ever read them.
	A stats.Number `json:"a"`
	B stats.Number `json:"b"`
}

// Cause is why a pair was dropped: something outside the measured process, seen during the proof of one arm.
type Cause struct {
	Arm  schedule.Arm `json:"arm"`
	Kind string       `json:"kind"` // those of environment.Kind, or interrupted
	Text string       `json:"text"`
}
