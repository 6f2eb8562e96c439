package emulator_test

import (
	"context"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// noting returns a program that shows a text in pieces, from a loop so that it is translated. Apart from its dump, it
// does not access memory.
func noting() *riscvtest.Program {
	p := riscvtest.NewProgram([]byte("some text of the data, and more......"))
	p.Note(0, 9)
	p.Note(5, 0)
	p.Note(9, 13)
	p.Op(instruction.ADDI, 5, 0, 0, 1000)
	p.Note(36, 1)
	p.Op(instruction.ADDI, 5, 5, 0, -1)
	p.Op(instruction.BNE, 0, 5, 0, -4*6)
	p.Dump(10)
	return p
}

// Notes show bytes of memory in execution order, interpreted or translated, and change neither registers nor memory.
func TestNotes(t *testing.T) {
	program := riscvtest.Load(t, noting().ELF(false))
	e := emulator.New(program)
	want := "some text of the data," + strings.Repeat(".", 1000)
	for _, interpret := range []bool{true, false, false} {
		var shown []byte
		options := emulator.Options{Interpret: interpret, Note: func(text []byte) { shown = append(shown, text...) }}
		result, trace, err := e.Record(context.Background(), memory.Inputs{}, options)
		if err != nil {
			t.Fatal(err)
		}
		if string(shown) != want {
			t.Fatalf("interpreted %t, %d bytes are shown, want %d: %.40q", interpret, len(shown), len(want), shown)
		}
		touched := 0
		result.Memory.EachTouched(func(_, _ uint32, count int) { touched += count })
		if len(trace.Log) != 0 || touched != 1 || len(result.Calls) != 0 ||
			result.Notes != 1003 {
			t.Errorf("%d notes read %d words, touch %d and call %d accelerators: want 1003, 0, the dump's 1, 0", result.Notes,
				len(trace.Log), touched, len(result.Calls))
		}
		if got := result.Memory.Load(riscvtest.DumpAddress / 8); got != riscvtest.DataAddress+36 {
			t.Errorf("a0 is %#x after a note, want its address", got)
		}
		silent, _, err := e.Record(context.Background(), memory.Inputs{}, emulator.Options{})
		if err != nil || silent.Cycles != result.Cycles {
			t.Errorf("without anyone to show it to, the run has %d cycles and error %v, want %d", silent.Cycles, err,
				result.Cycles)
		}
	}
}
