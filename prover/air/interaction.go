package air

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// Send sends a message multiplicity times in every row. Constraints must keep
// the multiplicity within 0 to bound.
func (b *Builder) Send(bus Bus, multiplicity Expr, bound uint64, values ...Expr) {
	if bound == 0 {
		b.fail("a send on bus %s declares no bound of its multiplicity", bus.Name)
	}
	b.interact(Send, bus, multiplicity, bound, values)
}

// Receive receives a message multiplicity times in every row. A bound of 0
// leaves the multiplicity free, as in a lookup table.
func (b *Builder) Receive(bus Bus, multiplicity Expr, bound uint64, values ...Expr) {
	b.interact(Receive, bus, multiplicity, bound, values)
}

// LookupTable makes the table a lookup table of a bus: row r receives the
// message values as often as the count column says, and every message m in
// the table is the one of row sum weights[i] * m[i]. The prover counts.
func (b *Builder) LookupTable(bus Bus, count Expr, weights []uint64, values ...Expr) {
	column := b.table.Graph[b.node(count)]
	switch {
	case column.Op != Main || column.Next:
		b.fail("the count of lookup bus %s is not a main column", bus.Name)
	case b.table.Lookup != nil:
		b.fail("it is the lookup table of bus %s and of bus %s", b.table.Lookup.Bus.Name, bus.Name)
	case len(weights) != bus.Arity:
		b.fail("lookup bus %s has %d weights, want %d", bus.Name, len(weights), bus.Arity)
	}
	lookup := &Lookup{Bus: bus, CountColumn: int(column.Column)}
	for _, w := range weights {
		lookup.Weights = append(lookup.Weights, goldilocks.FromUint64(w))
	}
	b.table.Lookup = lookup
	b.Receive(bus, count, 0, values...)
}

func (b *Builder) interact(kind Kind, bus Bus, multiplicity Expr, bound uint64, values []Expr) {
	if bus.Name == "" || bus.Index < 1 || bus.Arity < 1 {
		b.fail("bus %q has index %d and arity %d: it needs a name, an index and at least one value", bus.Name, bus.Index, bus.Arity)
	}
	if len(values) != bus.Arity {
		b.fail("a %s on bus %s has %d values, want %d", kind, bus.Name, len(values), bus.Arity)
	}
	interaction := Interaction{Bus: bus, Kind: kind, Multiplicity: b.node(multiplicity), Bound: bound}
	for _, value := range values {
		interaction.Values = append(interaction.Values, b.node(value))
	}
	b.table.Interactions = append(b.table.Interactions, interaction)
	member := b.table.batchMember(len(b.table.Interactions) - 1)
	if degree := batchDegree([]batchMember{member}); degree > MaxDegree {
		b.fail("a %s on bus %s has multiplicity of degree %d and values of degree %d: its constraint has degree %d, want at most %d",
			kind, bus.Name, member.multiplicity, member.fingerprint, degree, MaxDegree)
	}
}

// batchMember is what an interaction adds to the degree of a batch.
type batchMember struct{ multiplicity, fingerprint int }

func (t *Table) batchMember(i int) batchMember {
	interaction := t.Interactions[i]
	m := batchMember{multiplicity: t.Graph[interaction.Multiplicity].Degree}
	for _, value := range interaction.Values {
		m.fingerprint = max(m.fingerprint, t.Graph[value].Degree)
	}
	return m
}

// batchDegree is the degree of h * prod d_i - sum m_i * prod_{j != i} d_j.
func batchDegree(members []batchMember) int {
	product := 0
	for _, m := range members {
		product += m.fingerprint
	}
	degree := product + 1
	for _, m := range members {
		degree = max(degree, product-m.fingerprint+m.multiplicity)
	}
	return degree
}

// makeBatches puts each interaction, in order, into the first batch that it
// fits.
func (t *Table) makeBatches() {
	var members [][]batchMember
next:
	for i := range t.Interactions {
		m := t.batchMember(i)
		for b := range members {
			if joined := append(members[b], m); batchDegree(joined) <= MaxDegree {
				members[b] = joined
				t.Batches[b] = append(t.Batches[b], i)
				continue next
			}
		}
		members = append(members, []batchMember{m})
		t.Batches = append(t.Batches, []int{i})
	}
}
