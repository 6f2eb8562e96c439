package prover

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/keccak"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// fillable returns a machine whose key can be derived for these parameters: the machine of package known if the caps of
// its fixed columns are pinned, else its declaration, which can fill these columns.
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
