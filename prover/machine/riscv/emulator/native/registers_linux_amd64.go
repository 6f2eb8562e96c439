package native

import (
	"cmp"
	"math/bits"
	"slices"
)

// hosts are the processor's registers that stand for guest registers.
var hosts = [...]byte{5, 8, 9, 10, 11, 12, 13, 14, 15}

// assignment are the operands of a guest's registers: a few are the processor's, the others stay in the state.
type assignment [64]operand

// assign gives the processor's registers to those guest registers that are accessed most often, by how often each
// is. x0 gets none.
func assign(accesses *[64]uint64) *assignment {
	a := new(assignment)
	order := make([]uint8, 0, len(a))
	for r := range a {
		a[r] = place(uintptr(8 * r))
		if r > 0 {
			order = append(order, uint8(r))
		}
	}
	slices.SortStableFunc(order, func(r, s uint8) int { return cmp.Compare(accesses[s], accesses[r]) })
	for i, number := range hosts {
		a[order[i]] = register(number)
	}
	return a
}

// inRegisters is how many accesses are to the processor's registers.
func (a *assignment) inRegisters(accesses *[64]uint64) (n uint64) {
	for r, o := range a {
		if !o.inState {
			n += accesses[r]
		}
	}
	return n
}

// accesses are how often each register is accessed where each code is executed so often.
func accesses(uses, executed []uint64) *[64]uint64 {
	list := new([64]uint64)
	for i, n := range executed {
		for set := uses[i]; n > 0 && set != 0; set &= set - 1 {
			list[bits.TrailingZeros64(set)] += n
		}
	}
	return list
}

// Ran notes how often a run executed each code, and entered each block.
func (c *Code) Ran(executed, entered []uint64) {
	if c != nil {
		c.last = profile{executed: executed, entered: slices.Clone(entered[:len(executed)]), targets: c.targets}
	}
}

// Fitted are translations for further runs of a program that goes as the last one did: themselves, or where other
// guest registers should be the processor's, or blocks were translated one by one, new ones of the same blocks.
func (c *Code) Fitted() *Code {
	if c == nil || c.last.executed == nil {
		return c
	}
	blocks := c.translated()
	seen := c.last
	c.last = profile{}
	counts := accesses(c.uses, seen.executed)
	total := uint64(0)
	for _, n := range counts {
		total += n
	}
	better := assign(counts)
	if len(blocks) == 0 || c.linked != nil && better.inRegisters(counts)-c.registers.inRegisters(counts) <= total/16 {
		return c
	}
	for _, n := range seen.executed {
		seen.total += n
	}
	fitted := newCode(c.program, c.uses, better, seen)
	if fitted == nil || !fitted.link(blocks) {
		return c
	}
	return fitted
}

// Pattern is what further translations of the same blocks are made from, for runs of the program beside one another.
type Pattern struct {
	of     *Code // of which only what never changes is read
	seen   profile
	blocks []uint32
}

// Pattern is that of the translations as they are; nil of none.
func (c *Code) Pattern() *Pattern {
	if c == nil {
		return nil
	}
	seen := c.profile
	seen.targets = slices.Clone(seen.targets)
	return &Pattern{c, seen, c.translated()}
}

// New are translations of the pattern; nil where there can be none. Bare ones run faster and keep the guest alone: what
// is read is not logged, nothing is counted, and no word becomes a touched one.
func (p *Pattern) New(bare bool) *Code {
	if p == nil {
		return nil
	}
	seen := p.seen
	seen.targets = slices.Clone(seen.targets)
	code := newCode(p.of.program, p.of.uses, p.of.registers, seen)
	if code == nil {
		return nil
	}
	code.bare = bare
	if !code.link(p.blocks) {
		return nil
	}
	return code
}

// translated are the first codes of all blocks.
func (c *Code) translated() (blocks []uint32) {
	for i, entry := range c.table {
		if entry != c.missing {
			blocks = append(blocks, uint32(i))
		}
	}
	return blocks
}
