// Package absorb fills the tables of the accelerator for steps of Keccak's sponge on devices.
package absorb

import (
	_ "embed"

	"github.com/chiasmus/chiasmus/internal/header"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/absorb"
	permutations "github.com/chiasmus/chiasmus/prover/fill/device/keccak"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/machine"
)

var (
	//go:embed call.cuh
	callSource string
	//go:embed input.cuh
	inputSource string
)

// constants are the sizes that the sources use.
func constants() *header.Header {
	return header.New().Scoped("BLOCK_WORDS", circuit.BlockWords).Scoped("BLOCK_BYTES", circuit.BlockBytes).
		Scoped("SHIFTS", circuit.Shifts).Scoped("STATE_AT", 1+circuit.Words)
}

// Filler fills the accelerator's tables. For table Work, see package fill/device/keccak.
var Filler = accelerator.Filler{
	Kind:     &circuit.Kind,
	Call:     constants().Text() + inputSource + callSource,
	Includes: []string{"keccak.cuh"},
	Work: func(_, read int) *machine.DeviceFiller {
		return permutations.LimbsOf(permutations.Records{
			Set: read, Words: circuit.ReadWords, Input: constants().Text() + inputSource,
		})
	},
}
