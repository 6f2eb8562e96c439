package replay_test

import (
	"context"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// boundaryRows counts the rows of the boundary as the model does: step by step.
func boundaryRows(s *record.Set) int {
	rows, last := 1, int(memory.FirstWord)-1
	words := []int{}
	for _, w := range s.Touched {
		words = append(words, int(w.Word))
	}
	for _, w := range append(words, int(memory.EndWord)) {
		for w-last > 1<<20 {
			last += 1 << 20
			rows++
		}
		rows++
		last = w
	}
	return rows
}

// token is what an access to a register receives or sends.
type token struct {
	register uint32
	time     uint32
	value    uint64
}

// tokens is the balance of the registers' bus: what is sent counts up, what is received down.
type tokens map[token]int

func (b tokens) access(register uint8, previous, time uint32, old, value uint64) {
	b[token{uint32(register), previous, old}]--
	b[token{uint32(register), time, value}]++
}

// The accesses to registers of all records, with their refreshes, form one chain for each register. So every
// operand, result and time is that of its neighbours in the chain, whatever table they are in.
func TestRegistersBalance(t *testing.T) {
	for _, s := range append(subjects(), guests(t)...) {
		p := riscvtest.Load(t, s.elf)
		_, trace, err := emulator.Record(context.Background(), p, s.inputs, emulator.Options{})
		if err != nil {
			t.Fatal(err)
		}
		set, err := replay.Build(context.Background(), parallel.New(2), p, s.inputs, trace)
		if err != nil {
			t.Fatal(err)
		}
		b := tokens{}
		for i, r := range set.Registers {
			b[token{uint32(i), 0, 0}]++
			b[token{uint32(i), r.Last, r.Value}]--
		}
		for _, r := range set.Refresh {
			b.access(uint8(r.Register), r.Previous, r.Previous+1<<20, r.Value, r.Value)
		}
		balance(b, p, set)
		for k, n := range b {
			if n != 0 {
				t.Errorf("%s: %d of the token (register %d, time %d, value %#x)", s.name, n, k.register, k.time, k.value)
				break
			}
		}
		for k := range b {
			if k.time > 4*set.Cycles+3 {
				t.Errorf("%s: a token at time %d, behind the end", s.name, k.time)
				break
			}
		}
	}
}

// balance adds the accesses of all instructions.
func balance(b tokens, p *program.Program, s *record.Set) {
	row := func(i uint32) *program.Row { return &p.Rows[i] }
	for _, r := range s.Constant {
		value := uint64(row(r.Row).K[1]) | uint64(row(r.Row).K[2])<<32
		b.access(row(r.Row).Rd, r.PreviousD, 4*r.Cycle+3, r.Old, value)
	}
	for t := range s.Unary {
		for _, r := range s.Unary[t] {
			if table.Table(t) != table.ADDIQ {
				b.access(row(r.Row).Rs1, r.Previous1, 4*r.Cycle, r.A, r.A)
			}
			b.access(row(r.Row).Rd, r.PreviousD, 4*r.Cycle+3, r.Old, r.Result)
		}
		for _, r := range s.Binary[t] {
			b.access(row(r.Row).Rs1, r.Previous1, 4*r.Cycle, r.A, r.A)
			b.access(row(r.Row).Rs2, r.Previous2, 4*r.Cycle+1, r.B, r.B)
			b.access(row(r.Row).Rd, r.PreviousD, 4*r.Cycle+3, r.Old, r.Result)
		}
		for _, r := range s.Branch[t] {
			b.access(row(r.Row).Rs1, r.Previous1, 4*r.Cycle, r.A, r.A)
			if table.Table(t) != table.BEQZ && table.Table(t) != table.JR {
				b.access(row(r.Row).Rs2, r.Previous2, 4*r.Cycle+1, r.B, r.B)
			}
		}
		for _, r := range s.Load[t] {
			b.access(row(r.Row).Rs1, r.Previous1, 4*r.Cycle, uint64(r.Base), uint64(r.Base))
			if row(r.Row).Rd != 0 {
				b.access(row(r.Row).Rd, r.PreviousD, 4*r.Cycle+3, r.Old, r.Result)
			} else {
				b.access(row(r.Row).Rs2, r.PreviousD, 4*r.Cycle+1, r.Old, r.Result)
			}
		}
		for _, r := range s.Store[t] {
			b.access(row(r.Row).Rs1, r.Previous1, 4*r.Cycle, uint64(r.Base), uint64(r.Base))
			b.access(row(r.Row).Rs2, r.Previous2, 4*r.Cycle+1, r.B, r.B)
		}
	}
	for _, r := range s.Halt {
		b.access(17, r.Previous1, 4*r.Cycle, 93, 93)
		b.access(10, r.Previous2, 4*r.Cycle+1, r.Exit, r.Exit)
	}
	for _, r := range s.Call[table.Call] {
		b.access(17, r.Previous[0], 4*r.Cycle, uint64(r.Code), uint64(r.Code))
		for i, a := range r.Arguments {
			b.access(uint8(10+i), r.Previous[1+i], 4*r.Cycle+1+uint32(i), uint64(a), uint64(a))
		}
	}
}
