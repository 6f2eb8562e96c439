package riscv

import (
	_ "embed"
	"encoding/hex"
	"strings"

	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Committing to the fixed tables takes 2^16 rows to extend and hash, a fifth of what a verification takes, and no
// program changes them. So their caps are here, for the blowups of the presets, and whoever verifies need not.
var (
	//go:embed caps_2.txt
	capAtBlowup2 string
	//go:embed caps_4.txt
	capAtBlowup4 string

	//go:embed caps_blake3_2.txt
	blake3CapAtBlowup2 string
	//go:embed caps_blake3_4.txt
	blake3CapAtBlowup4 string
	//go:embed caps_blake3_8.txt
	blake3CapAtBlowup8 string
	//go:embed caps_blake3_16.txt
	blake3CapAtBlowup16 string
)

// listedCaps are the files by hash and log blowup, a node a line in hexadecimal.
var listedCaps = map[merkle.Hash]map[int]string{
	merkle.Keccak: {1: capAtBlowup2, 2: capAtBlowup4},
	merkle.Blake3: {1: blake3CapAtBlowup2, 2: blake3CapAtBlowup4, 3: blake3CapAtBlowup8, 4: blake3CapAtBlowup16},
}

// listedCapHeights are the heights of the caps in the files: those of most presets, and that of protocol 3's keys.
var listedCapHeights = map[merkle.Hash]int{merkle.Keccak: 4, merkle.Blake3: 6}

// fixedCap is the cap of the fixed columns, where it is listed or follows from one that is: above the fixed tables'
// heights a node is the hash of the two below.
func fixedCap(hash merkle.Hash, logBlowup, capHeight int) ([]merkle.Digest, bool) {
	listed, height := listedCaps[hash][logBlowup], listedCapHeights[hash]
	var nodes []merkle.Digest
	for _, line := range strings.Fields(listed) {
		var node merkle.Digest
		if decoded, err := hex.DecodeString(line); err != nil || copy(node[:], decoded) != len(node) {
			return nil, false
		}
		nodes = append(nodes, node)
	}
	if capHeight > height || len(nodes) != 1<<height {
		return nil, false
	}
	for len(nodes) > 1<<capHeight {
		nodes = merkle.Parents(hash, nodes)
	}
	return nodes, true
}
