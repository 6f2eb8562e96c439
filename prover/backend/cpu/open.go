package cpu

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Rows of a block of the long sums over columns: the weights of a block stay
// in the first-level cache while the columns stream by.
const sumBlock = 1 << 10

// Open evaluates columns by the barycentric formula on the coset s*H, the
// first n entries of an extension:
//
//	f(z) = (z^n - s^n) / (n s^n) * sum of f(x) x/(z-x) over x in s*H,
//
// so all columns of a height are dot products with the same weights.
func (b *Backend) Open(ctx backend.Context, committed backend.Commitments, z goldilocks.Extension) (openings backend.Openings, err error) {
	c, err := b.context(ctx)
	if err != nil {
		return openings, err
	}
	own, err := c.commitments(committed)
	if err != nil {
		return openings, err
	}
	for phase, commitment := range own {
		if commitment == nil {
			continue
		}
		openings[phase] = make([]backend.TableOpenings, len(c.shape.Machine.Tables))
		for i, table := range c.shape.Machine.Tables {
			openings[phase][i] = backend.TableOpenings{
				Current: make([]goldilocks.Extension, len(commitment.slab.tables[i])),
				Next:    make([]goldilocks.Extension, len(backend.NextColumns(table, backend.Phase(phase)))),
			}
		}
	}
	for _, logHeight := range classes(&c.shape) {
		current, next := c.selectColumns(own, openings, logHeight)
		c.evaluate(logHeight, z, current)
		c.evaluate(logHeight, z.MulBase(goldilocks.RootOfUnity(logHeight)), next)
	}
	return openings, nil
}

// weighed is a committed column with the place of a value that belongs to it:
// its opening, or its DEEP coefficient.
type weighed struct {
	column []goldilocks.Element
	value  *goldilocks.Extension
}

// selectColumns lists the columns of a height with their values at z, and the
// next-row columns with their values at g*z.
func (c *proverContext) selectColumns(own [backend.PhaseCount]*commitment, values backend.Openings, logHeight int) (current, next []weighed) {
	for phase, commitment := range own {
		if commitment == nil {
			continue
		}
		for i, table := range c.shape.Machine.Tables {
			if c.shape.LogHeights[i] != logHeight {
				continue
			}
			extensions := commitment.slab.tables[i]
			for j := range extensions {
				current = append(current, weighed{extensions[j], &values[phase][i].Current[j]})
			}
			for k, j := range backend.NextColumns(table, backend.Phase(phase)) {
				next = append(next, weighed{extensions[j], &values[phase][i].Next[k]})
			}
		}
	}
	return current, next
}

// evaluate sets the values of columns to their values at a point.
func (c *proverContext) evaluate(logHeight int, point goldilocks.Extension, list []weighed) {
	if len(list) == 0 {
		return
	}
	n := 1 << logHeight
	lent := c.workspace.take(vectorElements(n))
	defer c.workspace.give(&lent)
	weights := lent.vector(n)
	distances := newFreeList(func() *distanceBlock { return newDistanceBlock(sumBlock) })
	c.blocks(n, sumBlock, func(lo, hi int) {
		b, x := distances.take(), c.points[lo:hi]
		defer distances.put(b)
		weights.Slice(lo, hi).MulBase(b.inverses(x, point), x)
	})
	// x/(z-x) is minus the weight.
	shiftPower := goldilocks.Generator.Exp(uint64(n))
	scale := goldilocks.FromBase(shiftPower).Sub(point.Exp(uint64(n))).
		MulBase(shiftPower.Mul(goldilocks.Element(n)).Inverse())
	c.pool.For(len(list), 8, func(lo, hi int) {
		for _, w := range list[lo:hi] {
			*w.value = goldilocks.Extension{}
		}
		for start := 0; start < n; start += sumBlock {
			end := min(start+sumBlock, n)
			block := weights.Slice(start, end)
			for _, w := range list[lo:hi] {
				*w.value = w.value.Add(block.Dot(w.column[start:end]))
			}
		}
		for _, w := range list[lo:hi] {
			*w.value = w.value.Mul(scale)
		}
	})
}
