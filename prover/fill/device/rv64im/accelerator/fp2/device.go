// Package fp2 fills the rows of calls of the accelerators for quadratic fields on devices.
package fp2

import (
	_ "embed"
	"math/big"

	"github.com/chiasmus/chiasmus/internal/header"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp2"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/relation"
)

var (
	//go:embed part.cuh
	partSource string
	//go:embed operation.cuh
	operationSource string
	//go:embed sum.cuh
	sumSource string
)

// Fillers returns the fillers of all fields.
func Fillers() (list []accelerator.Filler) {
	for _, f := range []*circuit.Field{circuit.OfBN254, circuit.OfBLS12381} {
		list = append(list, accelerator.Filler{Kind: &f.Operation, Call: callText(f, operationSource)},
			accelerator.Filler{Kind: &f.Sum, Call: callText(f, sumSource)})
	}
	return list
}

// callText returns the device source of the rows of calls.
func callText(f *circuit.Field, source string) string {
	h := header.New().Scoped("MULTIPLY", circuit.Multiply).Scoped("ADD", circuit.Add).
		Scoped("SUBTRACT", circuit.Subtract).Scoped("LEAST_TOP", uint64(-circuit.LeastTop))
	for i, name := range circuit.Names {
		relation.Carries(h, name, f.Shapes[i])
	}
	relation.Primes(h, f.Size, []*big.Int{f.Prime}, nil)
	return relation.Source(h, f.Size) + relation.Modular + partSource + source
}
