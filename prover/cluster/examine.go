package cluster

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// examinedProof identifies a shard's proof and the common challenges it is verified against.
type examinedProof struct {
	object bus.Digest
	shard  int
	branch [32]byte // of the common challenges
}

// examination is the result of verifying a single proof. A proof is verified once, on arrival.
type examination struct {
	done  bool
	proof *protocol.Proof
	err   error
	took  time.Duration
}

// finishedExamination is a completed examination.
type finishedExamination struct {
	which examinedProof
	examination
}

// examineAll starts the examination of all unexamined proofs, concurrently with other work, one on each core.
func (c *Coordinator) examineAll(ctx context.Context, state *State, common *protocol.Common) {
	for i := range state.Shards {
		if state.Shards[i].Proof != nil && state.Shards[i].Proof.Tag == proveTag(common) {
			continue
		}
		for _, report := range c.reports(proveTag(common), i) {
			if report.Proof == nil {
				continue
			}
			which := examinedProof{*report.Proof, i, common.Branch}
			if c.examined[which] == nil {
				c.examined[which] = new(examination)
				go c.examine(ctx, which, state.Shards[i].Cap.Object, common)
			}
		}
	}
}

// examine verifies a proof once a core is free, and sends the result to c.finished.
func (c *Coordinator) examine(ctx context.Context, which examinedProof, mainCap bus.Digest, common *protocol.Common) {
	begun := time.Now()
	select {
	case c.examiners <- struct{}{}:
		defer func() { <-c.examiners }()
	case <-ctx.Done():
		return
	}
	proof, err := c.verified(ctx, which, mainCap, common)
	select {
	case c.finished <- finishedExamination{which, examination{true, proof, err, time.Since(begun)}}:
	case <-ctx.Done():
	}
}

// examining reports whether a proof of a shard is being examined, so that no other proof is needed for now.
func (c *Coordinator) examining(shard int, common *protocol.Common) bool {
	for which, known := range c.examined {
		if which.shard == shard && which.branch == common.Branch && !known.done {
			return true
		}
	}
	return false
}

// verified returns a shard's proof, if it verifies on its own.
func (c *Coordinator) verified(
	ctx context.Context, which examinedProof, mainCap bus.Digest, common *protocol.Common,
) (*protocol.Proof, error) {
	proof, err := c.proof(ctx, which.object)
	if err != nil {
		return nil, err
	}
	public := c.work.public()
	switch {
	case bus.DigestOf(capBytes(proof.MainCap)) != mainCap:
		return nil, &lieError{errors.New("its proof has another cap")}
	case !slices.Equal(proof.Instances, c.work.of(which.shard)):
		return nil, &lieError{errors.New("its proof has other instances than the run")}
	case !slices.Equal(proof.Public.Values, public.Values) || !bytes.Equal(proof.Public.Data, public.Data):
		return nil, &lieError{errors.New("its proof states something else than the run")}
	}
	if err := verify.Shard(proof, which.shard, *common, c.work.key); err != nil {
		return nil, &lieError{fmt.Errorf("its proof does not verify: %w", err)}
	}
	return proof, nil
}

// gather returns the proofs of a job that has all of them. It verifies them together, and verifies each proof that this
// coordinator has not examined because it took over the job.
func (c *Coordinator) gather(ctx context.Context, state *State) (*protocol.Set, error) {
	set := &protocol.Set{Shards: make([]*protocol.Proof, len(state.Shards))}
	for i, shard := range state.Shards {
		if shard.Proof == nil {
			return nil, fmt.Errorf("job %s is done, and shard %d has no proof", c.id, i)
		}
		var err error
		if set.Shards[i], err = c.decoded(ctx, shard.Proof.Object, i); err != nil {
			return nil, fmt.Errorf("job %s, shard %d: %w", c.id, i, err)
		}
	}
	set.Salt = c.work.key.Common(c.work.public(), set.Commitments(), nil).Salt
	common, err := verify.Together(set, c.work.key)
	if err == nil {
		err = c.verifyOthers(set, state, common)
	}
	if err != nil {
		return nil, fmt.Errorf("job %s: %w", c.id, err)
	}
	return set, nil
}

// decoded returns a shard's proof, as decoded by its examination if there was one.
func (c *Coordinator) decoded(ctx context.Context, digest bus.Digest, shard int) (*protocol.Proof, error) {
	for which, known := range c.examined {
		if which.object == digest && which.shard == shard && known.proof != nil {
			return known.proof, nil
		}
	}
	return c.proof(ctx, digest)
}

// verifyOthers verifies the single shards that were not examined under the common challenges.
func (c *Coordinator) verifyOthers(set *protocol.Set, state *State, common protocol.Common) error {
	errs := make([]error, len(set.Shards))
	parallel.New(c.options.Workers).Each(len(set.Shards), func(i int) {
		known := c.examined[examinedProof{state.Shards[i].Proof.Object, i, common.Branch}]
		if known == nil || !known.done || known.err != nil {
			errs[i] = verify.Shard(set.Shards[i], i, common, c.work.key)
		}
	})
	return cmp.Or(errs...)
}

// proof reads and decodes a shard's proof.
func (c *Coordinator) proof(ctx context.Context, digest bus.Digest) (*protocol.Proof, error) {
	encoded, err := c.space.objects.Get(ctx, digest)
	if err != nil {
		return nil, err
	}
	proof := new(protocol.Proof)
	if err := proof.UnmarshalBinary(encoded); err != nil {
		return nil, &lieError{fmt.Errorf("its proof cannot be read: %w", err)}
	}
	return proof, nil
}
