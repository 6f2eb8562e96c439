package native

import (
	"math"
	"slices"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// way is how a block continues after an instruction.
type way uint8

const (
	straight way = iota // always at the next instruction
	turns               // at the next instruction, unless a branch leaves the block
	guards              // at the next instruction, unless the block is left before an indirect jump
	ends                // not at all: this is the last instruction
)

// route holds the instructions of a block, and how the block continues after each.
type route struct {
	codes []uint32
	ways  []way
}

// leastShare bounds how rare code in a block may be: a block extends to code only if that is executed at least
// 1/leastShare as often as the block.
const leastShare = 8

// hotShare bounds how rare a hot block may be: a block extends past branches and indirect jumps only if it is entered
// at least once per hotShare instructions of the run. Few blocks at the random positions where chunks end are entered
// that often.
const hotShare = 1 << 11

// mostInLoop is the largest number of instructions in a block that contains its loop twice.
const mostInLoop = 48

// follow returns the instructions from an index on, up to the first whose successor is unknown or was visited already.
// A short loop is repeated once, and in bare translations a few times. In hot code, a branch is predicted to go where
// it went more often in the last run.
func (c *Code) follow(index uint32) (r route) {
	t := trail{code: c, first: index}
	loop := 0 // the length of one that ends where it began
	for len(r.codes) < mostInstructions && translated(&c.program.Code[index]) {
		if index == t.first && loop == 0 {
			loop = len(r.codes)
		}
		again := index == t.first && len(r.codes)+loop <= mostInLoop && t.hot()
		around := c.bare && loop > 0 && index != t.first && index == r.codes[len(r.codes)-loop]
		if !again && !around && slices.Contains(r.codes, index) {
			break
		}
		next, goes := t.next(index)
		r.codes, r.ways = append(r.codes, index), append(r.ways, goes)
		if goes == ends {
			return r
		}
		index = next
	}
	if n := len(r.codes); n > 0 {
		last := c.program.Code[r.codes[n-1]].Op
		if r.ways[n-1] != straight || last == instruction.JALR || last == instruction.Indir {
			r.ways[n-1] = ends
		}
	}
	return r
}

// trail is the path of a block, with the registers whose contents are known there.
type trail struct {
	code  *Code
	first uint32
	known [guestRegisters]struct {
		is    bool
		value uint64
	}
}

// next returns where a block continues after an instruction.
func (t *trail) next(index uint32) (next uint32, goes way) {
	c := &t.code.program.Code[index]
	switch op := c.Op; {
	case op.Branch():
		return t.turn(index, c)
	case op == instruction.JALR || op == instruction.Indir:
		next, goes = t.lead(index, c)
		if op == instruction.JALR {
			t.set(c.Rd, uint64(c.Target))
		}
		return next, goes
	case op == instruction.Jump:
		return c.Target, straight
	case op == instruction.Link:
		t.set(c.Rd, uint64(c.Imm))
		return c.Target, straight
	case op == instruction.Const:
		t.set(c.Rd, uint64(c.Imm))
	case op == instruction.Move:
		t.known[c.Rd] = t.known[c.Rs1]
	case op != instruction.Nop && !op.Store():
		t.known[c.Rd].is = false
	}
	return index + 1, straight
}

func (t *trail) set(r uint8, value uint64) { t.known[r].is, t.known[r].value = true, value }

// turn returns the more frequent target of a branch in hot code.
func (t *trail) turn(index uint32, c *program.Code) (next uint32, goes way) {
	if !t.hot() {
		return 0, ends
	}
	next = index + 1
	if t.code.executed[c.Target] > t.code.executed[next] {
		next = c.Target
	}
	if t.code.executed[next] < t.code.executed[t.first]/leastShare {
		return 0, ends
	}
	return next, turns
}

// lead returns the target of an indirect jump, if it is known or was always the same.
func (t *trail) lead(index uint32, c *program.Code) (next uint32, goes way) {
	if known := t.known[c.Rs1]; known.is {
		if next, ok := t.code.program.Index((known.value + uint64(c.Imm)) &^ 1); ok {
			return next, straight
		}
	}
	next = t.code.targets[index]
	address, _ := t.code.program.Address(next)
	if !t.hot() || index == t.first || next == unseen || next == several || address > math.MaxInt32 {
		return 0, ends
	}
	return next, guards
}

// hot reports whether the block is entered often enough to extend it past branches.
func (t *trail) hot() bool {
	c := t.code
	return c.entered != nil && c.entered[t.first] > c.total/hotShare
}

// translated reports whether blocks can contain an instruction. Others are interpreted.
func translated(c *program.Code) bool {
	switch c.Op {
	case instruction.Illegal, instruction.ECALL, instruction.MULHSU:
		return false
	case instruction.Jump, instruction.Link:
		return c.Target != program.Outside
	}
	return !c.Op.Branch() || c.Target != program.Outside
}
