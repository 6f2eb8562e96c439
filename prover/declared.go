package prover

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/keccak"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// fillable returns a machine of package known such that a key can be made for these parameters: if the caps of the
// fixed columns are pinned, the machine itself; otherwise the machine as it is declared, which can fill them.
func fillable(known circuit.Claims, params Params) (circuit.Claims, error) {
	m := known.Machine()
	_, err := protocol.PinnedCaps(m, params)
	if err == nil {
		return known, nil
	}
	switch m.Name {
	case "keccak":
		return keccak.New()
	case statement.Name:
		var heights []int
		for _, table := range m.Tables {
			if table.Kind == air.ProgramPreprocessed {
				heights = append(heights, table.PreprocessedLogHeight)
			}
		}
		declared, err := rv64im.Declare(nil, rv64im.Heights{Image: heights[0], Program: heights[1]})
		if err != nil {
			return nil, err
		}
		return statement.New(declared.Tables, declared.Buses, *m.Program)
	}
	return nil, err
}
