package instances

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// ladderStep is how far apart, as powers of two, the heights of a compact plan are: a fold of arity 8 leads from one to
// the next, so the ladder takes as few FRI layers as its largest height alone.
const ladderStep = 3

// compactShare is how many times the cells of a compact plan go into the cells that a ladder may add to it.
const compactShare = 4

// Compact plans the instances of a small proof: one of each table where its rows fit, because a query opens every
// column of every instance. Heights are raised to a ladder below the tallest if that adds few cells, because every
// other height is a layer of FRI.
func Compact(rows [table.Count]int) (Plan, error) {
	var plan Plan
	for t := range plan {
		var err error
		if plan[t], err = Cut(table.Table(t), rows[t], 1<<MaxLog); err != nil {
			return Plan{}, err
		}
	}
	if raised := plan.onLadder(); raised.Cells() <= plan.Cells()+plan.Cells()/compactShare {
		return raised, nil
	}
	return plan, nil
}

// onLadder is the plan with heights raised to the next one that lies a whole number of steps below the tallest. Tables
// of a program keep the heights of their key.
func (p *Plan) onLadder() (raised Plan) {
	top := MinLog
	for log := range p.Heights() {
		top = max(top, log)
	}
	for t, logs := range p {
		raised[t] = slices.Clone(logs)
		if table.Table(t) == table.Image || table.Table(t) == table.Program || table.Table(t) == table.Register {
			continue
		}
		for i, log := range logs {
			raised[t][i] = top - (top-log)/ladderStep*ladderStep
		}
	}
	return raised
}
