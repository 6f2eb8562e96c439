// Package field256 fills the rows of calls of the accelerator for arithmetic modulo a 256-bit number on devices.
package field256

import (
	_ "embed"
	"math/big"

	"github.com/chiasmus/chiasmus/internal/header"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/field256"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/relation"
)

//go:embed call.cuh
var callSource string

// Filler fills the rows of calls.
var Filler = accelerator.Filler{Kind: &circuit.Kind, Call: callText()}

// callText returns the device source of the rows of calls.
func callText() string {
	h := header.New().Scoped("MULTIPLY", circuit.Multiply).Scoped("INVERSE", circuit.Inverse).
		Scoped("ROOT", circuit.Root).Scoped("ENOUGH", circuit.Enough).Scoped("PRIMES", uint64(len(circuit.Primes)))
	relation.Carries(h, "result", circuit.Shape)
	relation.Primes(h, circuit.Primes[:], func(p *big.Int) *big.Int { // a square's root: the primes are 3 mod 4
		return new(big.Int).Rsh(new(big.Int).Add(p, big.NewInt(1)), 2)
	})
	return h.Text() + relation.Source + callSource
}
