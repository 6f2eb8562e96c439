package circuit

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
)

// CountsOnce reports whether only the last shard's instance of a table counts in a run that is proven in shards. These
// are the tables with exactly one instance in a proof, except lookup tables, which are the same in every shard. See
// docs/spec/protocol.md, section 13.
func CountsOnce(t *air.Table) bool {
	return t.MaxInstances == 1 && len(t.Interactions) > 0 && !answers(t)
}

// answers reports whether the table has preprocessed columns and only answers lookups.
func answers(t *air.Table) bool {
	for i := range t.Interactions {
		if !slices.ContainsFunc(t.Lookups, func(entry air.Entry) bool { return entry.Answers(i) }) {
			return false
		}
	}
	return t.Kind != air.NoPreprocessed
}
