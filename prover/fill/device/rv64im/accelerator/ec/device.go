// Package ec fills the rows of calls of the accelerators for points of elliptic curves on devices.
package ec

import (
	_ "embed"
	"fmt"
	"math/big"

	"github.com/chiasmus/chiasmus/internal/header"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/ec"
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

// Fillers returns the fillers of all families.
func Fillers() (list []accelerator.Filler) {
	for _, f := range []*circuit.Family{circuit.Of256, circuit.Of384} {
		list = append(list, accelerator.Filler{Kind: &f.Add, Call: callText(f, &f.AddShapes, addSource)},
			accelerator.Filler{Kind: &f.Double, Call: callText(f, &f.DoubleShapes, doubleSource)})
	}
	return list
}

// callText returns the device source of the rows of calls.
func callText(f *circuit.Family, shapes *circuit.Shapes, source string) string {
	var primes []*big.Int
	var coefficients []uint64 // negated
	flags := "template <class C, class R> DEVICE void put_curve(const R &row, u32 curve) {\n    (void)row, (void)curve;\n"
	for i, c := range f.Curves {
		primes, coefficients = append(primes, c.Prime), append(coefficients, uint64(-c.Coefficient))
		if i > 0 {
			flags += fmt.Sprintf("    row.put(C::%s, curve == %d);\n", c.Name, i)
		}
	}
	h := header.New().Scoped("CURVES", uint64(len(primes))).Scoped("LEAST_TOP", uint64(-f.LeastTop))
	relation.Carries(h, "slope", shapes.Slope)
	relation.Carries(h, "x", shapes.X)
	relation.Carries(h, "y", shapes.Y)
	minusTwo := func(p *big.Int) *big.Int { return new(big.Int).Sub(p, big.NewInt(2)) } // the exponent of an inverse
	relation.Primes(h, f.Size, primes, minusTwo)
	h.Table("coefficients", coefficients)
	return relation.Source(h, f.Size) + relation.Modular + flags + "}\n" + pointSource + source
}
