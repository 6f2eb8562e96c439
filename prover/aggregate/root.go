package aggregate

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/internal/plural"
)

// root joins parts until a root can take them, and proves the run's statement. leaves is the number of parts rounded up
// to a power of two, with which the tree is complete.
func (b *Builder) root(ctx context.Context, c *Child, parts [][]byte, leaves int) (*Child, error) {
	most := mostShards
	if leaves <= most {
		made, err := b.rootOver(ctx, c, parts, leaves)
		if leaves <= 2 || !isTooLarge(err) {
			return made, err
		}
		most = leaves / 2
	}
	arity, err := b.joinArity(ctx, c, parts, most)
	if err != nil {
		return nil, err
	}
	for level := 1; leaves > arity; level++ {
		joined := make([][]byte, (len(parts)+arity-1)/arity)
		err := b.concurrently(ctx, len(joined), func(ctx context.Context, i int) (err error) {
			of := parts[i*arity : min((i+1)*arity, len(parts))]
			what := fmt.Sprintf("%s, join %d of level %d", c.Name, i, level)
			joined[i], err = b.part(ctx, what, joinInput(b.ID, roleJoin, arity, of))
			return err
		})
		if err != nil {
			return nil, err
		}
		parts, leaves = joined, leaves/arity
		arity = min(arity, leaves)
	}
	return b.rootOver(ctx, c, parts, leaves)
}

// rootOver proves the run's statement from parts of the whole run.
func (b *Builder) rootOver(ctx context.Context, c *Child, parts [][]byte, leaves int) (*Child, error) {
	file, err := c.set.Part(0, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	proof, err := b.prove(ctx, c.Name+", root", rootInput(b.ID, leaves, parts, file))
	if err != nil {
		return nil, err
	}
	return &Child{Name: c.Name, Tree: c.Tree, Proof: proof, Aggregated: true}, nil
}

// joinArity returns the largest arity, a power of two, whose first join fits.
func (b *Builder) joinArity(ctx context.Context, c *Child, parts [][]byte, most int) (arity int, err error) {
	for arity = most; ; arity /= 2 {
		first := parts[:min(arity, len(parts))]
		if err = b.Prover.Fits(ctx, b.inner(), joinInput(b.ID, roleJoin, arity, first)); err != nil {
			err = fmt.Errorf("%s, join of %s: %w", c.Name, plural.Of(len(first), "part"), err)
		}
		if arity <= 2 || !isTooLarge(err) {
			return arity, err
		}
	}
}
