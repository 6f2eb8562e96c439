package instances

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Costs of verifying a proof, in cells of the aggregator's run (guests/verifier): for a column of an instance, for a
// height, and for a layer of FRI. Each is the cost per query times 240, because aggregated proofs with blowup 2 have
// 220 to 253 queries. The proof of the aggregator's run has the same blowup, so its cells cost as much as the cells of
// the proof that it verifies.
const (
	columnCost = 180_000
	heightCost = 8_000_000
	layerCost  = 8_000_000
)

// paddings are the limits that are tried, as powers of two: an instance with more rows of padding is cut once more.
// Fewer rows of padding than the cost of a column are cheaper than another instance of any table; coarser cuts serve
// runs of few tables, where heights decide.
var paddings = []int{15, 16, 17, 18, 19, 20, 22, MaxLog}

// ForAggregation plans the instances of a proof that another proof verifies, for the fewest cells of both proofs
// together.
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

// total returns the number of cells of a proof and of its verification.
func (p *Plan) total() uint64 {
	heights := p.Heights()
	return p.Cells() + columnCost*uint64(p.Columns()) + heightCost*uint64(len(heights)) +
		layerCost*uint64(layers(heights))
}

// cheapened improves the plan greedily, while that lowers the total cost. Each step is the change that saves the most:
// all instances of a height are raised to the next height, or the two lowest instances of a table are joined.
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
