package plan

import (
	"time"
)

// How many pairs a run of commands has, where nobody says: as many as take about probeTarget.
const (
	probeTarget              = 40 * time.Second
	fewestProbed, mostProbed = 6, 60
)

// pairsFor is the number of pairs that take about probeTarget, by the seconds of one pair.
func pairsFor(seconds float64) int {
	pairs := mostProbed
	if seconds > 0 {
		pairs = int(min(mostProbed, probeTarget.Seconds()/seconds))
	}
	return max(fewestProbed, pairs/2*2)
}
