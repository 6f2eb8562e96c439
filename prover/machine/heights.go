package machine

import (
	"fmt"
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/air"
)

// LogHeightFor is the least allowed log height of a table for a number of
// rows, and at least minLogHeight.
func LogHeightFor(t *air.Table, rows uint64, minLogHeight int) (int, error) {
	logHeight := max(bits.Len64(max(rows, 1)-1), t.MinLogHeight, minLogHeight)
	if t.IsFixed() && logHeight != t.MinLogHeight {
		return 0, fmt.Errorf("table %s has 2^%d rows, and %d rows and at least 2^%d are asked for", t.Name, t.MinLogHeight, rows, minLogHeight)
	}
	if logHeight > t.MaxLogHeight {
		return 0, fmt.Errorf("table %s would need 2^%d rows, at most 2^%d are possible", t.Name, logHeight, t.MaxLogHeight)
	}
	return logHeight, nil
}
