package cli

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/machine"
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

// nextRun describes a run that begins.
type nextRun struct {
	seed      uint64
	predicted bool // it is cut while it is running
	count     int  // of shards that it is predicted to have; 0 for any number
}

// begin cuts the next run. If its synthetic input differs from the previous one, the run is cut while it is running.
// If that does not give the wanted number of shards, the program is run again, and the run is then known.
func (s *shardProver) begin(input *run.Input, speculate bool) {
	s.next = nextRun{seed: input.Seed}
	if !speculate || !s.work.synthetic() || s.expected.size == 0 || input.Seed == s.expected.seed {
		input.Cut = s.work.shards.cut(s.parts)
		return
	}
	s.next.predicted = true
	if cycles := s.work.shards.cycles; cycles > 0 {
		input.Cut = run.Ends(func(shard int) int { return (shard + 1) * cycles })
		return
	}
	input.Cut, s.next.count = run.Ends(s.expected.end), len(s.expected.shares)+1
}

// counted returns the same run with its shards recorded in list. If the number of shards is not the predicted one, the
// last shard is [run.ErrSpeculation].
func (s *shardProver) counted(r *run.Run, list *[]*machine.Shard) *run.Run {
	counted := *r
	counted.Shards = func(yield func(*machine.Shard, error) bool) {
		for shard, err := range r.Shards {
			if err != nil {
				err = s.work.failed(err)
			} else if *list = append(*list, shard); s.next.count > 0 && shard.Last && len(*list) != s.next.count {
				shard, err = nil, run.ErrSpeculation
			}
			if !yield(shard, err) {
				return
			}
		}
	}
	return &counted
}

// mispredicted turns the error of a run in too few or too many shards into [run.ErrSpeculation] if the run's cuts were
// predicted.
func (s *shardProver) mispredicted(err error) error {
	if s.next.predicted && errors.Is(err, shard.ErrCount) {
		return fmt.Errorf("%w: %w", run.ErrSpeculation, err)
	}
	return err
}

// learn predicts the cuts of the next run from this run.
func (s *shardProver) learn(r *run.Run, list []*machine.Shard, metrics *shard.Metrics) {
	if !s.next.predicted {
		s.expected.shares = nil
	}
	s.expected.learn(s.next.seed, list)
	if !s.next.predicted && s.work.shards.parts == timedParts {
		s.recut(r.Report().Remaining, metrics)
	}
}
