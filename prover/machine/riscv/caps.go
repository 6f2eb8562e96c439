package riscv

import (
	_ "embed"
	"encoding/hex"
	"strings"

	"github.com/chiasmus/chiasmus/prover/keccak"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Committing to the fixed tables takes 2^16 rows to extend and hash, a fifth of what a verification takes, and no
// program changes them. So their caps are here, for the blowups of the presets, and whoever verifies need not.
var (
	//go:embed caps_2.txt
	capAtBlowup2 string
	//go:embed caps_4.txt
	capAtBlowup4 string
)

// listedCapHeight is the height of the caps in the files, a node a line in hexadecimal.
const listedCapHeight = 4

// fixedCap is the cap of the fixed columns, where it is listed or follows from one that is: above the fixed tables'
// heights a node is the hash of the two below.
func fixedCap(logBlowup, capHeight int) ([]merkle.Digest, bool) {
	listed := map[int]string{1: capAtBlowup2, 2: capAtBlowup4}[logBlowup]
	var nodes []merkle.Digest
	for _, line := range strings.Fields(listed) {
		var node merkle.Digest
		if decoded, err := hex.DecodeString(line); err != nil || copy(node[:], decoded) != len(node) {
			return nil, false
		}
		nodes = append(nodes, node)
	}
	if capHeight > listedCapHeight || len(nodes) != 1<<listedCapHeight {
		return nil, false
	}
	for len(nodes) > 1<<capHeight {
		above := make([]merkle.Digest, len(nodes)/2)
		keccak.HashNodes(above, nodes, nil)
		nodes = above
	}
	return nodes, true
}
