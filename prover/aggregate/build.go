package aggregate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/chiasmus/chiasmus/prover/backend"
)

// Prover proves runs of the aggregator. Its methods may be called concurrently.
type Prover interface {
	// Parameters returns the number of parameter sets. Set 0 makes the smallest proofs; higher numbers allow larger
	// verifications.
	Parameters() int
	// Lanes returns the number of proofs that are worth starting at once.
	Lanes() int
	// Plan runs the verification of a private input without a proof, and prepares the run for Fits and Prove. It may be
	// called while all lanes are in use. Its error names the reason if the aggregator rejects the input.
	Plan(ctx context.Context, parameters int, input []byte) error
	// Fits returns an error that wraps a *[backend.MemoryError] if a proof of the run on a private input does not fit the
	// memory, or [ErrTooLarge] if no memory would suffice.
	Fits(ctx context.Context, parameters int, input []byte) error
	// Size predicts the size of the proof of the run on a private input, in bytes.
	Size(ctx context.Context, parameters int, input []byte) (int, error)
	// Prove proves the run on a private input. what describes the verified proofs, for messages.
	Prove(ctx context.Context, parameters int, what string, input []byte) ([]byte, error)
}

// Builder makes one proof of many. It must not be copied.
type Builder struct {
	Prover Prover
	ID     [32]byte // the aggregator's program id

	parameters atomic.Int32 // of the latest nodes that may be the last
}

// mostTried is the largest number of children that is tried. Their verification must end within the machine's cycle
// limit.
const mostTried = 16

// Batch proves all children's statements in one proof: in batches whose size the memory determines, then in batches of
// these. The proof of a single child has the child's statement.
func (b *Builder) Batch(ctx context.Context, children []*Child) (*Child, error) {
	level := make([]*Child, len(children))
	for i, c := range children {
		level[i] = c
		if c.set != nil {
			var err error
			if level[i], err = b.lifted(ctx, c); err != nil {
				return nil, err
			}
		}
	}
	for len(level) > 1 || !level[0].Aggregated {
		arity, err := b.arity(ctx, level)
		if err != nil {
			return nil, err
		}
		if level, err = b.groups(ctx, level, arity); err != nil {
			return nil, err
		}
	}
	return level[0], nil
}

// Reprove proves the statement of an aggregation again with the current parameters, for a smaller proof.
func (b *Builder) Reprove(ctx context.Context, child *Child) (*Child, error) {
	proof, err := b.prove(ctx, child.Name, statementsInput(b.ID, [][]byte{child.Proof}))
	if err != nil {
		return nil, err
	}
	return &Child{Name: child.Name, Tree: child.Tree, Proof: proof, Aggregated: true}, nil
}

// arity returns the number of children of the first batch. It is all children if they fit under any parameters, because
// each further level costs more than it saves.
func (b *Builder) arity(ctx context.Context, level []*Child) (arity int, err error) {
	if len(level) <= mostTried {
		err = b.each(func(parameters int) error {
			arity = len(level)
			return b.fits(ctx, parameters, level)
		})
	}
	if len(level) > mostTried || isTooLarge(err) {
		err = b.each(func(parameters int) (err error) {
			arity, err = b.search(ctx, parameters, level)
			return err
		})
	}
	return arity, err
}

// each calls try with all parameters in turn, until the verification is not too large. The last parameters tried remain
// in use.
func (b *Builder) each(try func(parameters int) error) (err error) {
	for n := range b.Prover.Parameters() {
		b.parameters.Store(int32(n))
		if err = try(n); !isTooLarge(err) {
			return err
		}
	}
	return err
}

func (b *Builder) fits(ctx context.Context, parameters int, children []*Child) error {
	if err := b.Prover.Fits(ctx, parameters, statementsInput(b.ID, proofsOf(children))); err != nil {
		return fmt.Errorf("%s: %w", names(children), err)
	}
	return nil
}

// search returns a number of first children whose batch fits. If a batch does not fit, search shrinks it in proportion
// to the available memory, or halves it.
func (b *Builder) search(ctx context.Context, parameters int, level []*Child) (int, error) {
	least := 1
	if allAggregated(level) && len(level) > 1 {
		least = 2 // a batch of one would make no progress
	}
	tried := min(len(level), mostTried)
	for {
		err := b.fits(ctx, parameters, level[:tried])
		if err == nil || !isTooLarge(err) || tried == least {
			return tried, err
		}
		smaller := tried / 2
		var short *backend.MemoryError
		if errors.As(err, &short) && short.NeedBytes > 0 {
			smaller = int(float64(tried) * float64(short.HaveBytes) / float64(short.NeedBytes))
		}
		tried = max(least, min(smaller, tried-1))
	}
}

func allAggregated(level []*Child) bool {
	for _, c := range level {
		if !c.Aggregated {
			return false
		}
	}
	return true
}

// prove proves a node that cannot have fewer children, under the parameters of the latest nodes if it fits, else under
// the first parameters that fit.
func (b *Builder) prove(ctx context.Context, what string, input []byte) (proof []byte, err error) {
	try := func(parameters int) (err error) {
		proof, err = b.Prover.Prove(ctx, parameters, what, input)
		return err
	}
	if err = try(int(b.parameters.Load())); isTooLarge(err) {
		err = b.each(try)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return proof, nil
}

// inner returns the number of the parameters for parts: the set that allows the largest verifications, and so costs the
// prover the least. A part is never the last proof, so its size does not matter.
func (b *Builder) inner() int { return b.Prover.Parameters() - 1 }

// part proves a node of a run in shards, except the root.
func (b *Builder) part(ctx context.Context, what string, input []byte) ([]byte, error) {
	proof, err := b.Prover.Prove(ctx, b.inner(), what, input)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return proof, nil
}

// concurrently calls do for 0 to count-1, with up to Lanes calls at once. After the first error it begins no further
// calls.
func (b *Builder) concurrently(ctx context.Context, count int, do func(ctx context.Context, i int) error) error {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(b.Prover.Lanes())
	for i := range count {
		group.Go(func() error {
			if within.Err() != nil {
				return context.Cause(within)
			}
			return do(within, i)
		})
	}
	return group.Wait()
}

// groups makes one child of each group of neighbours.
func (b *Builder) groups(ctx context.Context, level []*Child, arity int) ([]*Child, error) {
	made := make([][]*Child, (len(level)+arity-1)/arity)
	count := len(made)
	err := b.concurrently(ctx, count, func(ctx context.Context, i int) (err error) {
		made[i], err = b.fitting(ctx, level[i*len(level)/count:(i+1)*len(level)/count])
		return err
	})
	return slices.Concat(made...), err
}

// fitting makes one child of a group, or one of each half if the group does not fit.
func (b *Builder) fitting(ctx context.Context, group []*Child) ([]*Child, error) {
	if len(group) == 1 && group[0].Aggregated {
		return group, nil
	}
	made, err := b.batch(ctx, group)
	if err == nil {
		return []*Child{made}, nil
	}
	if !isTooLarge(err) || len(group) == 1 {
		return nil, err
	}
	var both []*Child
	for _, half := range [][]*Child{group[:len(group)/2], group[len(group)/2:]} {
		list, err := b.fitting(ctx, half)
		if err != nil {
			return nil, err
		}
		both = append(both, list...)
	}
	return both, nil
}

// batch proves the statements of children in one node.
func (b *Builder) batch(ctx context.Context, children []*Child) (*Child, error) {
	tree := children[0].Tree
	if len(children) > 1 {
		tree = new(Tree)
		for _, c := range children {
			tree.Children = append(tree.Children, c.Tree)
		}
	}
	what := names(children)
	proof, err := b.Prover.Prove(ctx, int(b.parameters.Load()), what, statementsInput(b.ID, proofsOf(children)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return &Child{Name: what, Tree: tree, Proof: proof, Aggregated: true}, nil
}

// ErrTooLarge reports that a verification is larger than a proof can be with any memory.
var ErrTooLarge = errors.New("a verification too large for one proof")

// isTooLarge reports whether fewer children, or a smaller blowup, would avoid an error of a [Prover].
func isTooLarge(err error) bool {
	var memory *backend.MemoryError
	var height *backend.HeightError
	return errors.As(err, &memory) || errors.As(err, &height) || errors.Is(err, ErrTooLarge)
}

func proofsOf(children []*Child) [][]byte {
	list := make([][]byte, len(children))
	for i, c := range children {
		list[i] = c.Proof
	}
	return list
}

// names lists children for messages: all of a few, else the first and the last.
func names(children []*Child) string {
	const few = 3
	list := make([]string, len(children))
	for i, c := range children {
		list[i] = c.Name
	}
	if len(list) > few {
		return fmt.Sprintf("%s ... %s (%d proofs)", list[0], list[len(list)-1], len(list))
	}
	return strings.Join(list, " + ")
}
