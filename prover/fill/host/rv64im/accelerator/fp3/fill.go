// Package fp3 fills the rows of calls of the accelerators for the cubic extension on the host.
package fp3

import (
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp3"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Fillers of the rows of calls.
var (
	Row         = accelerator.Filler{Kind: &circuit.Row, Call: fillRow}
	MultiplyAdd = accelerator.Filler{Kind: &circuit.MultiplyAdd, Call: fillResult}
)

const maxLimb = 1<<32 - 1

// topInverse returns the inverse of the largest limb minus a word's high limb, or 0 if there is none.
func topInverse(word uint64) goldilocks.Element {
	return goldilocks.Element(maxLimb - word>>32).Inverse()
}

func fillRow(cells []goldilocks.Element, read, written []uint64) {
	excess := goldilocks.Element(0)
	for i, x := range read[:circuit.Block] {
		cells[i] = topInverse(x)
		if x >= goldilocks.Modulus {
			excess += goldilocks.Element(x & maxLimb)
		}
	}
	cells = cells[circuit.Block:]
	cells[0], cells[1], cells[2] = excess, 0, excess.Inverse()
	if excess != 0 {
		cells[1] = 1
	}
	fillResult(cells[3:], read, written)
}

// fillResult writes the columns of the element that is written.
func fillResult(cells []goldilocks.Element, _, written []uint64) {
	for i, w := range written[:circuit.Degree] {
		cells[2*i], cells[2*i+1] = goldilocks.Element(w>>16&0xffff), goldilocks.Element(w>>48)
		cells[2*circuit.Degree+i] = topInverse(w)
	}
}
