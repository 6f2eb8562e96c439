// Package keccakf fills the tables of the accelerator for Keccak-f[1600] on devices.
package keccakf

import (
	_ "embed"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/keccakf"
	permutations "github.com/chiasmus/chiasmus/prover/fill/device/keccak"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/machine"
)

//go:embed call.cuh
var call string

// Filler fills the accelerator's tables. For table Work, see package fill/device/keccak.
var Filler = accelerator.Filler{
	Kind:     &circuit.Kind,
	Call:     call,
	Includes: []string{"keccak.cuh"},
	Work:     func(_, read int) *machine.DeviceFiller { return permutations.Limbs(read) },
}
