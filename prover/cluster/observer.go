package cluster

import (
	"context"

	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Observer receives the challenges and proofs that a coordinator accepts. It does not receive proofs that another
// coordinator accepted: the set that [Coordinator.Prove] returns has all proofs.
type Observer interface {
	// Challenges is called when all shards are committed to (see [protocol.Key.Outline]). It is called again if a
	// commitment was found to be wrong, which invalidates the proofs that were accepted before.
	Challenges(set *protocol.Set, common protocol.Common) error

	// Proven is called with each proof that is accepted under the latest challenges.
	Proven(number int, proof *protocol.Proof) error
}

// observeChallenges passes the challenges to the observer unless it knows them.
func (c *Coordinator) observeChallenges(ctx context.Context, state *State, common *protocol.Common) error {
	if c.options.Observer == nil || c.observed == common.Branch {
		return nil
	}
	commitments, err := c.commitments(ctx, state)
	if err != nil {
		return err
	}
	c.observed = common.Branch
	return c.options.Observer.Challenges(c.work.key.Outline(c.work.public(), commitments, common.Salt), *common)
}

func (c *Coordinator) observeProof(number int, proof *protocol.Proof) error {
	if c.options.Observer == nil {
		return nil
	}
	return c.options.Observer.Proven(number, proof)
}
