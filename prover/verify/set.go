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

// VerifySet checks a run that is proven in shards against the key, as [Verify] checks a proof: every shard by itself,
// side by side, and that what they claim cancels over all of them.
func Set(set *protocol.Set, key *protocol.Key) error { return unlimited().verifySet(set, key) }

// VerifySetOn is VerifySet on a pool's workers, and until a context ends, as [VerifyOn].
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
		*v = verification{} // of hundreds of shards a little each
	})
	return cmp.Or(errs...)
}

// VerifyTogether checks what [VerifyShard] leaves out: that the shards are of one statement and balance. They are a
// proof where each verifies by itself, too, under what is returned here, which all of them draw.
func Together(set *protocol.Set, key *protocol.Key) (protocol.Common, error) {
	_, common, err := unlimited().together(set, key)
	return common, err
}

// together checks all but what follows the challenges that shards have in common, and draws those.
func (e effort) together(set *protocol.Set, key *protocol.Key) (list []*verification, common protocol.Common,
	err error) {
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
			return nil, common, ofShard(i, rejectf(CheckPublic, "it states something else than shard 0"))
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

// VerifyShard checks one shard of a run by itself, the one of a number, under what all shards drew: all of it but
// whether its claimed sums cancel with those of the others. Who gathers a set learns from it which shard is no proof.
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

// underCommon checks what follows the challenges that shards have in common.
func (v *verification) underCommon(number int, common protocol.Common) error {
	v.script, v.logUp = protocol.NewShardScript(protocol.NewTranscript(v.key.Params.ShardLabel()), v.key, common.Branch,
		number, v.proof.Salt), common.LogUp
	return ofShard(number, v.argument())
}

// counting are the claimed sums of the instances that count, of all shards.
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

// ofShard says of which shard a rejection is.
func ofShard(i int, err error) error {
	var rejection *RejectError
	if errors.As(err, &rejection) {
		return &RejectError{rejection.Check, fmt.Errorf("shard %d: %w", i, rejection.Err)}
	}
	return err
}
