package gpu

import (
	"errors"
	"math/bits"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/run"
)

// inParts is a program whose runs are handed over in parts, even short ones, and which has run once.
func inParts(t *testing.T, g guest) *riscv.Program {
	t.Helper()
	program, _ := guestRun(t, g)
	program.PartsFrom(1)
	return program
}

// A streaming run, known or predicted, fills the same tables as the finished run, group by group.
func TestTracesOfRunsInParts(t *testing.T) {
	b := openBackend(t, Options{Seed: 8})
	fib := guest{file: riscvtest.Guest(t, "fib"), private: riscvtest.Numbers(600)} // so that tables have several instances
	program := inParts(t, fib)
	for _, tc := range []struct {
		numbers   uint64
		speculate bool
		parts     int // parts that are recorded at once
	}{{600, false, 1}, {600, false, 3}, {610, true, 1}} {
		program.RecordIn(tc.parts)
		input := run.Input{Data: riscvtest.Numbers(tc.numbers), MinLogHeight: 8, Speculate: tc.speculate}
		begun, err := program.Run(t.Context(), input)
		if err != nil {
			t.Fatal(err)
		}
		if begun.Speculative != tc.speculate {
			t.Fatalf("%d numbers: the run is speculative: %v", tc.numbers, begun.Speculative)
		}
		execution, err := begun.Execution()
		if err != nil {
			t.Fatal(err)
		}
		p := filled(t, openFillers(t, b, program.Fillers()), execution)
		for _, m := range mismatches(t, p, execution) {
			t.Errorf("%d numbers, %d parts at once: %s", tc.numbers, tc.parts, m)
		}
	}
}

// A predicted run is recorded in concurrent parts after two runs of equal length and log, and fills the same tables as
// the finished run.
func TestTracesOfForetoldRunsInParts(t *testing.T) {
	b := openBackend(t, Options{Seed: 4})
	p := riscvtest.NewProgram(make([]byte, riscvtest.DataBytes))
	readPrivateWord(p)
	p.Op(instruction.ADDI, 7, 0, 0, 400)
	p.Op(instruction.LD, 8, riscvtest.DataRegister, 0, 0)
	p.Op(instruction.XOR, 8, 8, 6, 0)
	p.Op(instruction.SD, 0, riscvtest.DataRegister, 8, 0)
	p.Op(instruction.ADDI, 7, 7, 0, -1)
	p.Op(instruction.BNE, 0, 7, 0, -16)
	program := inParts(t, guest{file: p.ELF(false), private: riscvtest.Numbers(1)})
	program.RecordIn(3)
	var execution machine.Execution
	for number := range uint64(2) {
		input := run.Input{Data: riscvtest.Numbers(2 + number), MinLogHeight: 8, Speculate: true}
		var err error
		if execution, err = run.Execute(t.Context(), program, input); err != nil {
			t.Fatal(err)
		}
		execution.Public() // after it has ended
	}
	for _, m := range mismatches(t, filled(t, openFillers(t, b, program.Fillers()), execution), execution) {
		t.Error(m)
	}
}

// If a predicted run needs more rows than a table has, the error says that the run differs from the prediction, instead
// of what the device found meanwhile.
func TestRowsWithoutRoomAreOfAnotherRun(t *testing.T) {
	b := openBackend(t, Options{Seed: 2})
	p := riscvtest.NewProgram(nil)
	readPrivateWord(p)
	p.Op(instruction.ADDI, 7, 0, 0, 1300)
	p.Op(instruction.ADD, 8, 8, 7, 0)
	p.Op(instruction.BNE, 0, 7, 6, 8)
	p.Op(instruction.SUB, 8, 8, 7, 0) // for which no table is predicted
	p.Op(instruction.ADDI, 7, 7, 0, -1)
	p.Op(instruction.BNE, 0, 7, 0, -16)
	const never, meanwhile = 2000, 220
	program := inParts(t, guest{file: p.ELF(false), private: riscvtest.Numbers(never)})
	for _, tc := range []struct {
		word uint64
		want error
	}{{never + 1, nil}, {meanwhile, run.ErrSpeculation}} {
		input := run.Input{Data: riscvtest.Numbers(tc.word), MinLogHeight: 8, Speculate: true}
		execution, err := run.Execute(t.Context(), program, input)
		if err != nil {
			t.Fatal(err)
		}
		p := proofFor(t, openFillers(t, b, program.Fillers()), execution)
		if _, err := p.Trace(execution); !errors.Is(err, tc.want) {
			t.Errorf("with %d: %v, want %v", tc.word, err, tc.want)
		}
	}
}

// readPrivateWord reads the first word of the private input into register 6.
func readPrivateWord(p *riscvtest.Program) {
	p.Op(instruction.ADDI, 6, 0, 0, 1)
	p.Op(instruction.SLLI, 6, 6, 0, int64(bits.TrailingZeros64(memorymap.PrivateInput)))
	p.Op(instruction.LD, 6, 6, 0, memorymap.WordBytes)
}

// A run that ends early, or that fails on the device meanwhile, ends the stage. The next run is unaffected.
func TestFailuresDuringARun(t *testing.T) {
	faults := cuda.NewFaultPlan()
	b := openBackend(t, Options{Seed: 5, Faults: faults})
	p := riscvtest.NewProgram(nil)
	readPrivateWord(p)
	p.Op(instruction.ADDI, 7, 0, 0, 1300)
	p.Op(instruction.ADD, 8, 8, 7, 0)
	p.Op(instruction.ADDI, 7, 7, 0, -1)
	p.Op(instruction.BNE, 0, 7, 0, -8)
	p.Op(instruction.LD, 6, 6, 0, 0) // at an address from the input
	program := inParts(t, guest{file: p.ELF(false), private: riscvtest.Numbers(riscvtest.DataAddress)})
	for _, tc := range []struct {
		name, fault string
		address     uint64
		want        string
	}{
		{"a trap", "", 0, "outside memory"},
		{"a launch", "trace/launch#120=recoverable", riscvtest.DataAddress + 8, "(injected fault)"},
		{"a copy", "trace/copy#12=recoverable", riscvtest.DataAddress + 16, "(injected fault)"},
		{"nothing", "", riscvtest.DataAddress + 24, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.fault != "" {
				fault, err := cuda.ParseFault(tc.fault)
				if err != nil {
					t.Fatal(err)
				}
				faults.Replace(fault)
				defer faults.Replace()
			}
			input := run.Input{Data: riscvtest.Numbers(tc.address), MinLogHeight: 8, Speculate: true}
			execution, err := run.Execute(t.Context(), program, input)
			if err != nil {
				t.Fatal(err)
			}
			_, err = proofFor(t, openFillers(t, b, program.Fillers()), execution).Trace(execution)
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %q", err, tc.want)
			}
		})
	}
}
