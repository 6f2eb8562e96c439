package replay_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// stating is a program that gives the public output a length and, in word 1 + last, its last bytes.
func stating(length, last, bytes int64) *riscvtest.Program {
	const value, pointer = 5, 6
	p := riscvtest.NewProgram(nil)
	set := func(v int64) { // 64 bits, 11 at a time
		p.Op(instruction.ADDI, value, 0, 0, v>>55)
		for shift := 44; shift >= 0; shift -= 11 {
			p.Op(instruction.SLLI, value, value, 0, 11)
			p.Op(instruction.ADDI, value, value, 0, v>>shift&0x7ff)
		}
	}
	p.Op(instruction.ADDI, pointer, 0, 0, int64(memorymap.PublicOutput>>28))
	p.Op(instruction.SLLI, pointer, pointer, 0, 28)
	set(length)
	p.Op(instruction.SD, 0, pointer, value, 0)
	set(8 * last)
	p.Op(instruction.ADD, pointer, pointer, value, 0)
	set(bytes)
	p.Op(instruction.SD, 0, pointer, value, 8)
	p.Op(instruction.ADDI, value, 0, 0, 0)
	return p
}

// The public output has the length that the program states, up to the maximum, and the padding of its last word is 0.
// No emulator executes a program that violates this, so the trace comes from a program that differs in the number.
func TestOutputsThatAProgramMayGive(t *testing.T) {
	const most = int64(memorymap.MaxPublicBytes)
	for _, tc := range []struct {
		length, last, bytes int64
		want                string
	}{
		{0, 0, 0, ""},
		{1, 0, 0xff, ""},
		{3, 0, 0xffffff, ""},
		{8, 0, -1, ""},
		{9, 1, 0xff, ""},
		{most - 1, most/8 - 1, -1 >> 8 & (1<<56 - 1), ""},
		{most, most/8 - 1, -1, ""},
		{most + 1, most/8 - 1, 0, "at most 65536 fit"},
		{most + 8, most/8 - 1, 0, "at most 65536 fit"},
		{1 << 32, 0, 0, "at most 65536 fit"},
		{-1, 0, 0, "at most 65536 fit"},
		{1, 0, 0x1ff, "is not 0 after its 1 bytes"},
		{3, 0, 1 << 24, "is not 0 after its 3 bytes"},
		{3, 0, 1 << 56, "is not 0 after its 3 bytes"},
		{7, 0, 1 << 56, "is not 0 after its 7 bytes"},
		{15, 1, -1 << 63, "is not 0 after its 15 bytes"},
		{most - 1, most/8 - 1, 1 << 56, "is not 0 after its 65535 bytes"},
	} {
		good := tc
		if tc.want != "" {
			good.length, good.bytes = 8, 0
		}
		run := riscvtest.Load(t, stating(good.length, tc.last, good.bytes).ELF(false))
		result, trace, err := emulator.Record(context.Background(), run, memory.Inputs{}, emulator.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := riscvtest.Load(t, stating(tc.length, tc.last, tc.bytes).ELF(false))
		trace = &record.Trace{Checkpoints: slices.Clone(trace.Checkpoints), Log: trace.Log}
		set, err := replay.Build(context.Background(), parallel.New(1), p, memory.Inputs{}, trace)
		if tc.want == "" {
			if err != nil || !slices.Equal(set.Output, result.Output) || len(set.Output) != int(tc.length) {
				t.Errorf("an output of %d bytes: %v", tc.length, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("an output of %d bytes, with %#x at the end: %v, want %q", tc.length, uint64(tc.bytes), err, tc.want)
		}
		if _, _, err := emulator.Record(context.Background(), p, memory.Inputs{}, emulator.Options{}); err == nil {
			t.Errorf("an output of %d bytes, with %#x at the end, is one to the emulator", tc.length, uint64(tc.bytes))
		}
	}
}
