package machine

import (
	"context"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
)

// CountsOnce reports whether a run that is proven in shards has one instance of the table that counts, the last shard's:
// those of tables that have one in a proof, but for lookup tables, which are the same wherever they are.
// See docs/protocol.md, section 13.
func (t *Table) CountsOnce() bool {
	return t.MaxInstances == 1 && len(t.Interactions) > 0 && !t.answers()
}

// answers reports whether the table has preprocessed columns and does nothing but answer lookups.
func (t *Table) answers() bool {
	for i := range t.Interactions {
		if !slices.ContainsFunc(t.Lookups, func(entry air.Entry) bool { return entry.Answers(i) }) {
			return false
		}
	}
	return t.Kind != air.NoPreprocessed
}

// Shard is an execution that is one of the shards of a run. Each has instances of all that the machine has.
type Shard interface {
	Execution

	// Last reports whether what a run has once counts in this shard: in the last one.
	Last() bool

	// Unanswered are the messages on lookup buses of the instances that do not count: no table may count them as asked.
	Unanswered() []Message
}

// Sharded is a program whose runs can be proven in shards.
type Sharded interface {
	Program

	// Shards runs the program on an input and cuts the run into shards, in their order. Cut says into how many, of a run
	// of a size. Cancelling the context ends a long run.
	Shards(ctx context.Context, input Input, cut func(size int) int) ([]Shard, error)
}
