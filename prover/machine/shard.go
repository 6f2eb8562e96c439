package machine

import (
	"context"
	"fmt"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"iter"
	"slices"
	"time"
)

// Shard is an execution that is one of the shards of a run. Each has instances of all that the machine has.
type Shard interface {
	Execution

	// Last reports whether what a run has once counts in this shard: in the last one.
	Last() bool

	// Unanswered are the messages on lookup buses of the instances that do not count: no table may count them as asked.
	Unanswered() []circuit.Message
}

// Placed is a shard that knows where its run is cut behind it.
type Placed interface {
	Shard

	// End is the size of the run up to the shard's end.
	End() int
}

// Sharded is a program whose runs can be proven in shards.
type Sharded interface {
	Program

	// Shards runs the program on an input and cuts the run into shards, in their order. Cut says into which, of a run of a
	// size. Cancelling the context ends a long run.
	Shards(ctx context.Context, input Input, cut Cut) ([]Shard, error)
}

// ShardPlanner is a program that can tell into which shards a run is cut and keep nothing of it.
type ShardPlanner interface {
	Sharded

	// PlanShards are the instances of what Shards returns, and what the run states. Shards of the same input may then be
	// had sooner.
	PlanShards(ctx context.Context, input Input, cut Cut) ([][]circuit.Instance, circuit.Public, error)
}

// Streamed is a program whose runs can be proven in shards that come while it goes on.
type Streamed interface {
	Sharded

	// ShardsAsTheyCome runs the program on an input and hands over each shard when the run has passed its end, the last
	// one when the run has ended. End is the size before which a shard ends, which grows; 0 is the run's end. What is
	// stated is waited for. Behind an error comes nothing.
	ShardsAsTheyCome(ctx context.Context, input Input, end func(shard int) (size int)) iter.Seq2[Shard, error]
}

// Supposing is a program that may begin a run by what it supposes of it, and records it once more where that was wrong.
type Supposing interface {
	Program

	// RecordedAgain is how many runs were, so far.
	RecordedAgain() uint64
}

// Cut says into which shards a run of a size is cut: for each what it has of the run's work, against the others.
type Cut func(size int) (parts []int)

// mostPart bounds parts, so that sums of them are small numbers.
const mostPart = 1 << 30

// Parts are those of a run of a size, each at least 1.
func (c Cut) Parts(size int) ([]int, error) {
	parts := c(size)
	for i, part := range parts {
		if part < 1 || part > mostPart {
			return nil, fmt.Errorf("shard %d has part %d of the run, want 1 to %d", i, part, mostPart)
		}
	}
	return parts, nil
}

// Even cuts any run into so many shards that have as much of it as each other.
func Even(count int) Cut { return func(int) []int { return EvenParts(count) } }

// EvenParts are those of so many shards; none for a number below 1.
func EvenParts(count int) []int { return slices.Repeat([]int{1}, max(count, 0)) }

// Timed is an execution that may go on when it is handed over.
type Timed interface {
	Execution

	// Ran is how long it went on, when it has ended; 0 of one that had ended before.
	Ran() time.Duration
}
