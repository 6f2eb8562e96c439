package riscv_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// Limbs are below w, and m is the greatest.
const (
	w = 1 << 32
	m = w - 1
)

// cheat is a row with a wrong claim that is otherwise filled as well as possible: one reason is left to refuse it.
type cheat struct {
	name  string
	of    instruction.Op // the program of its edge operands; for Illegal, the sample
	table string
	where func(r row) bool // the first row for which it holds
	lie   func(r row)
	// branches says that a branch also takes the other outcome; without a lie every branch does.
	branches bool
	// reason is the constraint of the table or the bus that refuses. The names in with, separated by commas, refuse it
	// too. They are mostly buses, because an honest neighbour does not join in the lie.
	reason, with string
}

// set writes a number, which may be negative.
func (r row) set(name string, v int64) {
	*r.cell(name) = goldilocks.Element(uint64(max(v, -v)))
	if v < 0 {
		*r.cell(name) = r.cell(name).Neg()
	}
}

func (r row) add(name string, v int64) {
	before := *r.cell(name)
	r.set(name, v)
	*r.cell(name) = r.cell(name).Add(before)
}

// flip inverts a bit.
func (r row) flip(name string) { r.set(name, 1-int64(r.get(name))) }

// limb is the value of two columns of 16 bits, and setLimb writes them.
func (r row) limb(name string) uint64 { return r.get(name+"0") + r.get(name+"1")<<16 }

func (r row) setLimb(name string, v uint64) {
	r.set(name+"0", int64(v&0xffff))
	r.set(name+"1", int64(v>>16))
}

// constraint is the value of a constraint in the row.
func (r row) constraint(name string) goldilocks.Element {
	t := r.in.Table
	values := make([]goldilocks.Element, len(t.Graph))
	t.EvaluateRow(r.in.Trace, r.at, make([]goldilocks.Element, 4), values)
	for _, c := range t.Constraints {
		if c.Name == name {
			return values[c.Root]
		}
	}
	panic("table " + t.Name + " has no constraint " + name)
}

// solve finds the value of a cell, in which a constraint is linear, so that it holds.
func (r row) solve(cell, constraint string) {
	at := r.cell(cell)
	*at = 0
	first := r.constraint(constraint)
	*at = 1
	slope := r.constraint(constraint).Sub(first)
	*at = first.Neg().Mul(slope.Inverse())
}

// solveLimb is solve for a limb: if its value fits, it writes the halves; otherwise the first column takes all.
func (r row) solveLimb(name, constraint string) {
	r.set(name+"1", 0)
	r.solve(name+"0", constraint)
	if v := r.get(name + "0"); v < w {
		r.setLimb(name, v)
	}
}

// otherOutcome makes a branch use the program's row of the other outcome.
func otherOutcome(s *subject, r row, outcome string) {
	r.flip(outcome)
	for _, q := range s.program.Guest().Rows {
		if uint64(q.PC) == r.get("pc") && uint64(q.K[0]) == r.get(outcome) {
			*r.cell("npc") = q.K[1]
		}
	}
}

// allCheats are the cheats of all tables.
func allCheats() []cheat {
	return slices.Concat(arithmeticCheats(), productCheats(), divisionCheats(), flowCheats(), memoryCheats(),
		chainCheats(), callCheats(), keccakCheats(), cryptoCheats(), blakeCheats(), fieldCheats(), fp3Cheats())
}

// runs are the runs that cheats change, each made once: of an operation's edge operands, for Illegal the sample, for
// ECALL the run of calls.
type runs map[instruction.Op]*subject

func (r runs) of(t testing.TB, op instruction.Op) *subject {
	t.Helper()
	switch {
	case r[op] != nil:
	case op == instruction.Illegal:
		r[op] = honest(t)
	case op == instruction.ECALL:
		r[op] = runOf(t, callsRun(), nil, nil)
	default:
		r[op] = runOf(t, riscvtest.EdgesOf(op).ELF(false), nil, nil)
	}
	return r[op]
}

// place is the run that a cheat changes, and the row.
func (r runs) place(t testing.TB, c cheat) (*subject, row) {
	t.Helper()
	s := r.of(t, c.of)
	where := s.rows(c.table, c.where)
	if len(where) == 0 {
		t.Fatalf("%s: no row is fit for it", c)
	}
	return s, where[0]
}

func (c cheat) String() string { return c.table + ": " + c.name }

// Each false claim of a row about the instruction set is refused, for the reason that the table's argument gives.
func TestCheats(t *testing.T) {
	runs := runs{}
	seen := map[string]bool{}
	for _, c := range allCheats() {
		if seen[c.String()] {
			t.Errorf("%s: twice", c)
		}
		seen[c.String()] = true
		s, at := runs.place(t, c)
		reason := c.reason
		if !strings.HasPrefix(reason, "bus ") {
			reason = c.table + ": " + reason
		}
		found := s.lie(func() { c.cheat(s, at) }, at)
		if !slices.Contains(found, reason) {
			t.Errorf("%s: refused by %q, want %q", c, found, reason)
		}
		for _, f := range found {
			f, other := strings.CutPrefix(f, "bus ")
			if !other {
				f = strings.TrimPrefix(f, c.table+": ")
			}
			if f != strings.TrimPrefix(c.reason, "bus ") && !slices.Contains(strings.Split(c.with, ", "), f) {
				t.Errorf("%s: refused by %q too, want %q alone", c, f, reason)
			}
		}
	}
}

// cheat applies the lie. A branch's lie needs the program.
func (c *cheat) cheat(s *subject, r row) {
	if c.lie != nil {
		c.lie(r)
	}
	if c.lie != nil && !c.branches {
		return
	}
	for _, outcome := range []string{"e", "lt"} {
		if column(r.in.Table, outcome) >= 0 {
			otherOutcome(s, r, outcome)
		}
	}
	if column(r.in.Table, "inv") >= 0 && r.get("e") == 1 {
		r.set("inv", 0)
	}
	if column(r.in.Table, "d0") >= 0 {
		r.solveLimb("d", "the difference is positive just where it says so")
	}
}
