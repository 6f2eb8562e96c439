package plan

import (
	"time"
)

// The default number of pairs of two commands takes about probeTarget.
const (
	probeTarget              = 40 * time.Second
	fewestProbed, mostProbed = 6, 60
)

// pairsFor returns the number of pairs that take about probeTarget, given the seconds of one pair.
func pairsFor(seconds float64) int {
	pairs := mostProbed
	if seconds > 0 {
		pairs = int(min(mostProbed, probeTarget.Seconds()/seconds))
	}
	return max(fewestProbed, pairs/2*2)
}
