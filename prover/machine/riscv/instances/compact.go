package instances

import (
	"maps"
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// ladderStep is the distance between the log heights of a compact plan. A fold of arity 8 leads from one height to the
// next, so a ladder takes no more FRI layers than its largest height alone.
const ladderStep = 3

// The cells that raising heights may add to a compact plan, as a divisor of its cells: for all heights on a ladder, and
// for fewer heights. Every removed height makes a proof of `small` 1 % to 2 % smaller.
const (
	compactShare = 4
	joinShare    = 16
)

// Compact plans the instances of a small proof. Each table has one instance if its rows fit, because a query opens
// every column of every instance. Heights are raised to a ladder below the tallest if that adds few cells, because
// every other height is a layer of FRI. Otherwise low heights are joined, which adds hardly any cells.
func Compact(rows [table.Count]int) (Plan, error) {
	plan, err := uncut(rows)
	if err != nil {
		return Plan{}, err
	}
	if raised, ok := plan.raisedToLadder(); ok {
		return raised, nil
	}
	return plan.joined(joinShare), nil
}

// Smallest plans the instances of the smallest proof. Unlike Compact, it also accepts a quarter more cells for joining
// heights.
func Smallest(rows [table.Count]int) (Plan, error) {
	plan, err := uncut(rows)
	if err != nil {
		return Plan{}, err
	}
	joined := plan.joined(compactShare)
	if raised, ok := plan.raisedToLadder(); ok && layers(raised.Heights()) < layers(joined.Heights()) {
		return raised, nil
	}
	return joined, nil
}

// raisedToLadder returns the plan with heights on a ladder, and whether that adds few cells.
func (p *Plan) raisedToLadder() (raised Plan, ok bool) {
	plan := *p
	raised = plan.onLadder()
	return raised, raised.Cells() <= plan.Cells()+plan.Cells()/compactShare
}

// uncut returns the plan with one instance of each table whose rows fit one.
func uncut(rows [table.Count]int) (plan Plan, err error) {
	for t := range plan {
		if plan[t], err = cut(table.Table(t), rows[t], 1<<MaxLog); err != nil {
			return Plan{}, err
		}
	}
	return plan, nil
}

// joined returns the plan with the fewest layers of FRI, and then the fewest cells, among the plans that keep some of
// the heights and raise all other instances to the next kept height. It adds at most 1/share of the cells.
func (p *Plan) joined(share uint64) Plan {
	top := p.tallest()
	var free []int // heights that may be removed
	lone := p.raised(func(int) int { return top })
	kept := lone.Heights() // the heights of fixed tables and keys stay
	kept[top] = true
	for log := range p.Heights() {
		if !kept[log] {
			free = append(free, log)
		}
	}
	best, fewest, cells, limit := *p, layers(p.Heights()), p.Cells(), p.Cells()+p.Cells()/share
	for set := range 1 << len(free) {
		for i, log := range free {
			kept[log] = set>>i&1 == 1
		}
		raised := p.raised(func(log int) int {
			for !kept[log] {
				log++
			}
			return log
		})
		count, own := layers(raised.Heights()), raised.Cells()
		if own <= limit && (count < fewest || count == fewest && own < cells) {
			best, fewest, cells = raised, count, own
		}
	}
	return best
}

// layers returns the number of FRI layers from the tallest to the lowest of some heights, with folds of arity up to 8.
func layers(heights map[int]bool) (count int) {
	sorted := slices.Sorted(maps.Keys(heights))
	for i, log := range sorted[1:] {
		count += (log - sorted[i] + ladderStep - 1) / ladderStep
	}
	return count
}

// onLadder returns the plan with each height raised to the next height that is a whole number of steps below the
// tallest.
func (p *Plan) onLadder() Plan {
	top := p.tallest()
	return p.raised(func(log int) int { return top - (top-log)/ladderStep*ladderStep })
}

func (p *Plan) tallest() int {
	top := MinLog
	for log := range p.Heights() {
		top = max(top, log)
	}
	return top
}

// raised returns the plan with other heights. Tables of a program keep the heights of their key.
func (p *Plan) raised(to func(log int) int) (raised Plan) {
	for t, logs := range p {
		raised[t] = slices.Clone(logs)
		if table.Table(t) == table.Image || table.Table(t) == table.Program || table.Table(t) == table.Register {
			continue
		}
		for i, log := range logs {
			raised[t][i] = to(log)
		}
	}
	return raised
}
