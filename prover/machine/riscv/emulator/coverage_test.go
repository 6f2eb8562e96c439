package emulator_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// The comparison with QEMU covers every operation many times, and every load and store at every alignment. The
// alignment of an address is that of the constant, because the pointers of the programs are multiples of 8 and never
// change.
func TestQEMUSeesEverything(t *testing.T) {
	random, total := map[string]int{}, 0
	for seed := uint64(0); total < 1_000_000; seed++ {
		total += countInstructions(riscvtest.Random(seed, 65536), random)
	}
	for _, op := range riscvtest.Ops() {
		edges := map[string]int{}
		countInstructions(riscvtest.EdgesOf(op), edges)
		least, name := 8_000, op.String()
		if op == instruction.ECALL {
			continue // ends each program
		}
		if random[name] < least || edges[name] == 0 {
			t.Errorf("%s: %d times in random programs, want %d; %d on edges", name, random[name], least, edges[name])
		}
		if !op.Load() && !op.Store() {
			continue
		}
		for alignment := range 8 {
			at := fmt.Sprintf("%s at %d", name, alignment)
			if random[at] < least/10 || edges[at] == 0 {
				t.Errorf("%s: %d times in random programs, want %d; %d on edges", at, random[at], least/10, edges[at])
			}
		}
	}
}

// countInstructions counts a program's instructions by operation, and loads and stores also by alignment. It returns
// the number of executed instructions: all except those that jumps skip, and possibly the constant after a branch.
func countInstructions(p *riscvtest.Program, counts map[string]int) (total int) {
	for at := 0; at < len(p.Text); at++ {
		i, ok := instruction.Decode(p.Text[at])
		if !ok {
			continue
		}
		total++
		counts[i.Op.String()]++
		switch {
		case i.Op.Load() || i.Op.Store():
			counts[fmt.Sprintf("%s at %d", i.Op, i.Imm&7)]++
		case i.Op == instruction.JAL || i.Op == instruction.JALR || i.Op.Branch():
			at++
		}
	}
	return total
}

// A program with nearly 2^31 bytes of zeros takes memory only for words that it touches, when it is loaded and when it
// runs.
func TestZerosTakeNoMemory(t *testing.T) {
	const zeros = 0x80000000 - riscvtest.DataAddress
	file := riscvtest.ELF(riscvtest.TextAddress,
		riscvtest.Segment{
			Address: riscvtest.TextAddress,
			Flags:   riscvtest.RX,
			Data:    riscvtest.Words(0x05d00893, 0x00000513, 0x73),
		},
		riscvtest.Segment{Address: riscvtest.DataAddress, Flags: riscvtest.RW, Size: zeros})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	result, err := emulator.Run(t.Context(), riscvtest.Load(t, file), memory.Inputs{}, emulator.Options{})
	runtime.ReadMemStats(&after)
	if err != nil || result.Cycles != 3 {
		t.Fatal(result, err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 8<<20 {
		t.Errorf("%d bytes of memory for %d bytes of zeros", taken, zeros)
	}
}
