package circuit

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Public is the statement of a proof: public values, and bytes if the machine has public data.
type Public struct {
	Values []goldilocks.Element
	Data   []byte
}

// Instance is one appearance of a table in a proof.
type Instance struct {
	Table     int // index in the machine
	LogHeight int
}

// FirstRow returns the number of rows in earlier instances of the same table: the index of the instance's first record.
func FirstRow(instances []Instance, i int) uint64 { return FirstRecord(instances, i, 1) }

// FirstRecord is [FirstRow] for records of several rows each. All rows of a record are in one instance.
func FirstRecord(instances []Instance, i, rows int) uint64 {
	first := uint64(0)
	for _, earlier := range instances[:i] {
		if earlier.Table == instances[i].Table {
			first += 1 << earlier.LogHeight / uint64(rows)
		}
	}
	return first
}

// LogHeightFor returns the least allowed log height of an instance with the given number of rows, at least
// minLogHeight.
func LogHeightFor(t *air.Table, rows uint64, minLogHeight int) (int, error) {
	logHeight := max(bits.Len64(max(rows, 1)-1), t.MinLogHeight, minLogHeight)
	if t.Kind != air.NoPreprocessed {
		if logHeight > t.PreprocessedLogHeight {
			return 0, fmt.Errorf("table %s has 2^%d rows, too few for %d rows and a minimum of 2^%d", t.Name,
				t.PreprocessedLogHeight, rows, minLogHeight)
		}
		return t.PreprocessedLogHeight, nil
	}
	if logHeight > t.MaxLogHeight {
		return 0, fmt.Errorf("table %s needs 2^%d rows, and at most 2^%d are allowed", t.Name, logHeight, t.MaxLogHeight)
	}
	return logHeight, nil
}

// MaxProofInstances bounds the instances of one proof.
const MaxProofInstances = 256

// CheckInstances checks the order, numbers and heights of instances against the tables' limits.
func (m *Machine) CheckInstances(instances []Instance) error {
	if len(instances) == 0 || len(instances) > MaxProofInstances {
		return fmt.Errorf("machine %s: %d instances, want 1 to %d", m.Name, len(instances), MaxProofInstances)
	}
	counts := make([]int, len(m.Tables))
	for i, instance := range instances {
		if instance.Table < 0 || instance.Table >= len(m.Tables) {
			return fmt.Errorf("machine %s: instance %d belongs to table %d, and there are %d tables", m.Name, i, instance.Table,
				len(m.Tables))
		}
		t := m.Tables[instance.Table]
		if i > 0 && compareInstances(instances[i-1], instance) > 0 {
			return fmt.Errorf("machine %s: instance %d, of table %s with 2^%d rows, is out of order: want tables in order, "+
				"each with its tallest instance first", m.Name, i, t.Name, instance.LogHeight)
		}
		if err := t.CheckLogHeight(instance.LogHeight); err != nil {
			return fmt.Errorf("machine %s: %w", m.Name, err)
		}
		if t.FillPreprocessed != nil && instance.LogHeight != t.PreprocessedLogHeight {
			return fmt.Errorf("machine %s: table %s has 2^%d rows, want the 2^%d of its preprocessed columns", m.Name, t.Name,
				instance.LogHeight, t.PreprocessedLogHeight)
		}
		counts[instance.Table]++
	}
	for i, t := range m.Tables {
		if counts[i] < t.MinInstances || counts[i] > t.MaxInstances {
			return fmt.Errorf("machine %s: %d instances of table %s, want %d to %d", m.Name, counts[i], t.Name, t.MinInstances,
				t.MaxInstances)
		}
	}
	return nil
}

// compareInstances orders instances as proofs list them.
func compareInstances(a, b Instance) int {
	return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(b.LogHeight, a.LogHeight))
}

// SortInstances puts instances in the order of proofs.
func SortInstances(instances []Instance) { slices.SortStableFunc(instances, compareInstances) }
