package emulator

import (
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// Every operation in every form, on all edges, behaves as in the interpreter: while the program becomes hot, in the
// translations for its next run, and, for accesses, in bare translations.
func TestTranslatedForms(t *testing.T) {
	longtest.Only(t)
	pairs := riscvtest.FormPairs(riscvtest.FormEdges)
	for _, op := range riscvtest.Ops() {
		programs := [][][2]uint64{pairs}
		if op.Branch() {
			programs = append(programs, riscvtest.Skewed(op, pairs, true), riscvtest.Skewed(op, pairs, false))
		}
		t.Run(op.String(), func(t *testing.T) {
			for _, pairs := range programs {
				p := riscvtest.Load(t, riscvtest.FormsOf(op, pairs).ELF(false))
				needTranslations(t, p)
				e := New(p)
				for range 2 {
					compareRuns(t, op.String(), e, memory.Inputs{}, Options{})
				}
				if !op.Load() && !op.Store() {
					continue
				}
				const first, second = 3, 8
				want := recordWhole(t, e, memory.Inputs{}, first, second)
				compareParts(t, op.String(), e, memory.Inputs{}, want, first, second)
			}
		})
	}
}
