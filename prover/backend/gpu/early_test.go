package gpu

import (
	"errors"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// earlyFrom lets instances be extended early from so many cells on.
func earlyFrom(t *testing.T, cells int) {
	t.Helper()
	before := earlyCells
	t.Cleanup(func() { earlyCells = before })
	earlyCells = cells
}

// inParts is a program of which even short runs are handed over in parts, and which has run once.
func inParts(t *testing.T, g guest) *riscv.Program {
	t.Helper()
	program, _ := guestRun(t, g)
	program.PartsFrom(1)
	return program
}

// fibonacci computes so many numbers. At 600 its tables have several instances.
func fibonacci(t *testing.T, numbers uint64) guest {
	t.Helper()
	return guest{file: riscvtest.Guest(t, "fib"), private: riscvtest.Numbers(numbers)}
}

// begunWith is a proof of an execution, with transforms and nothing else that follows the trace.
func begunWith(t *testing.T, b *Backend, program *riscv.Program, execution machine.Execution) *proof {
	t.Helper()
	o := openFillers(t, b, program.Machine())
	p := proofWith(t, o, execution, 1<<28)
	b.device.Meter.Start(o, 0, false)
	if err := b.device.Bound("prepare", func() (err error) {
		p.lifetime = p.arena.Scope("transforms")
		o.transforms, err = kernels.NewTransforms(o.set, b.device.Stream, p.lifetime, uint64(goldilocks.Generator))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return p
}

// tracedEarly fills the main columns of an execution, and counts the instances that were extended early.
func tracedEarly(t *testing.T, b *Backend, program *riscv.Program, execution machine.Execution) (*proof, uint64) {
	t.Helper()
	p := begunWith(t, b, program, execution)
	if err := p.Trace(execution); err != nil {
		t.Fatal(err, b.device.Finding())
	}
	_, counters := b.Report()
	return p, counters["extended_early"]
}

// compareEarly fills the columns of a run that goes on, and those of another of the same input which are extended
// later, and expects the same extensions and the same values kept for LogUp.
func compareEarly(t *testing.T, b *Backend, program *riscv.Program, early, late machine.Execution) {
	t.Helper()
	earlyFrom(t, math.MaxInt)
	want, count := tracedEarly(t, b, program, late)
	if count != 0 {
		t.Errorf("%d instances are extended early, and none should be", count)
	}
	earlyFrom(t, 1)
	got, count := tracedEarly(t, b, program, early)
	if count == 0 {
		t.Error("no instance is extended early")
	}
	own, done := want.phases[backend.Main], got.phases[backend.Main]
	if err := b.device.Bound("extend", func() error {
		err := want.takeKept(backend.Main)
		if err != nil {
			return err
		}
		memory, err := takeExtension(want.kept, want.shape, backend.Main, false)
		if err != nil {
			return err
		}
		runs := own.unextended(want.shape, backend.Main, done.extendedAt)
		return errors.Join(want.sendKeptNumbers(own, memory), want.keepAndExtend(own, memory, runs))
	}); err != nil {
		t.Fatal(err)
	}
	for i := range want.shape.Instances {
		table, rows := want.shape.Table(i), want.rows(i)
		if done.extendedAt(i) {
			count--
			rows = own.list[i].Stride
			for column, values := range own.kept[i] {
				sameColumn(t, got, done.kept[i][column], want, values, 0, want.rows(i), "what is kept of "+table.Name)
			}
		}
		for k := range table.Main {
			if !slices.ContainsFunc(table.Lookups, func(entry air.Entry) bool { return entry.Counts(k) }) {
				sameColumn(t, got, done.list[i], want, own.list[i], uint64(k), rows, table.Name)
			}
		}
	}
	if count != 0 {
		t.Errorf("%d instances more are counted as extended early than are", count)
	}
}

func sameColumn(t *testing.T, p *proof, got kernels.Columns, q *proof, want kernels.Columns, number, rows uint64,
	name string) {
	t.Helper()
	if !slices.Equal(downloaded(t, p, got, number, rows), downloaded(t, q, want, number, rows)) {
		t.Errorf("%s: column %d is another", name, number)
	}
}

// A run that goes on, whether it is known or foretold, is extended as far as instances are full.
func TestFullInstancesAreExtendedWhileTheRunGoesOn(t *testing.T) {
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		program := inParts(t, fibonacci(t, 600))
		run := func(numbers uint64, foretell bool) machine.Execution {
			input := machine.Input{Data: riscvtest.Numbers(numbers), MinLogHeight: 8, Foretell: foretell}
			execution, err := program.Execute(t.Context(), input)
			if err != nil {
				t.Fatal(err)
			}
			if _, foretold := execution.(machine.Foretold).Foretold(); foretold != foretell {
				t.Fatalf("the run is foretold: %v", foretold)
			}
			return execution
		}
		compareEarly(t, b, program, run(600, false), run(600, false))
		if b.device.Options.Device == SoftwareChecked {
			return // the others have the same kernels
		}
		foretold := run(610, true)
		foretold.Public() // waits for its end: the next is known then
		compareEarly(t, b, program, foretold, run(610, false))
		longer := run(1300, true)
		if err := begunWith(t, b, program, longer).Trace(longer); !errors.Is(err, machine.ErrForetold) {
			t.Errorf("a run that was foretold wrongly: %v", err)
		}
		compareEarly(t, b, program, run(1300, false), run(1300, false))
	})
}

// Where a run that was foretold has rows of a table that has no room for them, records of the others are counted and
// not written. So nothing is filled from then on, and the end says that the run is another.
func TestRowsWithoutRoomFillNothing(t *testing.T) {
	earlyFrom(t, 1)
	b := openBackend(t, Options{Seed: 2})
	p := riscvtest.NewProgram(nil)
	readPrivateWord(p)
	p.Op(instruction.ADDI, 7, 0, 0, 1300)
	p.Op(instruction.ADD, 8, 8, 7, 0)
	p.Op(instruction.BNE, 0, 7, 6, 8)
	p.Op(instruction.SUB, 8, 8, 7, 0) // in the part in which instances of 1,024 rows become full
	p.Op(instruction.ADDI, 7, 7, 0, -1)
	p.Op(instruction.BNE, 0, 7, 0, -16)
	const never, meanwhile = 2000, 220
	program := inParts(t, guest{file: p.ELF(false), private: riscvtest.Numbers(never)})
	for _, tc := range []struct {
		word uint64
		want error
	}{{never + 1, nil}, {meanwhile, machine.ErrForetold}} {
		input := machine.Input{Data: riscvtest.Numbers(tc.word), MinLogHeight: 8, Foretell: true}
		execution, err := program.Execute(t.Context(), input)
		if err != nil {
			t.Fatal(err)
		}
		err = begunWith(t, b, program, execution).Trace(execution)
		if _, counters := b.Report(); !errors.Is(err, tc.want) || (counters["extended_early"] != 0) != (tc.want == nil) {
			t.Errorf("%v, %d instances extended early", err, counters["extended_early"])
		}
	}
}

// readPrivateWord reads the first word of the private input into register 6.
func readPrivateWord(p *riscvtest.Program) {
	p.Op(instruction.ADDI, 6, 0, 0, 1)
	p.Op(instruction.SLLI, 6, 6, 0, int64(bits.TrailingZeros64(memory.PrivateInput)))
	p.Op(instruction.LD, 6, 6, 0, memory.WordBytes)
}

// What ends a run that goes on, or fails on the device meanwhile, ends the stage, and the next run is as ever.
func TestFailuresWhileARunGoesOn(t *testing.T) {
	earlyFrom(t, 1)
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
			input := machine.Input{Data: riscvtest.Numbers(tc.address), MinLogHeight: 8, Foretell: true}
			execution, err := program.Execute(t.Context(), input)
			if err != nil {
				t.Fatal(err)
			}
			begun := begunWith(t, b, program, execution)
			err = begun.Trace(execution)
			_, counters := b.Report()
			switch {
			case tc.want == "" && (err != nil || counters["extended_early"] == 0):
				t.Errorf("%v, %d instances extended early", err, counters["extended_early"])
			case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)):
				t.Errorf("%v, want %q", err, tc.want)
			}
		})
	}
}
