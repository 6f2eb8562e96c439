package riscv_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// Costs of proofs of 2^22 cycles, computed from their shape: at most 55 committed cells a cycle and 8 MB, as the design
// promises.
func TestCosts(t *testing.T) {
	many := make([]uint64, 1_700)
	for i := range many {
		many[i] = uint64(i + 1)
	}
	for guest, input := range map[string]run.Input{
		"fib":         {Data: riscvtest.Numbers(838_000)},
		"sha256":      {Data: make([]byte, 16_000)},
		"quicksort":   {Data: riscvtest.Numbers(14_500, 7)},
		"cycle":       {Data: riscvtest.Numbers(93_000, 1)},
		"primes":      {Data: riscvtest.Numbers(1<<60+1, 8_200)},
		"interpreter": {Data: riscvtest.Numbers(many...), Public: []byte(riscvtest.Script)},
	} {
		p, err := riscv.New(riscvtest.Guest(t, guest))
		if err != nil {
			t.Fatal(err)
		}
		preset, err := protocol.PresetByName("rv")
		if err != nil {
			t.Fatal(err)
		}
		input.MinLogHeight = preset.Params.MinLogHeight
		planned, public, err := plan(p, input)
		if err != nil {
			t.Fatalf("%s: %v", guest, err)
		}
		key, err := setup.NewKey(p.Machine(), preset.Params)
		if err != nil {
			t.Fatal(err)
		}
		shape, cells := key.Shape(planned), 0
		for i := range planned {
			for phase := protocol.Main; phase <= protocol.Auxiliary; phase++ {
				cells += protocol.Width(shape.Table(i), phase) * shape.Rows(i)
			}
		}
		for _, class := range shape.Classes {
			cells += protocol.QuotientWidth << class.LogHeight
		}
		size, err := key.ProofBytes(planned)
		cycles, _ := statement.Read(public)
		if n := cycles.Cycles; n < 1<<22-1<<18 || n > 1<<22+1<<19 || err != nil || uint64(cells) > 55*n || size > 8_000_000 {
			t.Errorf("%s: %d cycles take %d cells and %d bytes, %v", guest, n, cells, size, err)
		}
	}
}
