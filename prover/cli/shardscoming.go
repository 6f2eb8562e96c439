package cli

import (
	"context"
	"errors"
	"iter"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/shard"
)

// foretoldCuts are where the next run is cut if it is one of another input, which can only be told by the one before:
// then its shards are proven while it goes on.
type foretoldCuts struct {
	seed   uint64    // of the run before
	size   int       // of it; 0 where nothing is known
	shares []float64 // of that, at which its shards ended but for the last
	// How often the last proof's run was executed once more, because it was cut otherwise than was foretold.
	again uint64
}

// learn notes where a run was cut. One that was foretold says only how long runs are.
func (c *foretoldCuts) learn(seed uint64, list []machine.Shard) {
	c.seed = seed
	var ends []int
	for _, s := range list {
		placed, ok := s.(machine.Placed)
		if !ok {
			return
		}
		ends = append(ends, placed.End())
	}
	last := len(ends) - 1
	if c.size = ends[last]; len(c.shares) != last {
		c.shares = c.shares[:0]
		for _, end := range ends[:last] {
			c.shares = append(c.shares, float64(end)/float64(c.size))
		}
	}
}

// end is the size before which a shard ends, 0 for that of the run.
func (c *foretoldCuts) end(shard int) int {
	if shard >= len(c.shares) {
		return 0
	}
	return int(c.shares[shard] * float64(c.size))
}

// attempt proves the run of a seed in shards: those of drawn inputs while it goes on, and where it was foretold
// otherwise than it goes once more, for it is known then.
func (e *shardEngine) attempt(ctx context.Context, seed uint64) (*protocol.Set, *shard.Metrics, error) {
	e.foretold.again = 0
	if streamed, ok := e.work.program.(machine.Streamed); ok && e.work.synthetic() && e.foretold.size > 0 &&
		seed != e.foretold.seed {
		set, metrics, err := e.proveComing(ctx, streamed, seed)
		if !errors.Is(err, machine.ErrForetold) && !errors.Is(err, shard.ErrCount) {
			return set, metrics, err
		}
		e.foretold.again++
	}
	list, err := e.work.cutShards(ctx, seed, e.parts)
	if err != nil {
		return nil, nil, err
	}
	set, metrics, err := e.prover.Prove(ctx, list)
	if err != nil {
		return nil, nil, err
	}
	e.foretold.shares = nil
	e.foretold.learn(seed, list)
	if e.work.shards.parts == timedParts {
		e.recut(list, metrics)
	}
	return set, metrics, nil
}

// proveComing proves a run while it goes on.
func (e *shardEngine) proveComing(ctx context.Context, program machine.Streamed,
	seed uint64) (*protocol.Set, *shard.Metrics, error) {
	end, count := e.foretold.end, len(e.foretold.shares)+1
	if cycles := e.work.shards.cycles; cycles > 0 {
		end, count = func(shard int) int { return (shard + 1) * cycles }, 0
	}
	var list []machine.Shard
	shards := program.ShardsAsTheyCome(ctx, e.work.inputOf(seed), end)
	set, metrics, err := e.prover.ProveComing(ctx, e.work.counted(shards, count, &list))
	if err != nil {
		return nil, nil, err
	}
	e.foretold.learn(seed, list)
	return set, metrics, e.work.check(func() circuit.Public { return set.Shards[0].Public })
}

// counted are shards that come, noted in a list. Where they are to be so many and are not, the last one is an error.
func (w *workload) counted(shards iter.Seq2[machine.Shard, error], count int,
	list *[]machine.Shard) iter.Seq2[machine.Shard, error] {
	return func(yield func(machine.Shard, error) bool) {
		for shard, err := range shards {
			if err != nil {
				err = w.failed(err)
			} else if *list = append(*list, shard); count > 0 && shard.Last() && len(*list) != count {
				shard, err = nil, machine.ErrForetold
			}
			if !yield(shard, err) {
				return
			}
		}
	}
}
