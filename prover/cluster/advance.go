package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// advance returns the next state according to the results received, or nil if nothing changes.
func (c *Coordinator) advance(ctx context.Context, state *State) (*State, error) {
	next := state.clone()
	for i := range next.Shards {
		if err := c.takeCap(ctx, next, i); err != nil {
			return nil, err
		}
	}
	common, err := c.common(ctx, next)
	if err != nil {
		return nil, err
	}
	if common != nil {
		c.clock.charge(&c.clock.metrics.Phase1, c.lastHeard(0))
		if err := c.observeChallenges(ctx, next, common); err != nil {
			return nil, err
		}
		c.examineAll(ctx, next, common)
		for i := range next.Shards {
			if err := c.takeProof(ctx, next, i, common); err != nil {
				return nil, err
			}
		}
		if err := c.conclude(ctx, next); err != nil {
			return nil, err
		}
	}
	if next.Status == statusRunning {
		c.giveUp(next, common)
	}
	if next.Status == state.Status && slices.Equal(next.Shards, state.Shards) {
		return nil, nil
	}
	return next, nil
}

// reports returns the results of a task from seats that are not excluded, in the order of their seats.
func (c *Coordinator) reports(tag string, shard int) (list []seatResult) {
	prefix := resultKey(c.id, tag, shard, "")
	for _, key := range slices.Sorted(maps.Keys(c.results)) {
		seat, ok := strings.CutPrefix(key, prefix)
		if ok && !c.out[seatName(seat).worker()] {
			list = append(list, seatResult{seatName(seat), c.results[key]})
		}
	}
	return list
}

type seatResult struct {
	seat seatName
	*shardResult
}

// accuse shuts a worker out.
func (c *Coordinator) accuse(ctx context.Context, seat seatName, shard int, why string) error {
	c.options.Progress(Event{Shard: shard, What: "excluded: " + why, Worker: seat.shown()})
	c.out[seat.worker()] = true
	if shard >= 0 { // else a node
		why = fmt.Sprintf("shard %d: %s", shard, why)
	}
	return c.space.exclude(ctx, seat.worker(), Exclusion{Why: why, Job: c.id, When: time.Now().UTC()})
}

// takeCap accepts a cap of a shard that has none.
func (c *Coordinator) takeCap(ctx context.Context, state *State, i int) error {
	shard := &state.Shards[i]
	if shard.Cap != nil && shard.Proof == nil && c.out[shard.Cap.By.worker()] {
		shard.Cap = nil // a worker that lied once may have lied here, too
	}
	if shard.Cap != nil {
		return nil
	}
	for _, report := range c.reports(commitTag, i) {
		switch {
		case report.Unable != "":
		case len(report.Cap) != c.capBytes(i):
			why := fmt.Sprintf("its cap has %d bytes, want %d", len(report.Cap), c.capBytes(i))
			if err := c.accuse(ctx, report.seat, i, why); err != nil {
				return err
			}
		default:
			digest, err := c.space.objects.Put(ctx, report.Cap)
			if err != nil {
				return err
			}
			shard.Cap = &Taken{Object: digest, By: report.seat, Tag: commitTag}
			c.took(0, i, commitTag, report)
			c.options.Progress(Event{Shard: i, What: "committed", Worker: report.seat.shown(), Seconds: report.Seconds})
			return nil
		}
	}
	return nil
}

// capBytes returns the length of a shard's main cap.
func (c *Coordinator) capBytes(i int) int {
	shape := c.work.key.Shape(c.work.of(i))
	return 32 << shape.TreeShape(mainPhase).LogCap()
}

// common returns the common challenges of all shards, once all have caps.
func (c *Coordinator) common(ctx context.Context, state *State) (*protocol.Common, error) {
	commitments, err := c.commitments(ctx, state)
	if commitments == nil {
		return nil, err
	}
	common := c.work.key.Common(c.work.public(), commitments, nil)
	return &common, nil
}

// commitments returns the commitments of all shards, or nil while a shard has no cap.
func (c *Coordinator) commitments(ctx context.Context, state *State) ([]protocol.Commitment, error) {
	commitments := make([]protocol.Commitment, len(state.Shards))
	for i, shard := range state.Shards {
		if shard.Cap == nil {
			return nil, nil
		}
		encoded, err := c.capOf(ctx, shard.Cap)
		if err != nil {
			return nil, err
		}
		nodes, err := capNodes(encoded)
		if err != nil {
			return nil, fmt.Errorf("job %s, shard %d: %w", c.id, i, err)
		}
		commitments[i] = protocol.Commitment{Instances: c.work.of(i), MainCap: nodes}
	}
	return commitments, nil
}

// capOf returns the bytes of a cap, which are usually in a result.
func (c *Coordinator) capOf(ctx context.Context, taken *Taken) ([]byte, error) {
	for _, result := range c.results {
		if len(result.Cap) > 0 && bus.DigestOf(result.Cap) == taken.Object {
			return result.Cap, nil
		}
	}
	return c.space.objects.Get(ctx, taken.Object)
}

// takeProof accepts a proof of a shard that has none for these challenges.
func (c *Coordinator) takeProof(ctx context.Context, state *State, i int, common *protocol.Common) error {
	shard, tag := &state.Shards[i], proveTag(common)
	if shard.Proof != nil && shard.Proof.Tag == tag {
		return nil
	}
	shard.Proof = nil
	for _, report := range c.reports(tag, i) {
		switch {
		case report.Unable != "":
			continue
		case report.Proof == nil:
			if changed, err := c.disagree(ctx, shard, i, report); err != nil || changed {
				return err
			}
			continue
		}
		which := examinedProof{*report.Proof, i, common.Branch}
		found := c.examined[which]
		if !found.done {
			continue
		}
		if isLie(found.err) {
			if err := c.accuse(ctx, report.seat, i, found.err.Error()); err != nil {
				return err
			}
			continue
		}
		if found.err != nil {
			delete(c.examined, which) // the next coordinator of the job tries again
			return found.err
		}
		shard.Proof = &Taken{Object: *report.Proof, By: report.seat, Tag: tag}
		c.took(1, i, tag, report)
		c.clock.metrics.Shards[i].Verify = found.took
		if err := c.observeProof(i, found.proof); err != nil {
			return err
		}
		c.options.Progress(Event{Shard: i, What: "proven", Worker: report.seat.shown(), Seconds: report.Seconds})
		return nil
	}
	return nil
}

// conclude ends a job that has all proofs.
func (c *Coordinator) conclude(ctx context.Context, state *State) error {
	for _, shard := range state.Shards {
		if shard.Proof == nil {
			return nil
		}
	}
	_, err := c.gather(ctx, state)
	if rejected := new(verify.RejectError); !errors.As(err, &rejected) {
		state.Status = statusDone
		return err
	}
	return c.audit(ctx, state, err)
}

// unableSeats is the number of seats that may be unable to do a task before the job fails.
const unableSeats = 3

// giveUp fails a job that workers report they cannot do.
func (c *Coordinator) giveUp(state *State, common *protocol.Common) {
	for i, shard := range state.Shards {
		tag := commitTag
		switch {
		case shard.Cap != nil && common == nil, shard.Proof != nil, common != nil && c.examining(i, common):
			continue
		case common != nil:
			tag = proveTag(common)
		}
		unable, silent := c.unable(tag, i), c.silent(tag, i)
		if silent < c.options.Silent && (len(unable) == 0 || len(unable) < unableSeats && c.able(unable)) {
			continue
		}
		var reasons []string
		if silent > 0 {
			reasons = append(reasons, fmt.Sprintf("%d seats that had the task fell silent", silent))
		}
		for _, seat := range slices.Sorted(maps.Keys(unable)) {
			reasons = append(reasons, fmt.Sprintf("%s: %s", seat.shown(), unable[seat]))
		}
		state.Status, state.Why = statusFailed, fmt.Sprintf("shard %d: %s", i, strings.Join(reasons, "; "))
		return
	}
}

// unable returns the seats that reported they could not do a task, and why.
func (c *Coordinator) unable(tag string, shard int) map[seatName]string {
	list, prefix := map[seatName]string{}, resultKey(c.id, tag, shard, "")
	for key, result := range c.results {
		if seat, ok := strings.CutPrefix(key, prefix); ok && result.Unable != "" {
			list[seatName(seat)] = result.Unable
		}
	}
	return list
}

// silent counts the seats whose last presence names the task, and which are not alive.
func (c *Coordinator) silent(tag string, shard int) (count int) {
	for name, s := range c.seats {
		if s.Job == c.id && s.Tag == tag && s.Shard == shard && !c.alive(name) {
			count++
		}
	}
	return count
}

// able reports whether a live seat has not reported that it is unable.
func (c *Coordinator) able(unable map[seatName]string) bool {
	for seat := range c.seats {
		if _, not := unable[seat]; !not && c.alive(seat) {
			return true
		}
	}
	return false
}

// alive reports whether a seat's presence was received recently.
func (c *Coordinator) alive(seat seatName) bool {
	return time.Since(c.seats[seat].at) < presences*c.space.lease
}
