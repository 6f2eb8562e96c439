package aggregate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// Prover proves runs of the aggregator.
type Prover interface {
	// Fits returns an error that wraps a *[backend.MemoryError] if a proof of the run on a private input does not fit
	// the memory, or [ErrTooLarge] if it fits none.
	Fits(ctx context.Context, input []byte) error
	// Prove proves the run on a private input. what says for people what the run verifies.
	Prove(ctx context.Context, what string, input []byte) ([]byte, error)
	// Use takes parameters from now on: 0 for the smallest proofs, higher ones for larger verifications. It reports
	// whether there are any of this number.
	Use(parameters int) (bool, error)
}

// Builder makes one proof of many.
type Builder struct {
	Prover Prover
	ID     [32]byte // the aggregator's program id
}

// mostTried is the largest number of children that is tried. Their verification must end within the machine's cycles.
const mostTried = 16

// mostShards is the largest number of shards of a lift, and the largest arity of a join.
const mostShards = 4

// Batch proves all children's statements in one proof: in batches whose size the memory decides, then in batches
// of these. The proof of a single child states what the child does.
func (b *Builder) Batch(ctx context.Context, children []*Child) (*Child, error) {
	level := make([]*Child, len(children))
	for i, c := range children {
		level[i] = c
		if c.set != nil {
			var err error
			if level[i], err = b.shards(ctx, c); err != nil {
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

// Squeeze proves again what an aggregation states: with other parameters, the proof is smaller.
func (b *Builder) Squeeze(ctx context.Context, child *Child) (*Child, error) {
	proof, err := b.prove(ctx, child.Name, statementsInput(b.ID, [][]byte{child.Proof}))
	if err != nil {
		return nil, err
	}
	return &Child{Name: child.Name, Tree: child.Tree, Proof: proof, Aggregated: true}, nil
}

// arity is a number of the first children whose batch fits: all, if they fit under any parameters, because each further
// level costs more than it saves.
func (b *Builder) arity(ctx context.Context, level []*Child) (arity int, err error) {
	if len(level) <= mostTried {
		err = b.each(func() error {
			arity = len(level)
			return b.fits(ctx, level)
		})
	}
	if len(level) > mostTried || isTooLarge(err) {
		err = b.each(func() (err error) {
			arity, err = b.search(ctx, level)
			return err
		})
	}
	return arity, err
}

// each tries something under all parameters in turn, until it is not too large.
func (b *Builder) each(try func() error) (err error) {
	for n := 0; ; n++ {
		switch there, failed := b.Prover.Use(n); {
		case failed != nil:
			return failed
		case !there:
			return err
		}
		if err = try(); !isTooLarge(err) {
			return err
		}
	}
}

func (b *Builder) fits(ctx context.Context, children []*Child) error {
	if err := b.Prover.Fits(ctx, statementsInput(b.ID, proofsOf(children))); err != nil {
		return fmt.Errorf("%s: %w", names(children), err)
	}
	return nil
}

// search finds a number of the first children whose batch fits. Where one does not, the next that is tried is as much
// smaller as the memory is.
func (b *Builder) search(ctx context.Context, level []*Child) (int, error) {
	least := 1
	if allAggregated(level) && len(level) > 1 {
		least = 2 // one by itself is no step
	}
	tried := min(len(level), mostTried)
	for {
		err := b.fits(ctx, level[:tried])
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

// prove proves a node that cannot have fewer children: under the parameters of the last node, if it fits.
func (b *Builder) prove(ctx context.Context, what string, input []byte) (proof []byte, err error) {
	try := func() (err error) {
		proof, err = b.Prover.Prove(ctx, what, input)
		return err
	}
	if err = try(); isTooLarge(err) {
		err = b.each(try)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return proof, nil
}

// groups makes one child of each group of neighbours.
func (b *Builder) groups(ctx context.Context, level []*Child, arity int) (made []*Child, err error) {
	count := (len(level) + arity - 1) / arity
	for i := range count {
		group := level[i*len(level)/count : (i+1)*len(level)/count]
		list, err := b.fitting(ctx, group)
		if err != nil {
			return nil, err
		}
		made = append(made, list...)
	}
	return made, nil
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
	proof, err := b.Prover.Prove(ctx, what, statementsInput(b.ID, proofsOf(children)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return &Child{Name: what, Tree: tree, Proof: proof, Aggregated: true}, nil
}

// shards makes one proof of a run in shards: lifts, joins of these, and a root.
func (b *Builder) shards(ctx context.Context, c *Child) (*Child, error) {
	common, err := verify.Together(c.set, c.key)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	total := len(c.set.Shards)
	span := 1
	for span < total {
		span *= 2
	}
	width, err := b.liftWidth(ctx, c, common, min(span, mostShards))
	if err != nil {
		return nil, err
	}
	var parts [][]byte
	for first := 0; first < total; first += width {
		end := min(first+width, total)
		input, err := b.lift(c, common, first, end, width)
		if err != nil {
			return nil, err
		}
		part, err := b.prove(ctx, fmt.Sprintf("%s, %s", c.Name, shardNumbers(first, end)), input)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return b.root(ctx, c, parts, span/width)
}

func (b *Builder) lift(c *Child, common protocol.Common, first, end, width int) ([]byte, error) {
	file, err := c.set.Part(first, end)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	return liftInput(b.ID, &place{len(c.set.Shards), first, width, common}, file), nil
}

// liftWidth is the largest number of shards, a power of two, whose lift fits.
func (b *Builder) liftWidth(ctx context.Context, c *Child, common protocol.Common, most int) (width int, err error) {
	err = b.each(func() (err error) {
		for width = most; ; width /= 2 {
			end := min(width, len(c.set.Shards))
			var input []byte
			if input, err = b.lift(c, common, 0, end, width); err == nil {
				err = b.Prover.Fits(ctx, input)
			}
			if err != nil {
				err = fmt.Errorf("%s, %s: %w", c.Name, shardNumbers(0, end), err)
			}
			if width == 1 || !isTooLarge(err) {
				return err
			}
		}
	})
	return width, err
}

// root joins parts until they have few enough parents, and proves the run's statement. leaves is the number of leaves
// above which the parts are, a power of two.
func (b *Builder) root(ctx context.Context, c *Child, parts [][]byte, leaves int) (*Child, error) {
	arity, err := b.joinArity(ctx, c, parts, min(leaves, mostShards))
	if err != nil {
		return nil, err
	}
	for level := 1; leaves > arity; level++ {
		var joined [][]byte
		for first := 0; first < len(parts); first += arity {
			end := min(first+arity, len(parts))
			what := fmt.Sprintf("%s, join %d of level %d", c.Name, len(joined), level)
			node, err := b.prove(ctx, what, joinInput(b.ID, roleJoin, arity, parts[first:end]))
			if err != nil {
				return nil, err
			}
			joined = append(joined, node)
		}
		parts, leaves = joined, leaves/arity
		arity = min(arity, leaves)
	}
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

// joinArity is the largest arity, a power of two, whose first join fits.
func (b *Builder) joinArity(ctx context.Context, c *Child, parts [][]byte, most int) (arity int, err error) {
	err = b.each(func() (err error) {
		for arity = most; ; arity /= 2 {
			first := parts[:min(arity, len(parts))]
			if err = b.Prover.Fits(ctx, joinInput(b.ID, roleJoin, arity, first)); err != nil {
				err = fmt.Errorf("%s, join of %s: %w", c.Name, plural.Of(len(first), "part"), err)
			}
			if arity <= 2 || !isTooLarge(err) {
				return err
			}
		}
	})
	return arity, err
}

func shardNumbers(first, end int) string {
	if end == first+1 {
		return fmt.Sprintf("shard %d", first)
	}
	return fmt.Sprintf("shards %d to %d", first, end-1)
}

// ErrTooLarge reports that a verification takes more than one proof can prove with any memory.
var ErrTooLarge = errors.New("a verification too large for one proof")

// isTooLarge reports whether an error of a [Prover] is one that fewer children, or a smaller blowup, would spare.
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

// names lists children for people: all of a few, else the first and the last.
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
