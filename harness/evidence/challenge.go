package evidence

import (
	"fmt"

	"github.com/chiasmus/chiasmus/harness/schedule"
)

// A Challenge is what an arm's verifier said of what it has to refuse, once a workload and outside of every timed
// region: a verifier that accepts anything makes every proof valid. No text of bench.yaml shows this: a placeholder may
// stand in the arguments of a command that reads none.
type Challenge struct {
	Arm schedule.Arm `json:"arm"`
	// Altered says that it accepted a proof of which one byte was changed.
	Altered bool `json:"accepts_altered"`
	// Asked says that verify is told what a proof must prove, by {statement}, {exact_statement} or {seed}, and Other that
	// the verifier accepted a proof for others than these.
	Asked bool `json:"asked"`
	Other bool `json:"accepts_other"`
}

// Text says what is wrong with the verifier, empty where nothing is.
func (c Challenge) Text() string {
	switch {
	case c.Altered:
		return fmt.Sprintf("%s's verifier accepts a proof of which one byte was changed: nothing of %s is verified", c.Arm,
			c.Arm)
	case c.Other:
		return fmt.Sprintf("%s's verifier accepts a proof for another statement or seed than it is told: a proof of less "+
			"would be accepted as faster", c.Arm)
	}
	return ""
}
