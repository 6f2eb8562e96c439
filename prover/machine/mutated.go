package machine

import (
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Mutated is an execution whose columns are changed after they are filled: a cheating prover, for tests.
// [Fillers.Mutable] fills it.
type Mutated struct {
	Execution

	// Change is called with the filled columns of each instance.
	Change func(instance int, columns [][]goldilocks.Element)

	// Claim, if it is not nil, replaces what the execution states.
	Claim *circuit.Public

	// Shape, if it is not nil, replaces the instances. True is, for each, the index of the true instance that fills it, or
	// -1 for zeros; a nil True keeps the indices. Columns are truncated or padded with zero rows.
	Shape []circuit.Instance
	True  []int
}

// Public returns the replaced claim, or the execution's own.
func (m *Mutated) Public() circuit.Public {
	if m.Claim != nil {
		return *m.Claim
	}
	return m.Execution.Public()
}

// Instances returns the replaced instances, or the execution's own.
func (m *Mutated) Instances() []circuit.Instance {
	if m.Shape != nil {
		return m.Shape
	}
	return m.Execution.Instances()
}

// Device returns the zero value: changed columns are filled on the host.
func (m *Mutated) Device() DeviceRecords { return DeviceRecords{} }

// InPlaceOf returns a shard with the changed execution in place of its own.
func (m *Mutated) InPlaceOf(shard *Shard) *Shard {
	changed := *shard
	changed.Execution = m
	return &changed
}

// Mutable returns fillers of the same machine that understand [Mutated] executions. They run on the host only.
func (f *Fillers) Mutable() *Fillers {
	changed := &Fillers{Machine: f.Machine, RecordWords: f.RecordWords}
	for _, filler := range f.Tables {
		changed.Tables = append(changed.Tables, Filler{Fill: filler.fillMutated})
	}
	return changed
}

func (f Filler) fillMutated(pool *parallel.Pool, execution Execution, instance int,
	columns [][]goldilocks.Element) error {
	m, ok := execution.(*Mutated)
	if !ok {
		return f.Fill(pool, execution, instance, columns)
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
	} else if err := f.fillCut(pool, m.Execution, source, 1<<truth[source].LogHeight, columns); err != nil {
		return err
	}
	if m.Change != nil {
		m.Change(instance, columns)
	}
	return nil
}

// fillCut fills columns whose height may differ from rows, the height of the instance.
func (f Filler) fillCut(pool *parallel.Pool, execution Execution, instance, rows int,
	columns [][]goldilocks.Element) error {
	if len(columns) == 0 || len(columns[0]) == rows {
		return f.Fill(pool, execution, instance, columns)
	}
	filled := make([][]goldilocks.Element, len(columns))
	for i := range filled {
		filled[i] = make([]goldilocks.Element, rows)
	}
	if err := f.Fill(pool, execution, instance, filled); err != nil {
		return err
	}
	for i, column := range columns {
		clear(column[copy(column, filled[i]):])
	}
	return nil
}
