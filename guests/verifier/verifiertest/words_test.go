package verifiertest

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// wordsCheat is a proof that is changed where only files in words have something, and the verdict.
type wordsCheat struct {
	name, verdict string
	words         []byte
}

// wordsCheats change the proof of a run.
func wordsCheats(t *testing.T) []wordsCheat {
	s := cached(t, "rv64im-3")
	words := aggregate.InWords(s.file)
	const parameters, size = 8 + 8, 9 // magic and version come first
	leaves, width := leavesIn(t, s, words)
	end := leaves + 8*int(binary.LittleEndian.Uint64(words[leaves-8:]))
	more := slices.Insert(bytes.Clone(words), end, make([]byte, 64)...)
	return []wordsCheat{
		{"a byte after the parameters", "VERIFIER_FILE_TRAILING", flipped(words, parameters+size)},
		{"a cell after a leaf's rows", "VERIFIER_FILE_TRAILING", flipped(words, leaves+8*width)},
		{"a leaf too many", "VERIFIER_OPENING", edited(more, leaves-8, uint64(end+64-leaves)/8)},
	}
}

// leavesIn is where the leaves of a tree begin, after their number: with a row of the tallest table. It is the first
// tree whose leaves end in zeros. The width is the number of cells of the first leaf, without these zeros.
func leavesIn(t *testing.T, s *subject, words []byte) (at, width int) {
	var proof protocol.Proof
	must(t, proof.UnmarshalBinary(s.file))
	for tree := protocol.Main; tree <= protocol.Auxiliary; tree++ {
		row, width := firstLeaf(&proof, tree)
		at := bytes.Index(words, row)
		if width%8 != 0 && at >= 0 && !bytes.Contains(words[at+1:], row) {
			return at, width
		}
	}
	t.Fatal("no tree's first row is there exactly once, in a leaf that ends in zeros")
	return 0, 0
}

// firstLeaf returns the row of the tallest table in the first opened leaf of a tree, and the number of the leaf's
// cells.
func firstLeaf(proof *protocol.Proof, tree protocol.Phase) (row []byte, width int) {
	tallest, height, matrix := 0, 0, 0
	for i, instance := range proof.Instances {
		if len(proof.Openings[tree][i].Current) == 0 {
			continue
		}
		columns := proof.Trees[tree].Rows[matrix].Width
		switch {
		case instance.LogHeight > height:
			tallest, height, width = matrix, instance.LogHeight, columns
		case instance.LogHeight == height:
			width += columns
		}
		matrix++
	}
	for _, cell := range proof.Trees[tree].Rows[tallest].Row(0) {
		row = binary.LittleEndian.AppendUint64(row, uint64(cell))
	}
	return row, width
}

// What only files in words have is checked.
func TestWordsCheats(t *testing.T) {
	native, s := start(t), cached(t, "rv64im-3")
	for _, c := range wordsCheats(t) {
		if have := native.verifyWords(t, c.words, s.id()); have != c.verdict {
			t.Errorf("%s: %s, want %s", c.name, have, c.verdict)
		}
	}
}
