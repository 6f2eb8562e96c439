package circuit

import (
	"encoding/hex"
	"strings"

	"github.com/chiasmus/chiasmus/prover/merkle"
)

// PinnedCaps holds known caps of a machine's fixed columns: for each hash, by log blowup, a text with the nodes of a
// cap in hexadecimal, or nil.
type PinnedCaps [merkle.Hashes][]*string

// Cap implements [Machine.FixedCap]. Lower caps follow from the known ones: above the fixed tables' heights a node is
// the hash of the two below.
func (p PinnedCaps) Cap(hash merkle.Hash, logBlowup, capHeight int) ([]merkle.Digest, bool) {
	if hash >= merkle.Hashes {
		return nil, false
	}
	texts := p[hash]
	if logBlowup >= len(texts) || texts[logBlowup] == nil {
		return nil, false
	}
	var nodes []merkle.Digest
	for _, line := range strings.Fields(*texts[logBlowup]) {
		var node merkle.Digest
		if decoded, err := hex.DecodeString(line); err != nil || copy(node[:], decoded) != len(node) {
			return nil, false
		}
		nodes = append(nodes, node)
	}
	for len(nodes) > 1<<capHeight {
		nodes = merkle.Parents(hash, nodes)
	}
	return nodes, len(nodes) == 1<<capHeight
}
