package native

import (
	"cmp"
	"math/bits"
	"slices"
)

// hosts lists the processor registers that hold guest registers.
var hosts = [...]byte{5, 8, 9, 10, 11, 12, 13, 14, 15}

// assignment maps guest registers to operands: a few to processor registers, the others to the state.
type assignment [64]operand

// assign assigns the processor's registers to the guest registers with the most accesses. x0 gets none.
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

// inRegisters returns the number of accesses to guest registers in processor registers.
func (a *assignment) inRegisters(accesses *[64]uint64) (n uint64) {
	for r, o := range a {
		if !o.inState {
			n += accesses[r]
		}
	}
	return n
}

// accesses returns the number of accesses to each register, given the number of executions of each code.
func accesses(uses, executed []uint64) *[64]uint64 {
	list := new([64]uint64)
	for i, n := range executed {
		for set := uses[i]; n > 0 && set != 0; set &= set - 1 {
			list[bits.TrailingZeros64(set)] += n
		}
	}
	return list
}

// Ran records how often a run executed each code and entered each block.
func (c *Code) Ran(executed, entered []uint64) {
	if c != nil {
		c.last = profile{executed: executed, entered: slices.Clone(entered[:len(executed)]), targets: c.targets}
	}
}

// Fitted returns translations for further runs of a program that behaves as in the last run. It returns new
// translations of the same blocks if these were translated one by one or if another assignment of registers is better,
// and c otherwise.
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

// Pattern is a template for further translations of the same blocks, for concurrent runs of the program.
type Pattern struct {
	of     *Code // only its immutable fields are read
	seen   profile
	blocks []uint32
}

// Pattern returns a template of the current translations, or nil if c is nil.
func (c *Code) Pattern() *Pattern {
	if c == nil {
		return nil
	}
	seen := c.profile
	seen.targets = slices.Clone(seen.targets)
	return &Pattern{c, seen, c.translated()}
}

// New returns translations according to the pattern, or nil if that is not possible. Bare translations run faster, but
// maintain only the guest's state: they do not log reads, count anything, or mark words as touched.
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

// translated returns the first codes of all translated blocks.
func (c *Code) translated() (blocks []uint32) {
	for i, entry := range c.table {
		if entry != c.missing {
			blocks = append(blocks, uint32(i))
		}
	}
	return blocks
}
