package prover

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/keccak"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// fillable returns a machine whose key can be derived for these parameters. A machine of package known is returned if
// the caps of its fixed columns are pinned, else its declaration, which can fill these columns.
func fillable(claims circuit.Claims, params Params) (circuit.Claims, error) {
	m := claims.Machine()
	_, err := protocol.PinnedCaps(m, params)
	if err == nil || !slices.ContainsFunc(m.Tables, isUnfilled) {
		return claims, nil
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
		for i, table := range m.Tables {
			if table.Kind == air.ProgramPreprocessed {
				declared.Tables[i].FillPreprocessed = table.FillPreprocessed
			}
		}
		return statement.New(declared.Tables, declared.Buses, *m.Program)
	}
	return nil, err
}

// isUnfilled reports whether nothing fills the table's fixed columns, as in a machine of package known.
func isUnfilled(t *air.Table) bool {
	return t.Kind == air.FixedPreprocessed && t.FillPreprocessed == nil
}
