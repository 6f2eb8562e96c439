package soundnesstest

import (
	"math/bits"
	"slices"

	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/fri"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

func add(at *goldilocks.Element, delta goldilocks.Element) { *at = at.Add(delta) }

func addExtension(at *goldilocks.Extension, delta goldilocks.Extension) { *at = at.Add(delta) }

// fixSums recomputes the sums of the steps table from its other columns.
func fixSums(columns [][]goldilocks.Element) {
	var sum goldilocks.Element
	for row := range 1 << toyStepsLog {
		columns[stepsSum][row] = sum
		sum = sum.Add(columns[stepsOn][row].Mul(columns[stepsX][row]))
	}
}

// claiming is the valid execution with another claim.
func claiming(truth machine.Execution, change func(*circuit.Public)) *machine.Mutated {
	public := truth.Public()
	claim := circuit.Public{Values: slices.Clone(public.Values), Data: slices.Clone(public.Data)}
	change(&claim)
	return &machine.Mutated{Execution: truth, Claim: &claim}
}

// publicSumPlus is the toy's valid execution with another public sum.
func publicSumPlus(delta goldilocks.Element) machine.Execution {
	return claiming(toyExecution{}, func(public *circuit.Public) { add(&public.Values[publicSum], delta) })
}

// changing is the toy's true execution with changed columns of one table.
func changing(table int, change func(columns [][]goldilocks.Element)) *machine.Mutated {
	return &machine.Mutated{Execution: toyExecution{}, Change: func(instance int, columns [][]goldilocks.Element) {
		if instance == table {
			change(columns)
		}
	}}
}

// hide changes the coordinates c0 + c1 w + c2 w^2 of the first extension value without changing the value.
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

// joiningAt is the codeword that joins at the height of a class.
func joiningAt(a cpu.Access, logHeight int) goldilocks.ExtensionVector {
	joining, ok := a.Joining(1 << (logHeight + params().LogBlowup))
	if !ok {
		panic("no codeword joins at this height")
	}
	return joining
}

// addMonomial adds y^degree to a codeword. Codewords of a class of n rows have degree n-1 at most.
func addMonomial(codeword goldilocks.ExtensionVector, degree uint64) {
	logSize := bits.Len(uint(len(codeword.C[0]))) - 1
	for i := range codeword.C[0] {
		add(&codeword.C[0][i], fri.Point(logSize, uint64(i)).Exp(degree))
	}
}

// dropRow omits the last opened row of a tree's first matrix.
func dropRow(o *merkle.Opening) {
	rows := &o.Rows[0]
	rows.Cells = rows.Cells[:len(rows.Cells)-rows.Width]
}
