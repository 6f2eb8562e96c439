package cli

import (
	"context"
	"errors"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/shard"
)

// expectedCuts predicts the cuts of the next run, of another input, from the previous run. The shards of that run can
// then be proven while it is running.
type expectedCuts struct {
	seed   uint64    // of the previous run
	size   int       // of the previous run; 0 if there was none
	shares []float64 // fractions of the size at which its shards ended, without the last
}

// learn records where a run was cut. A run that was cut as predicted updates only the size.
func (c *expectedCuts) learn(seed uint64, list []*machine.Shard) {
	last := len(list) - 1
	c.seed, c.size = seed, list[last].End
	if len(c.shares) == last {
		return
	}
	c.shares = c.shares[:0]
	for _, s := range list[:last] {
		c.shares = append(c.shares, float64(s.End)/float64(c.size))
	}
}

// end returns the size before which a shard is predicted to end, 0 for the run's end.
func (c *expectedCuts) end(shard int) int {
	if shard >= len(c.shares) {
		return 0
	}
	return int(c.shares[shard] * float64(c.size))
}

// attempt proves the run of a seed in shards. If a synthetic input differs from the previous one, its run is cut while
// it is running. If that does not give the wanted number of shards, the program is run again, and the run is then
// known.
func (e *shardEngine) attempt(ctx context.Context, seed uint64) (*protocol.Set, *shard.Metrics, error) {
	e.begunAgain, e.recordedAgain, e.recorded = 0, 0, 0
	if e.work.synthetic() && e.expected.size > 0 && seed != e.expected.seed {
		cut, count := run.Ends(e.expected.end), len(e.expected.shares)+1
		if cycles := e.work.shards.cycles; cycles > 0 {
			cut, count = run.Ends(func(shard int) int { return (shard + 1) * cycles }), 0
		}
		set, metrics, err := e.once(ctx, seed, cut, count)
		if !errors.Is(err, run.ErrSpeculation) && !errors.Is(err, shard.ErrCount) {
			return set, metrics, err
		}
		e.begunAgain++
	}
	return e.once(ctx, seed, e.work.shards.cut(e.parts), 0)
}

// once runs the program, cuts its run and proves the shards. If count is not 0 and differs from the number of shards,
// the error wraps [run.ErrSpeculation].
func (e *shardEngine) once(ctx context.Context, seed uint64, cut run.Cut,
	count int) (*protocol.Set, *shard.Metrics, error) {
	r, err := e.work.cutRun(ctx, seed, cut, false)
	if err != nil {
		return nil, nil, err
	}
	known := r.Instances != nil
	var list []*machine.Shard
	set, metrics, err := e.prover.Prove(ctx, e.work.counted(r, count, &list))
	if err != nil {
		return nil, nil, err
	}
	report := r.Report()
	e.recordedAgain += report.RecordedAgain
	e.recorded += report.Recorded
	if known {
		e.expected.shares = nil
	}
	e.expected.learn(seed, list)
	if known && e.work.shards.parts == timedParts {
		e.recut(report.Remaining, metrics)
	}
	return set, metrics, e.work.check(func() circuit.Public { return set.Shards[0].Public })
}

// counted returns the same run with its shards recorded in list. If count is not 0 and the number of shards differs,
// the last shard is an error.
func (w *workload) counted(r *run.Run, count int, list *[]*machine.Shard) *run.Run {
	counted := *r
	counted.Shards = func(yield func(*machine.Shard, error) bool) {
		for shard, err := range r.Shards {
			if err != nil {
				err = w.failed(err)
			} else if *list = append(*list, shard); count > 0 && shard.Last && len(*list) != count {
				shard, err = nil, run.ErrSpeculation
			}
			if !yield(shard, err) {
				return
			}
		}
	}
	return &counted
}
