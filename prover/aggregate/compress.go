package aggregate

import (
	"context"
	"fmt"
)

// worth is the least predicted reduction of a proof, in percent, for which a round is worthwhile. Predictions are
// within 2 %.
const worth = 3

// Compress proves the statement of an aggregation again, in rounds, as long as the proof becomes smaller: a smaller
// proof takes fewer cycles to verify, so the tables of the next round have fewer rows. Each round takes the first
// parameters that fit the memory.
func (b *Builder) Compress(ctx context.Context, child *Child) (*Child, error) {
	for round := 1; ; round++ {
		next, err := b.nextRound(ctx, child)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", child.Name, err)
		}
		if next == nil || next.size*100 > len(child.Proof)*(100-worth) {
			return child, nil
		}
		what := fmt.Sprintf("%s, round %d", child.Name, round)
		proof, err := b.Prover.Prove(ctx, next.parameters, what, next.input)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", what, err)
		}
		child = &Child{Name: child.Name, Tree: child.Tree, Proof: proof, Aggregated: true}
	}
}

// A round is one repeated proof of a child's statement.
type round struct {
	parameters int
	input      []byte
	size       int // predicted, of the proof
}

// nextRound returns the round with the smaller predicted proof, with or without accelerator calls for rows, under the
// first parameters that fit; nil if none fit.
func (b *Builder) nextRound(ctx context.Context, child *Child) (best *round, err error) {
	for n := range b.Prover.Parameters() {
		for _, spares := range []bool{true, false} {
			input := statementsInput(b.ID, [][]byte{child.Proof})
			if spares {
				input = spared(input)
			}
			if err := b.Prover.Fits(ctx, n, input); isTooLarge(err) {
				continue
			} else if err != nil {
				return nil, err
			}
			size, err := b.Prover.Size(ctx, n, input)
			if err != nil {
				return nil, err
			}
			if best == nil || size < best.size {
				best = &round{n, input, size}
			}
		}
		if best != nil {
			return best, nil
		}
	}
	return nil, nil
}
