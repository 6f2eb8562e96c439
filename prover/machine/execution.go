package machine

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Execution is one run of a program: what it claims and what its tables are filled from. It is safe for use by
// several goroutines.
type Execution interface {
	// Public is what the proof states. The caller must not change it.
	Public() Public

	// Instances are the tables' instances, found by executing: in the order of tables, those of one table by falling
	// height. The caller must not change them.
	Instances() []Instance

	// Records are the record sets that tables share, by the numbers that device fillers name them with. The layout
	// of each is the machine's, which documents it. The caller must not change them.
	Records() [][]uint64
}

// Growing is an execution that may go on when it is handed over: its instances are known, and what it states and its
// record sets are waited for.
type Growing interface {
	Execution

	// RecordWords is how long each of the record sets will be.
	RecordWords() []uint64

	// Grow hands over the record sets as far as they are known, again and again, the last time whole, until each fails:
	// that error is returned. How often, and how long the sets are then, their final lengths decide. What was handed over
	// does not change.
	Grow(each func(known [][]uint64) error) error
}

// ErrForetold is why the tables of an execution cannot be filled whose instances were foretold, and are others.
var ErrForetold = errors.New("the execution has other instances than were foretold: execute again")

// Foretold is an execution of which the instances may be foretold, and nothing else be known: it goes on.
type Foretold interface {
	Execution

	// Foretold reports whether it is one, and then with a statement as long as its own, which Public waits for. Where it
	// ends with other instances or a longer or shorter statement, filling its tables fails with [ErrForetold].
	Foretold() (like Public, ok bool)
}

// Releaser is an execution that can let go of what its tables are filled from.
type Releaser interface {
	Execution

	// Release lets go of it: from then on the execution only tells what it states and its instances.
	Release()
}

// Public is what a proof states: numbers, and bytes where the machine has public data.
type Public struct {
	Values []goldilocks.Element
	Data   []byte
}

// Instance is one appearance of a table in a proof.
type Instance struct {
	Table     int // number in the machine
	LogHeight int
}

// FirstRow is how many rows the earlier instances of the same table have: where a filler goes on in the table's
// records.
func FirstRow(instances []Instance, i int) uint64 { return FirstRecord(instances, i, 1) }

// FirstRecord is how many records the earlier instances of the same table have, of so many rows each. None goes on in
// another instance.
func FirstRecord(instances []Instance, i, rows int) uint64 {
	first := uint64(0)
	for _, earlier := range instances[:i] {
		if earlier.Table == instances[i].Table {
			first += 1 << earlier.LogHeight / uint64(rows)
		}
	}
	return first
}

// LogHeightFor is the least allowed log height of an instance for a number of
// rows, and at least minLogHeight.
func LogHeightFor(t *air.Table, rows uint64, minLogHeight int) (int, error) {
	logHeight := max(bits.Len64(max(rows, 1)-1), t.MinLogHeight, minLogHeight)
	if t.Kind != air.NoPreprocessed {
		if logHeight > t.PreprocessedLogHeight {
			return 0, fmt.Errorf("table %s has 2^%d rows, and %d rows and at least 2^%d are asked for", t.Name,
				t.PreprocessedLogHeight, rows, minLogHeight)
		}
		return t.PreprocessedLogHeight, nil
	}
	if logHeight > t.MaxLogHeight {
		return 0, fmt.Errorf("table %s would need 2^%d rows, at most 2^%d are possible", t.Name, logHeight, t.MaxLogHeight)
	}
	return logHeight, nil
}

// MaxProofInstances bounds the instances of one proof.
const MaxProofInstances = 256

// CheckInstances checks order, numbers and heights of instances against the tables' limits.
func (m *Machine) CheckInstances(instances []Instance) error {
	if len(instances) == 0 || len(instances) > MaxProofInstances {
		return fmt.Errorf("machine %s: %d instances, want 1 to %d", m.Name, len(instances), MaxProofInstances)
	}
	counts := make([]int, len(m.Tables))
	for i, instance := range instances {
		if instance.Table < 0 || instance.Table >= len(m.Tables) {
			return fmt.Errorf("machine %s: instance %d is of table %d, and there are %d tables", m.Name, i, instance.Table,
				len(m.Tables))
		}
		t := m.Tables[instance.Table]
		if i > 0 && compareInstances(instances[i-1], instance) > 0 {
			return fmt.Errorf("machine %s: instance %d, of table %s with 2^%d rows, stands behind one that comes later", m.Name,
				i, t.Name, instance.LogHeight)
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

// Mutated is an execution with its columns changed after they are filled: a cheating prover, for tests. It goes with
// [Machine.Mutable], whose tables no device fills.
type Mutated struct {
	Execution

	// Change is called with the filled columns of each instance.
	Change func(instance int, columns [][]goldilocks.Element)

	// Claim replaces what the execution states where it is not nil.
	Claim *Public

	// Shape replaces the instances where it is not nil. True says by place which of the true instances each is filled
	// as, -1 for one of zeros; nil is the same place. Columns are cut or padded with zero rows.
	Shape []Instance
	True  []int
}

// Public returns the replaced claim, or the execution's own.
func (m *Mutated) Public() Public {
	if m.Claim != nil {
		return *m.Claim
	}
	return m.Execution.Public()
}

// Instances returns the replaced instances, or the execution's own.
func (m *Mutated) Instances() []Instance {
	if m.Shape != nil {
		return m.Shape
	}
	return m.Execution.Instances()
}

// Last reports whether the execution that is changed is the last shard of a run.
func (m *Mutated) Last() bool {
	shard, ok := m.Execution.(Shard)
	return ok && shard.Last()
}

// Unanswered are those of the execution that is changed, where that is a shard.
func (m *Mutated) Unanswered() []Message {
	if shard, ok := m.Execution.(Shard); ok {
		return shard.Unanswered()
	}
	return nil
}

// Mutable is the machine with fillers that understand [Mutated] executions. Its digest is the same.
func (m *Machine) Mutable() *Machine {
	changed := *m
	changed.Deriver = nil
	changed.Tables = make([]*Table, len(m.Tables))
	for i, t := range m.Tables {
		changed.Tables[i] = &Table{Table: t.Table, Fill: t.fillMutated}
	}
	return &changed
}

func (t *Table) fillMutated(pool *parallel.Pool, execution Execution, instance int,
	columns [][]goldilocks.Element) error {
	m, ok := execution.(*Mutated)
	if !ok {
		return t.Fill(pool, execution, instance, columns)
	}
	source := instance
	if m.True != nil {
		source = m.True[instance]
	}
	truth := m.Execution.Instances()
	if source < 0 || source >= len(truth) {
		for _, column := range columns {
			clear(column)
		}
	} else if err := fillCut(t, pool, m.Execution, source, 1<<truth[source].LogHeight, columns); err != nil {
		return err
	}
	if m.Change != nil {
		m.Change(instance, columns)
	}
	return nil
}

// fillCut fills columns of another height than the instance has.
func fillCut(t *Table, pool *parallel.Pool, execution Execution, instance, rows int,
	columns [][]goldilocks.Element) error {
	if len(columns) == 0 || len(columns[0]) == rows {
		return t.Fill(pool, execution, instance, columns)
	}
	filled := make([][]goldilocks.Element, len(columns))
	for i := range filled {
		filled[i] = make([]goldilocks.Element, rows)
	}
	if err := t.Fill(pool, execution, instance, filled); err != nil {
		return err
	}
	for i, column := range columns {
		clear(column[copy(column, filled[i]):])
	}
	return nil
}
