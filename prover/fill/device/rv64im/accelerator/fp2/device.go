// Package fp2 fills the rows of calls of the accelerator for BN254's quadratic field on devices.
package fp2

import (
	_ "embed"
	"math/big"

	"github.com/chiasmus/chiasmus/internal/header"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp2"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/relation"
)

//go:embed call.cuh
var callSource string

// Filler fills the rows of calls.
var Filler = accelerator.Filler{Kind: &circuit.Kind, Call: callText()}

// callText returns the device source of the rows of calls.
func callText() string {
	h := header.New().Scoped("MULTIPLY", circuit.Multiply).Scoped("ADD", circuit.Add).
		Scoped("SUBTRACT", circuit.Subtract).Scoped("LEAST_TOP", uint64(-circuit.LeastTop))
	for i, name := range circuit.Names {
		relation.Carries(h, name, circuit.Shapes[i])
	}
	relation.Primes(h, []*big.Int{circuit.Prime}, nil)
	return h.Text() + relation.Source + relation.Modular + callSource
}
