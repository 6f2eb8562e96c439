package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Set verifies a run in shards against the key (see [Proof]). It verifies every shard, in parallel, and checks that the
// claimed sums cancel over all shards.
func Set(set *protocol.Set, key *protocol.Key) error { return unlimited().verifySet(set, key) }

// SetOn is Set on a pool's workers, with cancellation (see [ProofOn]).
func SetOn(ctx context.Context, pool *parallel.Pool, set *protocol.Set, key *protocol.Key) error {
	return effort{ctx, pool}.verifySet(set, key)
}

func (e effort) verifySet(set *protocol.Set, key *protocol.Key) error {
	list, common, err := e.together(set, key)
	if err != nil {
		return err
	}
	errs := make([]error, len(list))
	e.pool.Each(len(list), func(i int) {
		v := list[i]
		errs[i] = v.underCommon(i, common)
		*v = verification{} // free it: with hundreds of shards, this adds up
	})
	return cmp.Or(errs...)
}

// Together performs the checks that [Shard] does not: that the shards have the same statement and that their buses
// balance. The shards are a valid proof if, in addition, each passes Shard with the returned common challenges.
func Together(set *protocol.Set, key *protocol.Key) (protocol.Common, error) {
	_, common, err := unlimited().together(set, key)
	return common, err
}

// together performs all checks before the common challenges, samples the challenges, and checks the balance.
func (e effort) together(set *protocol.Set, key *protocol.Key) (list []*verification, common protocol.Common,
	err error) {
	if set == nil || slices.Contains(set.Shards, nil) {
		return nil, common, rejectf(CheckShards, "the set or one of its shards is nil")
	}
	if n := len(set.Shards); n < protocol.MinShards || n > protocol.MaxShards {
		return nil, common, rejectf(CheckShards, "%d shards, want %d to %d", n, protocol.MinShards, protocol.MaxShards)
	}
	public := set.Shards[0].Public
	commitments := set.Commitments()
	for i, proof := range set.Shards {
		if err := e.err(); err != nil {
			return nil, common, err
		}
		list = append(list, &verification{proof: proof, key: key, effort: e})
		if err := list[i].statement(); err != nil {
			return nil, common, ofShard(i, err)
		}
		if !slices.Equal(proof.Public.Values, public.Values) || !slices.Equal(proof.Public.Data, public.Data) {
			return nil, common, ofShard(i, rejectf(CheckPublic, "its public values or data differ from those of shard 0"))
		}
	}
	messages := key.Machine.Messages(public)
	if err := busBounds(key.Machine, set.Instances(), messages); err != nil {
		return nil, common, err
	}
	for i, v := range list {
		if err := e.err(); err != nil {
			return nil, common, err
		}
		if err := v.form(); err != nil {
			return nil, common, ofShard(i, err)
		}
	}
	if common, err = key.CommonUnder(set.Salt, public, commitments, nil); err != nil {
		return nil, common, reject(CheckChallenges, err)
	}
	return list, common, balance(messages, common.LogUp, counting(list))
}

// Shard verifies the shard with the given number, with the common challenges, except that its claimed sums cancel with
// those of the other shards. It identifies an invalid shard while a set is being gathered.
func Shard(proof *protocol.Proof, number int, common protocol.Common, key *protocol.Key) error {
	v := &verification{proof: proof, key: key, effort: unlimited()}
	if err := v.statement(); err != nil {
		return ofShard(number, err)
	}
	if err := v.form(); err != nil {
		return ofShard(number, err)
	}
	return v.underCommon(number, common)
}

// underCommon performs the checks after the common challenges.
func (v *verification) underCommon(number int, common protocol.Common) error {
	v.script, v.logUp = protocol.NewShardScript(protocol.NewTranscript(v.key.Params.ShardLabel()), v.key, common.Branch,
		number, v.proof.Salt), common.LogUp
	return ofShard(number, v.argument())
}

// counting returns the claimed sums of all shards, without the sums that are ignored.
func counting(list []*verification) (claimed []goldilocks.Extension) {
	for i, v := range list {
		for k, instance := range v.shape.Claiming() {
			if i == len(list)-1 || !circuit.CountsOnce(v.shape.Table(instance)) {
				claimed = append(claimed, v.proof.Claimed[k])
			}
		}
	}
	return claimed
}

// ofShard adds the shard to a rejection.
func ofShard(i int, err error) error {
	var rejection *RejectError
	if errors.As(err, &rejection) {
		return &RejectError{rejection.Check, fmt.Errorf("shard %d: %w", i, rejection.Err)}
	}
	return err
}
