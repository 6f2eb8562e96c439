package soundnesstest

import (
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/fri"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

func add(at *goldilocks.Element, delta goldilocks.Element) { *at = at.Add(delta) }

func addExtension(at *goldilocks.Extension, delta goldilocks.Extension) { *at = at.Add(delta) }

// fixSums makes the sums of the steps table follow from its other columns again.
func fixSums(columns [][]goldilocks.Element) {
	var sum goldilocks.Element
	for row := range 1 << toyStepsLog {
		columns[stepsSum][row] = sum
		sum = sum.Add(columns[stepsOn][row].Mul(columns[stepsX][row]))
	}
}

// publicSumPlus is the true witness with another public sum.
func publicSumPlus(delta goldilocks.Element) machine.Witness {
	public := toyWitness{}.Public()
	add(&public[publicSum], delta)
	return &machine.Mutated{Witness: toyWitness{}, PublicValues: public}
}

func last(columns [][]goldilocks.Element) []goldilocks.Element { return columns[len(columns)-1] }

// hide changes the coordinates c0 + c1 w + c2 w^2 of the first extension value and not the value.
func hide(coordinates []goldilocks.Extension) {
	w := goldilocks.Extension{0, 1}
	addExtension(&coordinates[0], w)
	addExtension(&coordinates[1], goldilocks.Extension{minus(1)})
}

func addToAll(codeword goldilocks.ExtensionVector, delta goldilocks.Element) {
	for i := range codeword.C[0] {
		add(&codeword.C[0][i], delta)
	}
}

// joiningAt is the codeword that joins at the height of a table.
func joiningAt(c backend.Codewords, logHeight int) goldilocks.ExtensionVector {
	joining, ok := cpu.Joining(c, 1<<(logHeight+params().LogBlowup))
	if !ok {
		panic("no codeword joins at this height")
	}
	return joining
}

// addMonomial adds y^degree to a codeword. Those of a table of n rows have degree n-1 at most.
func addMonomial(codeword goldilocks.ExtensionVector, degree uint64) {
	logSize := bits.Len(uint(len(codeword.C[0]))) - 1
	for i := range codeword.C[0] {
		add(&codeword.C[0][i], fri.Point(logSize, uint64(i)).Exp(degree))
	}
}

func addAt(c backend.Codewords, now bool) {
	if now {
		addToAll(cpu.Current(c), 1)
	}
}

func dropRow(now bool, o *merkle.Opening) {
	if now {
		o.Rows[0] = o.Rows[0][:len(o.Rows[0])-1]
	}
}
