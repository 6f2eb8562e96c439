package air

// A quotient by Z = x^n - 1 takes 2n points to interpolate only where its degree
// reaches n. A constraint is low where its polynomial's degree is at most 2n - 1,
// so that its share of the quotient is below n and n points fix it.
//
// Columns have degree n - 1 and so have First and Last, which count one degree
// each: d degrees are d(n-1). Transition counts none but adds one power of x
// for each factor. With t of them d(n-1) + t <= 2n - 1 holds for d = 2 and
// t <= 1, and for d <= 1 with t <= n.
const (
	lowDegree      = 2
	lowTransitions = 1
)

// lowConstraints says of each constraint whether it is low.
func (t *Table) lowConstraints() []bool {
	// The most transition selectors in a product below each node. Where a sum
	// has its highest degree in another term, that is more than needed.
	transitions := make([]uint8, len(t.Graph))
	for id, n := range t.Graph {
		switch n.Op {
		case Transition:
			transitions[id] = 1
		case Add, Sub:
			transitions[id] = max(transitions[n.A], transitions[n.B])
		case Mul:
			transitions[id] = min(transitions[n.A]+transitions[n.B], lowTransitions+1)
		}
	}
	low := make([]bool, len(t.Constraints))
	for i, c := range t.Constraints {
		low[i] = c.Degree <= lowDegree && transitions[c.Root] <= lowTransitions
	}
	return low
}
