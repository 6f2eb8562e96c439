package air

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Message is one message outside of tables: what the verifier itself sends or
// receives because of the public values.
type Message struct {
	Bus          Bus
	Kind         Kind
	Multiplicity goldilocks.Element
	Values       []goldilocks.Element
}

// key identifies a message on its bus, for counting.
func (m *Message) key() string {
	key := make([]byte, 0, 8*(1+len(m.Values)))
	key = binary.LittleEndian.AppendUint64(key, uint64(m.Bus.Index))
	for _, v := range m.Values {
		key = binary.LittleEndian.AppendUint64(key, uint64(v))
	}
	return string(key)
}

// signed is the message's contribution to its bus: positive when sent.
func (m *Message) signed() goldilocks.Element {
	if m.Kind == Receive {
		return m.Multiplicity.Neg()
	}
	return m.Multiplicity
}

// messageAt is what an interaction says in a row, given the row's node values.
func (i *Interaction) messageAt(values []goldilocks.Element) Message {
	m := Message{Bus: i.Bus, Kind: i.Kind, Multiplicity: values[i.Multiplicity]}
	for _, v := range i.Values {
		m.Values = append(m.Values, values[v])
	}
	return m
}
