package air

import (
	"encoding/binary"
	"slices"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// interact declares a message that the table sends or receives in every row.
func (b *Builder) interact(kind Kind, bus *Bus, multiplicity Expr, bound uint64, values []Expr) {
	if bus.Name == "" {
		b.fail("bus %d has no name", bus.Index)
	}
	interaction := Interaction{Bus: bus, Kind: kind, Multiplicity: b.node(multiplicity), Bound: bound}
	for _, value := range values {
		interaction.Values = append(interaction.Values, b.node(value))
	}
	b.table.Interactions = append(b.table.Interactions, interaction)
	member := b.table.batchMember(len(b.table.Interactions) - 1)
	if degree := (batchSum{}).with(member).degree(); degree > MaxDegree {
		b.fail("a %s on bus %s has multiplicity of degree %d and values of degree %d: its constraint has degree %d, want "+
			"at most %d",
			kind, bus.Name, member.multiplicity, member.fingerprint, degree, MaxDegree)
	}
}

// batchMember is an interaction's contribution to the degree of a batch.
type batchMember struct{ multiplicity, fingerprint int }

func (t *Table) batchMember(i int) batchMember {
	interaction := t.Interactions[i]
	m := batchMember{multiplicity: int(t.Graph[interaction.Multiplicity].Degree)}
	for _, value := range interaction.Values {
		m.fingerprint = max(m.fingerprint, int(t.Graph[value].Degree))
	}
	return m
}

// batchSum determines the degree of a batch: the sum of its members' fingerprint degrees, and the maximum of a member's
// multiplicity degree minus its fingerprint degree.
type batchSum struct{ product, excess int }

// with returns the sum of a batch and one more member.
func (s batchSum) with(m batchMember) batchSum {
	return batchSum{s.product + m.fingerprint, max(s.excess, m.multiplicity-m.fingerprint)}
}

// degree returns the degree of A * prod d_i - sum m_i * prod_{j != i} d_j, where A has degree 1.
func (s batchSum) degree() int { return s.product + max(s.excess, 1) }

// makeBatches assigns each interaction, in order, to the first batch with room for its degree.
func (t *Table) makeBatches() {
	var sums []batchSum
next:
	for i := range t.Interactions {
		m := t.batchMember(i)
		for b, sum := range sums {
			if joined := sum.with(m); joined.degree() <= MaxDegree {
				sums[b] = joined
				t.Batches[b] = append(t.Batches[b], i)
				continue next
			}
		}
		sums = append(sums, batchSum{}.with(m))
		t.Batches = append(t.Batches, []int{i})
	}
}

// Message is a message outside of tables: the verifier sends or receives it. It depends on the public values.
type Message struct {
	Bus          *Bus
	Kind         Kind
	Multiplicity goldilocks.Element
	Values       []goldilocks.Element
}

// appendKey appends what identifies the message on its bus, for counting.
func (m *Message) appendKey(key []byte) []byte {
	key = binary.LittleEndian.AppendUint64(key, uint64(m.Bus.Index))
	for _, v := range m.Values {
		key = binary.LittleEndian.AppendUint64(key, uint64(v))
	}
	return key
}

// signed returns the message's contribution to its bus: positive if sent.
func (m *Message) signed() goldilocks.Element {
	if m.Kind == Receive {
		return m.Multiplicity.Neg()
	}
	return m.Multiplicity
}

// eachMessage visits the messages of traces whose multiplicity is not zero, row by row. A message is valid until visit
// returns.
func eachMessage(instances []Instance, public []goldilocks.Element, visit func(m *Message, table string, row int)) {
	for _, i := range instances {
		t := i.Table
		sent := t.Reads(t.multiplicityNodes()...).Nodes
		all := t.Reads(t.interactionNodes()...).Nodes
		values := make([]goldilocks.Element, len(t.Graph))
		var m Message
		for row := range i.Trace.Rows() {
			t.evaluateNodes(i.Trace, row, public, values, sent)
			if !slices.ContainsFunc(t.Interactions, func(i Interaction) bool { return values[i.Multiplicity] != 0 }) {
				continue
			}
			t.evaluateNodes(i.Trace, row, public, values, all)
			for k := range t.Interactions {
				if t.Interactions[k].messageAt(values, &m); m.Multiplicity != 0 {
					visit(&m, t.Name, row)
				}
			}
		}
	}
}

// messageAt sets m to the interaction's message in a row, given the row's node values.
func (i *Interaction) messageAt(values []goldilocks.Element, m *Message) {
	m.Bus, m.Kind, m.Multiplicity, m.Values = i.Bus, i.Kind, values[i.Multiplicity], m.Values[:0]
	for _, v := range i.Values {
		m.Values = append(m.Values, values[v])
	}
}
