package instances

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// What the verification of a proof costs, in cells of the aggregator's run (guests/verifier): for a column of an
// instance, for a height, and for a layer of FRI. They are costs of a query times 240, because proofs with blowup 2
// that are aggregated have 220 to 253 queries. The proof of that run has the same blowup, so its cells cost the same as
// those of the proof that it verifies.
const (
	columnCost = 180_000
	heightCost = 8_000_000
	layerCost  = 8_000_000
)

// paddings are the cuts that are tried, as powers of two: the most rows of padding of an instance before it is cut once
// more. Padding of fewer rows than the cost of a column is cheaper than another instance, whatever the table; coarser
// cuts serve runs of few tables, where heights decide.
var paddings = []int{15, 16, 17, 18, 19, 20, 22, MaxLog}

// ForAggregation plans the instances of a proof that another proof verifies: with the fewest cells of both together.
func ForAggregation(rows [table.Count]int) (best Plan, err error) {
	for i, log := range paddings {
		var plan Plan
		for t := range plan {
			if plan[t], err = cut(table.Table(t), rows[t], 1<<log); err != nil {
				return Plan{}, err
			}
		}
		plan = plan.cheapened()
		if i == 0 || plan.total() < best.total() {
			best = plan
		}
	}
	return best, nil
}

// total returns the number of cells of a proof and its verification.
func (p *Plan) total() uint64 {
	heights := p.Heights()
	return p.Cells() + columnCost*uint64(p.Columns()) + heightCost*uint64(len(heights)) +
		layerCost*uint64(layers(heights))
}

// cheapened changes the plan as long as that makes proof and verification cheaper, each time by the change that saves
// the most: all instances of a height are raised to the next height, or the two lowest instances of a table become one.
func (p *Plan) cheapened() Plan {
	best := *p
	for {
		better, cost := best, best.total()
		consider := func(changed Plan) {
			if own := changed.total(); own < cost {
				better, cost = changed, own
			}
		}
		sorted := heightsOf(&best)
		for i, removed := range sorted[:len(sorted)-1] {
			consider(best.raised(func(log int) int {
				if log == removed {
					return sorted[i+1]
				}
				return log
			}))
		}
		for t, logs := range best {
			if n := len(logs); n > 1 && logs[n-2] < MaxLog {
				joined := best
				joined[t] = append(slices.Clone(logs[:n-2]), logs[n-2]+1)
				slices.SortFunc(joined[t], func(a, b int) int { return b - a })
				consider(joined)
			}
		}
		if cost == best.total() {
			return best
		}
		best = better
	}
}

func heightsOf(p *Plan) (sorted []int) {
	for log := range p.Heights() {
		sorted = append(sorted, log)
	}
	slices.Sort(sorted)
	return sorted
}
