package keccak

import (
	circuit "github.com/chiasmus/chiasmus/prover/circuit/keccak"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Sizes of the circuit.
const (
	lanes      = circuit.Lanes
	laneBits   = circuit.LaneBits
	nibbleBits = circuit.NibbleBits
	rateBytes  = circuit.RateBytes
	rateLanes  = circuit.RateLanes
	rounds     = circuit.Rounds
)

// column is a column of a table.
type column = []goldilocks.Element
