package prove_test

import (
	"bytes"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// wideProof has openings of the size of 219 queries of 3,200 columns, in matrices wide and narrow, and nothing else.
func wideProof() *protocol.Proof {
	proof := &protocol.Proof{Params: protocol.Default()}
	const rows, columns = 219, 3200
	cells := make([]goldilocks.Element, rows*columns)
	for i := range cells {
		cells[i] = goldilocks.Element(i + 1)
	}
	opening := merkle.Opening{Siblings: make([]merkle.Digest, 3)}
	for _, width := range []int{1, 2000, 3, 40, 40, 40, 1, columns - 2125} {
		opening.Rows = append(opening.Rows, merkle.Rows{Width: width, Cells: cells[:rows*width]})
		cells = cells[rows*width:]
	}
	proof.Trees[protocol.Main] = opening
	return proof
}

// Any number of workers appends the same bytes as one, also to memory that has other contents.
func TestEncodingOnAPool(t *testing.T) {
	proof := wideProof()
	want, err := proof.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	set := &protocol.Set{Shards: []*protocol.Proof{proof, proof}}
	wantSet, err := set.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	dirty := bytes.Repeat([]byte{0xff}, len(want)+1<<20)
	for _, workers := range []int{1, 2, 5} {
		got, err := proof.AppendOn(parallel.New(workers), append(dirty[:0], "before"...))
		if err != nil || string(got) != "before"+string(want) {
			t.Errorf("%d workers: other bytes than one (%v)", workers, err)
		}
		got, err = set.AppendOn(parallel.New(workers), append(dirty[:0], "before"...))
		if err != nil || string(got) != "before"+string(wantSet) {
			t.Errorf("%d workers: other bytes of a set than one (%v)", workers, err)
		}
	}
}

// The memory of a proof is reused for the next one, which is slightly longer.
func TestEncodingAgain(t *testing.T) {
	proof := wideProof()
	first, err := proof.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	opening := &proof.Trees[protocol.Main]
	opening.Siblings = make([]merkle.Digest, len(first)/20/len(merkle.Digest{}))
	second, err := proof.AppendBinary(first[:0])
	if err != nil || len(second) <= len(first) || &second[0] != &first[0] {
		t.Errorf("%d bytes after %d are in other memory (%v)", len(second), len(first), err)
	}
}

// BenchmarkMarshal encodes a proof of the size that 219 queries of 3,200 columns give.
func BenchmarkMarshal(b *testing.B) {
	proof := wideProof()
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
