package cluster

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
)

const mainPhase = protocol.Main

// judgeSeat is the source of caps that the coordinator computed itself. No worker can have that name, because it begins
// with the client's role.
const judgeSeat seatName = ClientRole + ".coordinator.judge"

// judge commits to a shard, and returns the cap's bytes.
func (c *Coordinator) judge(ctx context.Context, i int) ([]byte, error) {
	if c.options.Judge == nil {
		return nil, fmt.Errorf("job %s, shard %d: workers disagree, and this coordinator cannot judge", c.id, i)
	}
	c.options.Progress(Event{Shard: i, What: "workers disagree: committing here"})
	failed := func(err error) ([]byte, error) {
		return nil, fmt.Errorf("job %s, shard %d: workers disagree, and judging fails: %w", c.id, i, err)
	}
	shard, err := c.work.filled(ctx, i)
	if err != nil {
		return failed(err)
	}
	prover, err := prove.NewProver(c.work.key, c.work.program.Fillers(), c.options.Judge,
		backend.Budget{Reserve: shard.Instances()})
	if err != nil {
		return failed(err)
	}
	defer prover.Close()
	begun, err := prover.BeginShard(ctx, shard, i, prove.Options{})
	if err != nil {
		return failed(err)
	}
	defer begun.Close()
	return capBytes(begun.Commitment().MainCap), nil
}

// disagree decides between the recorded cap of a shard and the different cap of a seat that was to prove it. It shuts
// out the workers that sent a wrong cap, and reports whether the recorded cap has changed.
func (c *Coordinator) disagree(
	ctx context.Context, shard *ShardState, i int, report seatResult,
) (changed bool, err error) {
	known := shard.Cap.Object
	if report.Cap == nil || bus.DigestOf(report.Cap) == known {
		return false, c.accuse(ctx, report.seat, i, "it returned neither a proof nor another cap")
	}
	truth, err := c.judge(ctx, i)
	if err != nil {
		return false, err
	}
	right := bus.DigestOf(truth)
	if bus.DigestOf(report.Cap) != right {
		if err := c.accuse(ctx, report.seat, i, "it commits to other columns than those of the run"); err != nil {
			return false, err
		}
	}
	return c.settle(ctx, shard, i, truth)
}

// settle compares the recorded cap of a shard with the correct cap. If they differ, it excludes the sender and records
// the correct cap.
func (c *Coordinator) settle(ctx context.Context, shard *ShardState, i int, truth []byte) (changed bool, err error) {
	if bus.DigestOf(truth) == shard.Cap.Object {
		return false, nil
	}
	if err := c.accuse(ctx, shard.Cap.By, i, "its cap is not that of the run's columns"); err != nil {
		return false, err
	}
	digest, err := c.space.objects.Put(ctx, truth)
	if err != nil {
		return false, err
	}
	*shard = ShardState{Cap: &Taken{Object: digest, By: judgeSeat, Tag: commitTag}}
	return true, nil
}

// audit finds the cause of proofs that verify singly but not together, by committing to every shard.
func (c *Coordinator) audit(ctx context.Context, state *State, why error) error {
	found := false
	for i := range state.Shards {
		truth, err := c.judge(ctx, i)
		if err != nil {
			return err
		}
		changed, err := c.settle(ctx, &state.Shards[i], i, truth)
		if err != nil {
			return err
		}
		found = found || changed
	}
	if !found {
		state.Status, state.Why = statusFailed, fmt.Sprintf("every worker did what it should, and still: %v", why)
	}
	return nil
}
