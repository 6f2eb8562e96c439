// Package ec256 fills the rows of calls of the accelerators for points of 256-bit elliptic curves on devices.
package ec256

import (
	_ "embed"
	"math/big"

	"github.com/chiasmus/chiasmus/internal/header"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/ec256"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/relation"
)

var (
	//go:embed point.cuh
	pointSource string
	//go:embed add.cuh
	addSource string
	//go:embed double.cuh
	doubleSource string
)

// Fillers of the rows of calls.
var (
	Add    = accelerator.Filler{Kind: &circuit.Add, Call: callText(circuit.AddShapes, addSource)}
	Double = accelerator.Filler{Kind: &circuit.Double, Call: callText(circuit.DoubleShapes, doubleSource)}
)

// callText returns the device source of the rows of calls.
func callText(shapes circuit.Shapes, source string) string {
	var primes []*big.Int
	var coefficients []uint64 // negated
	for _, c := range circuit.Curves {
		primes, coefficients = append(primes, c.Prime), append(coefficients, uint64(-c.Coefficient))
	}
	h := header.New().Scoped("CURVES", uint64(len(primes))).Scoped("LEAST_TOP", uint64(-circuit.LeastTop))
	relation.Carries(h, "slope", shapes.Slope)
	relation.Carries(h, "x", shapes.X)
	relation.Carries(h, "y", shapes.Y)
	relation.Primes(h, primes, func(p *big.Int) *big.Int { return new(big.Int).Sub(p, big.NewInt(2)) }) // an inverse
	h.Table("coefficients", coefficients)
	return h.Text() + relation.Source + relation.Modular + pointSource + source
}
