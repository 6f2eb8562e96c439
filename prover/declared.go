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
// the caps of its fixed columns are pinned, else the machine with the declaration's functions that fill these columns.
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
		declared, err := rv64im.Declare(nil, new(rv64im.Program).Heights()) // only its fixed tables are used
		if err != nil {
			return nil, err
		}
		tables := slices.Clone(m.Tables)
		for i, table := range tables {
			if isUnfilled(table) {
				filled := *table
				filled.FillPreprocessed = declared.Tables[i].FillPreprocessed
				tables[i] = &filled
			}
		}
		made, err := statement.New(tables, m.Buses, *m.Program)
		if err != nil {
			return nil, err
		}
		made.Machine().CanonicalDigest = m.CanonicalDigest
		return made, nil
	}
	return nil, err
}

// isUnfilled reports whether nothing fills the table's fixed columns, as in a machine of package known.
func isUnfilled(t *air.Table) bool {
	return t.Kind == air.FixedPreprocessed && t.FillPreprocessed == nil
}
