package circuit

import (
	"encoding/hex"
	"strings"

	"github.com/chiasmus/chiasmus/prover/merkle"
)

// PinnedCaps is a [Machine.FixedCap] of known caps: by hash and log blowup, a text with the nodes of a cap in
// hexadecimal. Lower caps follow from it: above the fixed tables' heights a node is the hash of the two below.
func PinnedCaps(listed map[merkle.Hash]map[int]string) func(hash merkle.Hash, logBlowup,
	capHeight int) ([]merkle.Digest, bool) {
	return func(hash merkle.Hash, logBlowup, capHeight int) ([]merkle.Digest, bool) {
		var nodes []merkle.Digest
		for _, line := range strings.Fields(listed[hash][logBlowup]) {
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
}
