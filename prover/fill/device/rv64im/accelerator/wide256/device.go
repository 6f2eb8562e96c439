// Package wide256 fills the rows of calls of the accelerator for products of 256-bit numbers on devices.
package wide256

import (
	_ "embed"

	"github.com/chiasmus/chiasmus/internal/header"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/wide256"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/relation"
)

//go:embed call.cuh
var callSource string

// Filler fills the rows of calls.
var Filler = accelerator.Filler{Kind: &circuit.Kind, Call: callText()}

// callText returns the device source of the rows of calls.
func callText() string {
	h := header.New()
	relation.Carries(h, "sum", circuit.Shape)
	return relation.Source(h, circuit.NumberWords) + callSource
}
