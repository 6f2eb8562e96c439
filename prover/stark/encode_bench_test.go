package stark_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// BenchmarkMarshal encodes a proof of the size that 219 queries of 3,200 columns give.
func BenchmarkMarshal(b *testing.B) {
	proof := &stark.Proof{Params: stark.Default()}
	const rows, columns = 219, 3200
	cells := make([]goldilocks.Element, rows*columns)
	for i := range cells {
		cells[i] = goldilocks.Element(i + 1)
	}
	proof.Trees[backend.Main] = merkle.Opening{Rows: []merkle.Rows{{Width: columns, Cells: cells}}}
	data, err := proof.MarshalBinary()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := proof.MarshalBinary(); err != nil {
			b.Fatal(err)
		}
	}
}
