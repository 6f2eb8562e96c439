package evidence

import (
	"fmt"

	"github.com/chiasmus/chiasmus/harness/schedule"
)

// A Challenge is the answer of an arm's verifier to proofs that it must refuse. It is made once per workload, outside
// every timed region: a verifier that accepts anything makes every proof valid. bench.yaml cannot show this, because a
// command may ignore the placeholders in its arguments.
type Challenge struct {
	Arm schedule.Arm `json:"arm"`
	// Altered means that the verifier accepted a proof with one changed byte.
	Altered bool `json:"accepts_altered"`
	// Asked means that verify receives what a proof must prove, by {statement}, {exact_statement} or {seed}. Other means
	// that the verifier accepted a proof for other values.
	Asked bool `json:"asked"`
	Other bool `json:"accepts_other"`
}

// Text describes the verifier's error; empty if the verifier passed.
func (c Challenge) Text() string {
	switch {
	case c.Altered:
		return fmt.Sprintf("%s's verifier accepts a proof with one changed byte: no proof of %s is verified", c.Arm,
			c.Arm)
	case c.Other:
		return fmt.Sprintf("%s's verifier accepts a proof for another statement or seed than it was given: a proof of less "+
			"would be accepted as faster", c.Arm)
	}
	return ""
}
