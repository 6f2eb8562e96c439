package circuit

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
)

// CountsOnce reports whether a run that is proven in shards has one instance of a table that counts, the last
// shard's: those of tables that have one in a proof, but for lookup tables, which are the same wherever they are. See
// docs/spec/protocol.md, section 13.
func CountsOnce(t *air.Table) bool {
	return t.MaxInstances == 1 && len(t.Interactions) > 0 && !answers(t)
}

// answers reports whether the table has preprocessed columns and does nothing but answer lookups.
func answers(t *air.Table) bool {
	for i := range t.Interactions {
		if !slices.ContainsFunc(t.Lookups, func(entry air.Entry) bool { return entry.Answers(i) }) {
			return false
		}
	}
	return t.Kind != air.NoPreprocessed
}
