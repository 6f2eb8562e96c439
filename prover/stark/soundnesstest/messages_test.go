package soundnesstest

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// withMessages is the toy machine with other public messages, which its canonical form does not name.
func withMessages(messages ...air.Message) *machine.Machine {
	m := *newToy(1)
	m.PublicMessages = func([]goldilocks.Element) []air.Message { return messages }
	return &m
}

// A machine whose public messages do not fit its buses proves nothing: the verifier says so, whatever the proof.
func TestPublicMessagesFitTheirBuses(t *testing.T) {
	sum := func(bus air.Bus, values ...goldilocks.Element) air.Message {
		return air.Message{Bus: bus, Kind: air.Send, Multiplicity: 1, Values: values}
	}
	for name, message := range map[string]air.Message{
		// (9, 81) and (9, 81, 0) have one fingerprint: a bus has one arity.
		"a value too many":   sum(squareBus, 9, 81, 0),
		"a value too few":    sum(squareBus, 9),
		"a bus of no number": sum(air.Bus{Name: "square", Arity: 2}, 9, 81),
		"a bus too far":      sum(air.Bus{Name: "square", Index: 3, Arity: 2}, 9, 81),
		"another bus's name": sum(air.Bus{Name: "small", Index: 2, Arity: 2}, 9, 81),
	} {
		t.Run(name, func(t *testing.T) {
			proof, key := lie{}.prove(t)
			key.Machine = withMessages(message)
			rejected(t, proof, key, stark.CheckBuses)
		})
	}
	proof, key := lie{}.prove(t)
	key.Machine = withMessages(sum(squareBus, 9, 81))
	if err := stark.Verify(proof, key); err != nil {
		t.Errorf("the same message, given by hand: %v", err)
	}
}

// cubesWitness is the toy's table without interactions, alone.
type cubesWitness struct{ toyWitness }

func (cubesWitness) Public() []goldilocks.Element { return nil }

func (cubesWitness) LogHeights() []int { return []int{toyCubesLog} }

func (w cubesWitness) Fill(pool *parallel.Pool, _ int, columns [][]goldilocks.Element) error {
	return w.toyWitness.Fill(pool, cubes, columns)
}

// Where no table has interactions nothing could answer a public message: no proof holds that leaves it open.
func TestPublicMessagesNeedTables(t *testing.T) {
	alone := &machine.Machine{Name: "alone", Unit: "row", UnitRows: []int{1}, Tables: []*air.Table{toyCubes()}, Buses: []air.Bus{smallBus}}
	must(alone.Validate())
	honest := lie{key: newKey(t, alone), witness: cubesWitness{}}
	if err := stark.Verify(firstOf(honest.prove(t)), honest.key); err != nil {
		t.Fatal(err)
	}
	alone.PublicMessages = func([]goldilocks.Element) []air.Message {
		return []air.Message{{Bus: smallBus, Kind: air.Send, Multiplicity: 1, Values: []goldilocks.Element{77}}}
	}
	honest.caught(t, stark.CheckBuses)
}
