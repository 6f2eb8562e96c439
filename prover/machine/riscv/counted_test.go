package riscv

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/run"
)

// The records of a shard are compared with those that were counted where the run was cut, in both phases.
func TestCountsOfShards(t *testing.T) {
	p, err := New(riscvtest.Guest(t, "fib"))
	if err != nil {
		t.Fatal(err)
	}
	input := run.Input{Data: riscvtest.Numbers(400), MinLogHeight: 8, Cut: run.Even(3)}
	g := p.newGuestRun(input)
	o, _, err := p.observe(t.Context(), g.in, input)
	if err != nil {
		t.Fatal(err)
	}
	c := &cutter{guestRun: g}
	if err := c.cut(o, input.Cut); err != nil {
		t.Fatal(err)
	}
	c.trace = p.again(t.Context(), o, c.ends())
	records := &roll{guestRun: g, ctx: t.Context()}
	for phase, accesses := range []uint64{1, 0, 1} { // with a state in the last
		c.cuts[1].Accesses += accesses
		_, err := records.records(c, 0, false)
		c.cuts[1].Accesses -= accesses
		refused := err != nil && strings.Contains(err.Error(), "other records than were counted")
		if refused != (accesses > 0) || err != nil && !refused {
			t.Errorf("phase %d, %d accesses too many were counted: %v", phase, accesses, err)
		}
	}
	if records.states[0] == nil {
		t.Error("the first shard has no state")
	}
}
