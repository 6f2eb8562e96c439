package emulator

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// untilHot is the number of runs after which a program without loops is fully translated.
const untilHot = 17

// outcome is everything that is reported about a run.
type outcome struct {
	result    *Result
	trace     *record.Trace
	registers []uint64 // by chunk
	failure   string
}

func outcomeOf(e *Emulator, in memory.Inputs, options Options) (o outcome) {
	options.Observe = func(c *Chunk) error {
		o.registers = append(o.registers, c.Registers)
		return nil
	}
	var err error
	if o.result, o.trace, err = e.Record(context.Background(), in, options); err != nil {
		o.failure = err.Error()
	}
	return o
}

// sameAsInterpreted runs a program until it is translated, and compares the last run with an interpreted one.
func sameAsInterpreted(t *testing.T, name string, p *program.Program, in memory.Inputs, options Options) *Emulator {
	t.Helper()
	e := New(p)
	for range untilHot {
		_, _ = e.Run(context.Background(), in, options)
	}
	compareRuns(t, name, e, in, options)
	return e
}

// sameTrace reports whether traces have the same contents, in whatever memory.
func sameTrace(a, b *record.Trace) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.Equal(a.Checkpoints, b.Checkpoints) && slices.Equal(a.Log, b.Log)
}

// compareRuns compares a run with an interpreted run.
func compareRuns(t *testing.T, name string, e *Emulator, in memory.Inputs, options Options) {
	t.Helper()
	got := outcomeOf(e, in, options)
	options.Interpret = true
	want := outcomeOf(e, in, options)
	if got.failure != want.failure {
		t.Errorf("%s: %q, interpreted %q", name, got.failure, want.failure)
	}
	if !reflect.DeepEqual(got.registers, want.registers) {
		t.Errorf("%s: other registers are accessed than when it is interpreted", name)
	}
	if !sameTrace(got.trace, want.trace) {
		t.Errorf("%s: another trace than when it is interpreted", name)
	}
	if got.result != nil && want.result != nil {
		got.result.Memory, want.result.Memory = clean(got.result.Memory), clean(want.result.Memory)
		if !reflect.DeepEqual(got.result, want.result) {
			t.Errorf("%s: another result than when it is interpreted", name)
		}
	}
}

// clean returns the memory without pages that were never accessed, whose contents are the initial ones.
func clean(m *memory.Memory) *memory.Memory {
	touched := new(memory.Memory)
	m.EachTouched(func(first, last uint32, _ int) {
		for word := first; word <= last; word++ {
			touched.Store(word, m.Load(word))
		}
	})
	return touched
}

func needTranslations(t *testing.T, p *program.Program) {
	t.Helper()
	if New(p).take() == nil {
		t.Skip("there are no translations on this system")
	}
}

// Every operation is translated, except for the few left to the interpreter, and behaves on all edges as in the
// interpreter.
func TestTranslatedOperations(t *testing.T) {
	for _, op := range riscvtest.Ops() {
		p := riscvtest.Load(t, riscvtest.EdgesOf(op).ELF(false))
		needTranslations(t, p)
		e := sameAsInterpreted(t, op.String(), p, memory.Inputs{}, Options{})
		inBlocks := map[instruction.Op]bool{}
		for first := range p.Code {
			for _, i := range e.idle[0].Block(uint32(first)) {
				inBlocks[p.Code[i].Op] = true
			}
		}
		for i := range p.Code {
			switch o := p.Code[i].Op; o {
			case instruction.Illegal, instruction.ECALL, instruction.MULHSU:
				if inBlocks[o] {
					t.Errorf("%s is in a block", o)
				}
			default:
				if !inBlocks[o] {
					t.Errorf("%s is in no block of the program for %s", o, op)
				}
			}
		}
	}
}

func TestTranslatedPrograms(t *testing.T) {
	for seed := range uint64(6) {
		p := riscvtest.Load(t, riscvtest.Random(seed, 3000).ELF(false))
		needTranslations(t, p)
		sameAsInterpreted(t, "random", p, memory.Inputs{}, Options{})
	}
	for _, c := range riscvtest.Cases() {
		sameAsInterpreted(t, c.Name, riscvtest.Load(t, riscvtest.Guest(t, c.Guest)), c.Inputs, Options{Limit: 30_000})
	}
	for _, guest := range []string{"hashes", "ecdsa"} {
		in := memory.Inputs{Private: make([]byte, 72), Public: make([]byte, 96)}
		sameAsInterpreted(t, guest, riscvtest.Load(t, riscvtest.Guest(t, guest)), in, Options{})
	}
}

// rarities returns a loop in which blocks are left in the middle for every possible reason.
func rarities() *riscvtest.Program {
	p := riscvtest.NewProgram(make([]byte, riscvtest.DataBytes))
	p.Op(instruction.ADDI, 5, 0, 0, 700)
	p.Op(instruction.ADDI, 7, 0, 0, 11)
	p.Op(instruction.SLLI, 7, 7, 0, 28)         // the public output
	p.Op(instruction.LUI, 8, 0, 0, 0x0500_0000) // memory that has no pages yet
	begin := len(p.Text)
	p.Op(instruction.ANDI, 9, 5, 0, 3)
	p.Op(instruction.ADDI, 9, 9, 0, -1) // -1 to 2
	for _, op := range []instruction.Op{instruction.DIV, instruction.REM, instruction.DIVU, instruction.REMU,
		instruction.DIVW, instruction.REMW, instruction.DIVUW, instruction.REMUW, instruction.MULHSU} {
		p.Op(op, 10, 5, 9, 0)
		p.Op(instruction.ADD, 11, 11, 10, 0)
	}
	p.Op(instruction.ADD, 6, riscvtest.DataRegister, 9, 0)
	p.Op(instruction.SD, 0, 6, 11, 8) // at all but two alignments
	p.Op(instruction.LD, 12, 6, 0, 5)
	p.Op(instruction.LHU, 13, 6, 0, 15)
	p.Op(instruction.SW, 0, 6, 12, 14)
	p.Op(instruction.SD, 0, 7, 5, 0) // an access whose time is recorded
	p.Op(instruction.LD, 14, 7, 0, 0)
	p.Op(instruction.SLLI, 15, 5, 0, 13)
	p.Op(instruction.ADD, 15, 15, 8, 0)
	p.Op(instruction.LD, 16, 15, 0, 0) // from a new page every few rounds
	p.Op(instruction.AUIPC, 31, 0, 0, 0)
	p.Op(instruction.JALR, 1, 31, 0, 12)
	p.Op(instruction.ADDI, 3, 3, 0, 1) // jumped over
	p.Op(instruction.ADDI, 5, 5, 0, -1)
	p.Op(instruction.BNE, 0, 5, 0, int64(4*(begin-len(p.Text))))
	p.Op(instruction.SD, 0, 7, 0, 0)
	return p
}

// far returns a loop that accesses memory far apart through one pointer: plain memory and the public output.
func far() *riscvtest.Program {
	p := riscvtest.NewProgram(nil)
	p.Op(instruction.ADDI, 5, 0, 0, 40)
	p.Op(instruction.ADDI, 6, 0, 0, 11)
	p.Op(instruction.SLLI, 6, 6, 0, 28)
	p.Op(instruction.LUI, 7, 0, 0, 0x1000)
	p.Op(instruction.SUB, 6, 6, 7, 0)
	p.Op(instruction.SUB, 6, 6, 7, 0)
	begin := len(p.Text)
	p.Op(instruction.ADDI, 7, 6, 0, 2040)
	for range 3 {
		p.Op(instruction.ADDI, 7, 7, 0, 2040)
	}
	p.Op(instruction.LD, 8, 6, 0, 0)
	p.Op(instruction.LD, 9, 7, 0, 1040)
	p.Op(instruction.ADDI, 5, 5, 0, -1)
	p.Op(instruction.BNE, 0, 5, 0, int64(4*(begin-len(p.Text))))
	return p
}

// Blocks that are left in the middle are counted exactly, and runs end at their limit wherever it falls in a block.
func TestTranslatedRarities(t *testing.T) {
	p := riscvtest.Load(t, rarities().ELF(false))
	needTranslations(t, p)
	e := sameAsInterpreted(t, "rarities", p, memory.Inputs{}, Options{})
	for limit := uint64(5000); limit < 5040; limit++ {
		compareRuns(t, "limited rarities", e, memory.Inputs{}, Options{Limit: limit})
	}
	sameAsInterpreted(t, "far accesses", riscvtest.Load(t, far().ELF(false)), memory.Inputs{}, Options{})
}

// A trap in the middle of a translated block equals that of an interpreted run.
func TestTranslatedTraps(t *testing.T) {
	for name, last := range map[string]func(p *riscvtest.Program){
		"a load outside":     func(p *riscvtest.Program) { p.Op(instruction.LD, 7, 6, 0, 0) },
		"a store outside":    func(p *riscvtest.Program) { p.Op(instruction.SB, 0, 6, 5, 0) },
		"a jump outside":     func(p *riscvtest.Program) { p.Op(instruction.JALR, 1, 6, 0, 4) },
		"a jump to data":     func(p *riscvtest.Program) { p.Op(instruction.JALR, 1, riscvtest.DataRegister, 0, 0) },
		"a misaligned jump":  func(p *riscvtest.Program) { p.Op(instruction.JALR, 1, 0, 0, 0x402) },
		"an unknown call":    func(p *riscvtest.Program) { p.Op(instruction.ECALL, 0, 0, 0, 0) },
		"no instruction":     func(p *riscvtest.Program) { p.Text = append(p.Text, 0) },
		"a branch outside":   func(p *riscvtest.Program) { p.Op(instruction.BEQ, 0, 0, 0, -4000) },
		"a misaligned link":  func(p *riscvtest.Program) { p.Op(instruction.JAL, 1, 0, 0, 2) },
		"a wide load at end": func(p *riscvtest.Program) { p.Op(instruction.LD, 7, 8, 0, -2048) },
	} {
		w := riscvtest.NewProgram(nil)
		w.Op(instruction.ADDI, 5, 0, 0, 40)
		w.Op(instruction.ADDI, 8, 0, 0, 1)
		w.Op(instruction.SLLI, 8, 8, 0, 32)
		w.Op(instruction.ADDI, 9, 8, 0, -2048)
		w.Op(instruction.LD, 7, 9, 0, -8) // the last word, which creates its page
		w.Op(instruction.ADD, 6, riscvtest.DataRegister, 0, 0)
		w.Op(instruction.LD, 7, 6, 0, 0)
		w.Op(instruction.ADDI, 5, 5, 0, -1)
		w.Op(instruction.BNE, 0, 5, 0, -8)
		w.Op(instruction.ADDI, 6, 0, 0, 8)
		last(w)
		p := riscvtest.Load(t, w.ELF(false))
		needTranslations(t, p)
		e := sameAsInterpreted(t, name, p, memory.Inputs{}, Options{})
		var trap *Trap
		if _, err := e.Run(context.Background(), memory.Inputs{}, Options{}); !errors.As(err, &trap) {
			t.Errorf("%s: %v, want a trap", name, err)
		}
	}
}
