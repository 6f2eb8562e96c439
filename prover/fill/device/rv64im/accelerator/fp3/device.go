// Package fp3 fills the rows of calls of the accelerators for the cubic extension on devices.
package fp3

import (
	_ "embed"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp3"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator"
)

var (
	//go:embed result.cuh
	resultSource string
	//go:embed row.cuh
	rowSource string
	//go:embed multiply.cuh
	multiplySource string
)

// Fillers of the rows of calls.
var (
	Row         = accelerator.Filler{Kind: &circuit.Row, Call: resultSource + rowSource}
	MultiplyAdd = accelerator.Filler{Kind: &circuit.MultiplyAdd, Call: resultSource + multiplySource}
)
