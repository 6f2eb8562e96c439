package blake

import (
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// FillRow writes the row of a round, which changes the state.
func FillRow(f *circuit.Function, row []goldilocks.Element, time uint64, round int,
	state, block *[circuit.Words]uint64) {
	function{f}.fillRow(row, time, round, state, block)
}
