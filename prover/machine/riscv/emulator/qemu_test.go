package emulator_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// compare runs a program here and under QEMU, and compares the dump and the data. It returns the number of
// instructions.
func compare(t *testing.T, p *riscvtest.Program) uint64 {
	t.Helper()
	want := riscvtest.QEMU(t, p.ELF(true))
	result, err := emulator.Run(context.Background(), riscvtest.Load(t, p.ELF(false)), memory.Inputs{}, emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dump := result.Memory.Bytes(riscvtest.DumpAddress, p.DumpBytes())
	got := append(dump, result.Memory.Bytes(riscvtest.DataAddress, riscvtest.DataBytes)...)
	if !bytes.Equal(got, want) {
		for i := 0; i+8 <= len(want) && i+8 <= len(got); i += 8 {
			if a, b := binary.LittleEndian.Uint64(got[i:]), binary.LittleEndian.Uint64(want[i:]); a != b {
				t.Fatalf("word %d of the dump is %#x, qemu says %#x", i/8, a, b)
			}
		}
		t.Fatalf("%d bytes dumped, qemu dumped %d", len(got), len(want))
	}
	return result.Cycles
}

// Every operation on edge operands, and every load and store at every alignment.
func TestEdgesAgainstQEMU(t *testing.T) {
	for _, op := range riscvtest.Ops() {
		t.Run(op.String(), func(t *testing.T) { compare(t, riscvtest.EdgesOf(op)) })
	}
}

// Every operation in every form, on all pairs of a few edges.
func TestFormsAgainstQEMU(t *testing.T) {
	compare(t, riscvtest.FormsOfAll(riscvtest.FormPairs(riscvtest.FormEdges[:7])))
}

// Random programs on random operands: a million instructions.
func TestRandomProgramsAgainstQEMU(t *testing.T) {
	total, most := uint64(0), uint64(1_000_000)
	if testing.Short() {
		most = 50_000
	}
	for seed := uint64(0); total < most; seed++ {
		total += compare(t, riscvtest.Random(seed, 65536))
	}
}
