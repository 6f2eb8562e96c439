package machine

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Traces fills the trace of every instance, preprocessed and count columns
// included.
func (f *Fillers) Traces(pool *parallel.Pool, execution Execution) ([]air.Instance, error) {
	m, instances := f.Machine, execution.Instances()
	if err := m.CheckInstances(instances); err != nil {
		return nil, err
	}
	traces := make([]air.Instance, len(instances))
	for i, instance := range instances {
		t := m.Tables[instance.Table]
		columns := make([][]goldilocks.Element, len(t.Main))
		for c := range columns {
			columns[c] = make([]goldilocks.Element, 1<<instance.LogHeight)
		}
		if err := f.Tables[instance.Table].Fill(pool, execution, i, columns); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		traces[i] = air.Instance{Table: t, Trace: air.Trace{Main: columns, Preprocessed: t.PreprocessedColumns()}}
	}
	public := execution.Public()
	air.CountLookups(traces, public.Values, m.Messages(public))
	return traces, nil
}

// Check fills all traces and checks public values, constraints and buses, slowly
// and without any cryptography. The error names what does not hold: see
// air.Check.
func (f *Fillers) Check(pool *parallel.Pool, execution Execution) error {
	m, public := f.Machine, execution.Public()
	if err := m.CheckStated(public); err != nil {
		return err
	}
	traces, err := f.Traces(pool, execution)
	if err != nil {
		return err
	}
	return air.Check(traces, public.Values, m.Messages(public))
}
