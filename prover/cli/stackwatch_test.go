package cli

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// The warning names the deepest stack pointer and where the program was then. There is no warning for stacks above
// the limit, for a stack pointer that is not set yet, and for programs without a limit.
func TestStackWatch(t *testing.T) {
	guest := riscvtest.Load(t, riscvtest.Guest(t, "fib"))
	const limit = 0x78000000
	if guest.File.StackLimit != limit {
		t.Fatalf("the stack's limit is %#x, want %#x: the linker script gives it", guest.File.StackLimit, limit)
	}
	warning := func(pointers ...uint64) string {
		w := stackWatch{guest: guest}
		for i, sp := range pointers {
			start := record.Checkpoint{PC: uint32(guest.File.Entry) + 4*uint32(i)}
			start.X[2] = sp
			w.observe(&emulator.Chunk{Start: &start})
		}
		var out strings.Builder
		w.warn(&out)
		return out.String()
	}
	if got := warning(0, 0x80000000, limit); got != "" {
		t.Errorf("a stack above its limit: %s", got)
	}
	got := warning(0, limit-8, limit-4096, limit-16)
	for _, want := range []string{"the stack reached 0x77fff000, 4096 bytes below its limit 0x78000000", "(_start+0x8)"} {
		if !strings.Contains(got, want) {
			t.Errorf("the warning lacks %q: %s", want, got)
		}
	}
	guest.File.StackLimit = 0
	if got := warning(0, 8); got != "" {
		t.Errorf("a program without a limit: %s", got)
	}
}
