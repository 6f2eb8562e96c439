// Package keccakf fills the table of permutations of the accelerator for Keccak-f[1600] on the host.
package keccakf

import (
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/keccakf"
	permutations "github.com/chiasmus/chiasmus/prover/fill/host/keccak"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Filler fills table Work; see package fill/host/keccak.
var Filler = accelerator.Filler{
	Kind: &circuit.Kind,
	Work: func(pool *parallel.Pool, columns [][]goldilocks.Element, _, read []uint64) {
		permutations.FillLimbs(pool, columns, read)
	},
}
