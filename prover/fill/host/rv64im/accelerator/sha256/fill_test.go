package sha256

import (
	"slices"
	"testing"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/sha256"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// A word of the state that a call leaves unchanged has no carry. No message with this property is known: the words are
// made up.
func TestUnchangedWordsCarryNothing(t *testing.T) {
	read := make([]uint64, circuit.ReadWords)
	for i := range read[8:] {
		read[8+i] = 0x89abcdef_01234567 * uint64(i)
	}
	written := slices.Clone(read[8:])
	written[0]++          // the first word grows by 1 from 0, which carries nothing either
	written[1] -= 1 << 32 // the fourth word has become less: it carries
	cells := make([]goldilocks.Element, 16)
	fillCall(cells, read, written)
	if want := []goldilocks.Element{0, 0, 0, 1, 0, 0, 0, 0}; !slices.Equal(cells[8:], want) {
		t.Errorf("carries %d, want %d", cells[8:], want)
	}
}
