package replay

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// counts are the results of the first pass for a chunk.
type counts struct {
	rows     [table.Count]uint16
	accesses uint16
	// When each register is accessed first and last, in slots from the chunk's first, counted from 1; 0 for never.
	first, last [program.Registers]uint16
}

// add counts an instruction; cycle is its distance from the chunk's first.
func (c *counts) add(s *step, cycle uint32) {
	c.rows[s.table]++
	if s.call != nil {
		c.rows[s.call.Table]++
	}
	c.accesses += uint16(s.wordCount)
	for _, r := range s.registers[:s.registerCount] {
		slot := uint16(4*cycle + uint32(r.slot) + 1)
		c.last[r.register] = slot
		if c.first[r.register] == 0 {
			c.first[r.register] = slot
		}
	}
}

// refreshGap is the longest time between two accesses to a register.
const refreshGap = 1 << 20

// refreshes returns the number of refreshes before an access whose register was last accessed at a time.
func refreshes(last, now uint64) uint32 { return uint32((now - last - 1) / refreshGap) }

// clock is the time of every register's last access.
type clock [program.Registers]uint64

// pass advances the clock over a chunk whose first cycle is given. refresh is called for each register
// that needs refreshes, with their number and the time of the token that the first of them receives.
func (t *clock) pass(c *counts, cycle uint32, refresh func(register int, last uint64, n uint32)) {
	for r, first := range c.first {
		if first == 0 {
			continue
		}
		if n := refreshes(t[r], 4*uint64(cycle)+uint64(first)-1); n > 0 {
			refresh(r, t[r], n)
		}
		t[r] = 4*uint64(cycle) + uint64(c.last[r]) - 1
	}
}
