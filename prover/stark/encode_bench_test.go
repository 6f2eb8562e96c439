package stark_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// BenchmarkMarshal encodes a proof of the size that 219 queries of 3,200 columns give.
func BenchmarkMarshal(b *testing.B) {
	proof := &stark.Proof{Params: stark.Default()}
	rows := make([][]goldilocks.Element, 219)
	for i := range rows {
		rows[i] = make([]goldilocks.Element, 3200)
		for j := range rows[i] {
			rows[i][j] = goldilocks.Element(i*j + 1)
		}
	}
	proof.Trees[1] = merkle.Opening{Rows: [][][]goldilocks.Element{rows}}
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
