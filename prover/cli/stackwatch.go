package cli

import (
	"fmt"
	"io"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	riscv "github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// stackPointer is the number of sp, the calling convention's stack pointer register.
const stackPointer = 2

// stackWatch checks how far a guest's stack reaches, once per chunk of cycles: below its limit the stack overwrites
// the heap and the program's data without a trap. It may miss a frame that exists only within a chunk.
type stackWatch struct {
	guest      *riscv.Program
	lowest, pc uint64 // the lowest stack pointer below the limit, and the pc at that time
}

// observe checks the state before a chunk. A stack pointer of 0 has not been set yet.
func (w *stackWatch) observe(c *emulator.Chunk) {
	sp := c.Start.X[stackPointer]
	if sp == 0 || sp >= w.guest.File.StackLimit || w.lowest != 0 && sp >= w.lowest {
		return
	}
	w.lowest, w.pc = sp, uint64(c.Start.PC)
}

// warn reports how far the stack reached below its limit.
func (w *stackWatch) warn(out io.Writer) {
	if w.lowest == 0 {
		return
	}
	limit := w.guest.File.StackLimit
	_, _ = fmt.Fprintf(out, "prover run: warning: the stack reached %#x, %d bytes below its limit %#x, at %s: there it "+
		"overwrites the heap and the program's data, and nothing traps\n", w.lowest, limit-w.lowest, limit,
		emulator.Location{PC: w.pc, Symbol: w.guest.File.Symbols.Describe(w.pc)})
}
