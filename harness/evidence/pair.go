package evidence

import (
	"fmt"

	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// Pair is one counted pair.
type Pair struct {
	Number int `json:"pair"`  // from 1, by plan
	Block  int `json:"block"` // from 1
	// Process and Build are the numbers, from 1, of its arm's process and build; 0 in runs of earlier versions.
	Process int `json:"launch,omitempty"`
	Build   int `json:"build,omitempty"`
	// Host is the index, from 1, of its host in a joined report; 0 in other reports.
	Host  int         `json:"host,omitempty"`
	Order stats.Order `json:"order"`
	Seed  uint64      `json:"seed"`
	A     float64     `json:"a"` // the primary metric of base
	B     float64     `json:"b"`
	// Base and Head are the indices of the two samples in Workload.Samples.
	Base int `json:"base"`
	Head int `json:"head"`
	// Attempt is 1 plus the number of times that the pair was dropped.
	Attempt int `json:"attempt"`
}

// Drop is one pair that was measured and not counted.
type Drop struct {
	Pair    int         `json:"pair"`
	Block   int         `json:"block"`
	Order   stats.Order `json:"order"`
	Attempt int         `json:"attempt"`
	// Causes were logged without looking at any time.
	Causes []Cause `json:"causes"`
	// A and B are the values of the primary metric, null for a side that was not measured. They are for the record; no
	// decision reads them.
	A stats.Number `json:"a"`
	B stats.Number `json:"b"`
}

// Cause is why a pair was dropped: a disturbance outside the measured process during the proof of one arm.
type Cause struct {
	Arm  schedule.Arm `json:"arm"`
	Kind string       `json:"kind"` // an environment.Kind, or interrupted
	Text string       `json:"text"`
}

// StatsPairs converts counted pairs for package stats.
func StatsPairs(pairs []Pair) []stats.Pair {
	out := make([]stats.Pair, len(pairs))
	for i, p := range pairs {
		out[i] = p.Of(p.A, p.B)
	}
	return out
}

// CauseInterrupted is the cause of a pair whose second half was not measured.
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

// Of converts two values of the pair, of any metric, for package stats.
func (p Pair) Of(a, b float64) stats.Pair {
	return stats.Pair{
		Number:  p.Number,
		Block:   p.Block,
		Process: p.Process,
		Build:   p.Build,
		Host:    p.Host,
		Order:   p.Order,
		A:       a,
		B:       b,
	}
}
