package replay

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// guest is a guest within a chunk: it has registers and the log of loaded words, but no memory.
type guest struct {
	program *program.Program
	x       [program.Registers]uint64
	index   uint32
	cycle   uint32
	log     []uint64
}

// start returns the guest at a checkpoint.
func start(p *program.Program, c *record.Checkpoint, log []uint64) (guest, error) {
	index, ok := p.Index(uint64(c.PC))
	if !ok {
		return guest{}, fmt.Errorf("cycle %d: the checkpoint's address %#x has no code", c.Cycle, c.PC)
	}
	g := guest{program: p, index: index, cycle: c.Cycle, log: log}
	copy(g.x[1:32], c.X[1:])
	g.x[program.Sink] = c.X[0]
	return g, nil
}

// registerAccess is an access to a register at a slot of the cycle.
type registerAccess struct {
	register uint8
	slot     uint8
}

// wordAccess is an access to a word of memory.
type wordAccess struct {
	word  uint32
	slot  uint8
	mask  uint8
	value uint64
}

// step is the effects of an instruction.
type step struct {
	cycle         uint32
	row           uint32
	table         table.Table
	code          *program.Code
	a, b          uint64 // rs1, rs2
	old, result   uint64 // rd before and after
	registers     [4]registerAccess
	registerCount int
	words         [accelerator.MaxWords]wordAccess
	wordCount     int
	call          *accelerator.Kind // nil for none, and for a note
	arguments     [3]uint32
	halted        bool
}

func (s *step) touch(register uint8, slot uint8) {
	s.registers[s.registerCount] = registerAccess{register, slot}
	s.registerCount++
}

func (s *step) access(word uint32, slot, mask uint8, value uint64) {
	s.words[s.wordCount] = wordAccess{word, slot, mask, value}
	s.wordCount++
}

// fail returns an error that names the current cycle.
func (g *guest) fail(format string, args ...any) error {
	return fmt.Errorf("cycle %d: %s", g.cycle, fmt.Sprintf(format, args...))
}

// read takes the next word of the log.
func (g *guest) read() (uint64, error) {
	if len(g.log) == 0 {
		return 0, g.fail("the load log ends before the chunk")
	}
	word := g.log[0]
	g.log = g.log[1:]
	return word, nil
}

// step executes one instruction.
func (g *guest) step(s *step) error {
	c := &g.program.Code[g.index]
	s.code, s.cycle, s.row = c, g.cycle, g.program.FirstRow[g.index]
	s.registerCount, s.wordCount, s.halted, s.call = 0, 0, false, nil
	s.a, s.b, s.old, s.result = 0, 0, 0, 0
	if c.Op == instruction.Illegal {
		return g.fail("no instruction at index %d", g.index)
	}
	s.table = g.program.Rows[s.row].Table
	next := g.index + 1
	var err error
	switch shape := record.ShapeOf(s.table); shape {
	case record.ShapePlain:
		if c.Op == instruction.Jump {
			next = c.Target
		}
	case record.ShapeConstant:
		s.result = uint64(c.Imm)
		if c.Op == instruction.Link {
			next = c.Target
		}
		g.write(s)
	case record.ShapeUnary:
		next, err = g.unary(s, next)
	case record.ShapeBinary:
		g.readSources(s)
		second := s.b
		if c.Op.Immediate() {
			second = uint64(c.Imm)
		}
		s.result = instruction.Evaluate(c.Op, s.a, second)
		g.write(s)
	case record.ShapeBranch:
		next, err = g.branch(s, next)
	case record.ShapeLoad:
		err = g.load(s)
	case record.ShapeStore:
		err = g.store(s)
	default:
		err = g.ecall(s)
	}
	if err != nil {
		return err
	}
	if !s.halted {
		g.index = next
	}
	g.cycle++
	return nil
}

// readSources reads rs1 and rs2.
func (g *guest) readSources(s *step) {
	s.a, s.b = g.x[s.code.Rs1], g.x[s.code.Rs2]
	s.touch(s.code.Rs1, 0)
	s.touch(s.code.Rs2, 1)
}

// write writes rd.
func (g *guest) write(s *step) {
	s.old = g.x[s.code.Rd]
	s.touch(s.code.Rd, 3)
	g.x[s.code.Rd] = s.result
}

func (g *guest) unary(s *step, next uint32) (uint32, error) {
	c := s.code
	switch c.Op {
	case instruction.AddIn: // one access, which reads and writes
		s.a = g.x[c.Rd]
		s.result = s.a + uint64(c.Imm)
		g.write(s)
		return next, nil
	case instruction.Move:
		s.a = g.x[c.Rs1]
		s.result = s.a
	case instruction.JALR:
		s.a = g.x[c.Rs1]
		s.result = uint64(c.Target)
		var err error
		if next, err = g.target(s.a + uint64(c.Imm)); err != nil {
			return 0, err
		}
	default:
		s.a = g.x[c.Rs1]
		s.result = instruction.Evaluate(c.Op, s.a, uint64(c.Imm))
	}
	s.touch(c.Rs1, 0)
	g.write(s)
	return next, nil
}

// target returns the index of the code at an indirect jump's target.
func (g *guest) target(address uint64) (uint32, error) {
	index, ok := g.program.Index(address &^ 1)
	if !ok {
		return 0, g.fail("a jump leads to %#x, where no code is", address&^1)
	}
	return index, nil
}

func (g *guest) branch(s *step, next uint32) (uint32, error) {
	c := s.code
	s.a = g.x[c.Rs1]
	s.touch(c.Rs1, 0)
	if c.Op == instruction.Indir {
		return g.target(s.a + uint64(c.Imm))
	}
	if s.table != table.BEQZ {
		s.b = g.x[c.Rs2]
		s.touch(c.Rs2, 1)
	}
	truth, taken := instruction.Compare(c.Op, s.a, s.b)
	if truth {
		s.row++
	}
	if taken {
		next = c.Target
	}
	return next, nil
}
