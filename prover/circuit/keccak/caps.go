package keccak

import (
	_ "embed"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// The caps of the fixed table, for the blowups of the presets: a verifier that knows them needs no transforms.
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

var pinnedCaps = circuit.PinnedCaps{
	merkle.Keccak: {1: &capAtBlowup2, 2: &capAtBlowup4},
	merkle.Blake3: {1: &blake3CapAtBlowup2, 2: &blake3CapAtBlowup4, 3: &blake3CapAtBlowup8, 4: &blake3CapAtBlowup16},
}
