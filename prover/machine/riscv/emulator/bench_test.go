package emulator_test

import (
	"context"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp3"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// each runs a benchmark on guests of different kinds that take some tens of millions of cycles.
func each(b *testing.B, body func(b *testing.B, e *emulator.Emulator, in memory.Inputs) uint64) {
	for _, c := range []struct {
		guest  string
		inputs memory.Inputs
	}{
		{"fib", memory.Inputs{Private: riscvtest.Numbers(4_000_000)}},
		{"quicksort", memory.Inputs{Private: riscvtest.Numbers(50_000, 1)}},
		{"hashes", memory.Inputs{Private: make([]byte, 1<<16)}}, // with calls
		{"sha256", memory.Inputs{Private: make([]byte, 1<<16)}},
		{"interpreter", memory.Inputs{Public: []byte("10000 set n get n { get n 1 - dup set n }")}},
	} {
		b.Run(c.guest, func(b *testing.B) {
			e := emulator.New(riscvtest.Load(b, riscvtest.Guest(b, c.guest)))
			body(b, e, c.inputs) // as in a session: translates blocks and allocates a trace
			cycles := uint64(0)
			for b.Loop() {
				cycles += body(b, e, c.inputs)
			}
			b.ReportMetric(float64(cycles)/b.Elapsed().Seconds()/1e6, "Mcycles/s")
		})
	}
}

// BenchmarkCalls measures calls of the accelerator with the shortest function, in a loop of three instructions.
func BenchmarkCalls(b *testing.B) {
	const a0, a7, counter = 10, 17, 5
	p := riscvtest.NewProgram(make([]byte, 96))
	for i := range int64(3) {
		p.Op(instruction.ADDI, uint8(a0+i), riscvtest.DataRegister, 0, 32*i)
	}
	p.Op(instruction.ADDI, a7, 0, 0, int64(fp3.MultiplyAdd.Code))
	p.Op(instruction.LUI, counter, 0, 0, 1<<18)
	p.Op(instruction.ECALL, 0, 0, 0, 0)
	p.Op(instruction.ADDI, counter, counter, 0, -1)
	p.Op(instruction.BNE, 0, counter, 0, -8)
	e := emulator.New(riscvtest.Load(b, p.ELF(false)))
	for b.Loop() {
		if _, err := e.Run(b.Context(), memory.Inputs{}, emulator.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/(1<<18)*1e9, "ns/call")
}

func BenchmarkRun(b *testing.B) {
	each(b, func(b *testing.B, e *emulator.Emulator, in memory.Inputs) uint64 {
		result, err := e.Run(context.Background(), in, emulator.Options{})
		if err != nil {
			b.Fatal(err)
		}
		return result.Cycles
	})
}

func BenchmarkRecord(b *testing.B) {
	each(b, func(b *testing.B, e *emulator.Emulator, in memory.Inputs) uint64 {
		result, trace, err := e.Record(context.Background(), in, emulator.Options{})
		if err != nil {
			b.Fatal(err)
		}
		e.Recycle(trace)
		return result.Cycles
	})
}
