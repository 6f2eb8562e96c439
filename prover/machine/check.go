package machine

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Traces fills the trace of every table, preprocessed and count columns
// included.
func (m *Machine) Traces(pool *parallel.Pool, witness Witness) ([]air.Trace, error) {
	logHeights := witness.LogHeights()
	if err := m.CheckLogHeights(logHeights); err != nil {
		return nil, err
	}
	traces := make([]air.Trace, len(m.Tables))
	for i, t := range m.Tables {
		columns := make([][]goldilocks.Element, len(t.Main))
		for c := range columns {
			columns[c] = make([]goldilocks.Element, 1<<logHeights[i])
		}
		if err := witness.Fill(pool, i, columns); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		traces[i] = air.Trace{Main: columns, Preprocessed: t.PreprocessedColumns()}
	}
	air.CountLookups(m.Tables, traces, witness.Public())
	return traces, nil
}

// Check fills all traces and checks public values, constraints and buses, slowly
// and without any cryptography. The error names what does not hold: see
// air.Check.
func (m *Machine) Check(pool *parallel.Pool, witness Witness) error {
	if err := m.CheckPublicValues(witness.Public()); err != nil {
		return err
	}
	traces, err := m.Traces(pool, witness)
	if err != nil {
		return err
	}
	return air.Check(m.Tables, traces, witness.Public(), m.Messages(witness.Public()))
}
