package keccak

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// NibbleBits is the size of the operands of a lookup.
const NibbleBits = 4

// xorMessage says that Xor is the exclusive or of A and B.
type xorMessage struct{ A, B, Xor air.Expr }

// declareXor declares the lookup table of the exclusive or of 4-bit numbers: row a + 16b is (a, b, a xor b).
func declareXor(bus air.LookupBus[xorMessage]) (*air.Table, error) {
	b := air.NewTable("xor4")
	b.Heights(2*NibbleBits, 2*NibbleBits)
	left, right, xor := b.Preprocessed("a"), b.Preprocessed("b"), b.Preprocessed("a xor b")
	b.FillPreprocessed(func(columns [][]goldilocks.Element) {
		for row := range uint64(1 << (2 * NibbleBits)) {
			x, y := row&(1<<NibbleBits-1), row>>NibbleBits
			columns[0][row], columns[1][row], columns[2][row] = goldilocks.Element(x), goldilocks.Element(y),
				goldilocks.Element(x^y)
		}
	})
	bus.Answer(b, b.Main("count"), air.Rows{Weights: []uint64{1, 1 << NibbleBits, 0}}, xorMessage{left, right, xor})
	return b.Build()
}
