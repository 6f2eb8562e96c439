// Package field fills the rows of calls of the accelerators for arithmetic modulo a number on devices.
package field

import (
	_ "embed"
	"math/big"

	"github.com/chiasmus/chiasmus/internal/header"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/field"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/relation"
)

//go:embed call.cuh
var callSource string

// Fillers returns the fillers of all sizes.
func Fillers() (list []accelerator.Filler) {
	for _, f := range []*circuit.Field{circuit.Of256, circuit.Of384} {
		list = append(list, accelerator.Filler{Kind: &f.Kind, Call: callText(f)})
	}
	return list
}

// callText returns the device source of the rows of calls.
func callText(f *circuit.Field) string {
	h := header.New().Scoped("MULTIPLY", circuit.Multiply).Scoped("INVERSE", circuit.Inverse).
		Scoped("ROOT", circuit.Root).Scoped("ENOUGH", uint64(f.Enough)).Scoped("PRIMES", uint64(len(f.Primes)))
	relation.Carries(h, "result", f.Shape)
	relation.Primes(h, f.Size, f.Primes, func(p *big.Int) *big.Int { // a square's root: the primes are 3 mod 4
		return new(big.Int).Rsh(new(big.Int).Add(p, big.NewInt(1)), 2)
	})
	return relation.Source(h, f.Size) + callSource
}
