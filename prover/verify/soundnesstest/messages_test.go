package soundnesstest

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// A machine whose public messages do not fit its buses proves nothing: the verifier reports it for any proof. Its
// canonical form does not contain them.
func TestPublicMessagesFitTheirBuses(t *testing.T) {
	onBus := func(bus func(m *circuit.Machine) *air.Bus,
		values ...goldilocks.Element) func(m *circuit.Machine) []circuit.Message {
		return func(m *circuit.Machine) []circuit.Message {
			return []circuit.Message{{Bus: bus(m), Kind: air.Send, Multiplicity: 1, Values: values}}
		}
	}
	square := func(m *circuit.Machine) *air.Bus { return m.Buses[squareBus-1] }
	changed := func(change func(*air.Bus)) func(m *circuit.Machine) *air.Bus {
		return func(m *circuit.Machine) *air.Bus {
			other := *square(m)
			change(&other)
			return &other
		}
	}
	for name, messages := range map[string]func(m *circuit.Machine) []circuit.Message{
		// (9, 81) and (9, 81, 0) have one fingerprint: a bus has one arity.
		"a value too many":       onBus(square, 9, 81, 0),
		"a value too few":        onBus(square, 9),
		"a bus without a number": onBus(changed(func(b *air.Bus) { b.Index = 0 }), 9, 81),
		"a bus too far":          onBus(changed(func(b *air.Bus) { b.Index = 3 }), 9, 81),
		"another machine's":      onBus(changed(func(*air.Bus) {}), 9, 81),
		"too many messages": func(m *circuit.Machine) []circuit.Message {
			list := make([]circuit.Message, verify.MaxMessages+1)
			for i := range list {
				list[i] = send(m, squareBus, 0, 9, 81)
			}
			return list
		},
	} {
		t.Run(name, func(t *testing.T) {
			proof, key := lie{}.prove(t)
			key.Machine = newToy(toyOptions{messages: messages}).Machine
			rejectedByFirst(t, proof, key, verify.CheckBuses)
		})
	}
	proof, key := lie{}.prove(t)
	key.Machine = newToy(toyOptions{messages: onBus(square, 9, 81)}).Machine
	if err := verify.Proof(proof, key); err != nil {
		t.Errorf("the same message, given by hand: %v", err)
	}
}

// Multiplicities of public messages count: a message sent twice differs from one sent once.
func TestPublicMultiplicities(t *testing.T) {
	for _, times := range []goldilocks.Element{0, 2, minus(1)} {
		proof, key := lie{}.prove(t)
		key.Machine = newToy(toyOptions{messages: func(m *circuit.Machine) []circuit.Message {
			return []circuit.Message{send(m, squareBus, times, 9, 81)}
		}}).Machine
		rejectedByFirst(t, proof, key, verify.CheckSums, verify.CheckBuses)
	}
}

// cubesExecution is the toy's table without interactions, alone.
type cubesExecution struct{ toyExecution }

func (cubesExecution) Public() circuit.Public { return circuit.Public{} }

func (cubesExecution) Instances() []circuit.Instance {
	return []circuit.Instance{{LogHeight: toyCubesLog}}
}

// If no instance has interactions, nothing could answer a public message: every proof with such a message is refused.
func TestPublicMessagesNeedInstances(t *testing.T) {
	alone := func(messages func(circuit.Public) []circuit.Message) *machine.Fillers {
		b := &air.Buses{}
		bus := air.NewToken[smallMessage](b, "small")
		m := &circuit.Machine{
			Name:           "alone",
			Unit:           "row",
			Tables:         []*air.Table{toyCubes()},
			Buses:          b.List(),
			PublicMessages: messages,
		}
		if messages == nil {
			must(m.Validate())
			return filledBy(m, fillCubes)
		}
		m.PublicMessages = func(circuit.Public) []circuit.Message {
			return []circuit.Message{{Bus: bus.Bus, Kind: air.Send, Multiplicity: 1, Values: []goldilocks.Element{77}}}
		}
		return filledBy(m, fillCubes)
	}
	honest := lie{key: newKey(t, alone(nil)), execution: cubesExecution{}}
	proof, key := honest.prove(t)
	if err := verify.Proof(proof, key); err != nil {
		t.Fatal(err)
	}
	key = newKey(t, alone(func(circuit.Public) []circuit.Message { return nil }))
	rejectedByFirst(t, proof, key, verify.CheckBuses)
}
