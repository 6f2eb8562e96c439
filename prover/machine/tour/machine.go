package tour

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/run"
)

// The public values.
const (
	PublicEnd   = iota // the number of the last place
	PublicTotal        // the sum of the amounts paid
)

// MaxSteps is the largest number of choices in a proof.
const MaxSteps = 4096

// New returns the machine for a map, with its inputs and claims.
func New(of Map) (run.Program, error) {
	if err := of.Validate(); err != nil {
		return nil, err
	}
	m, err := build(of.logHeight(), &of, of.image())
	if err != nil {
		return nil, err
	}
	fillers := &machine.Fillers{Machine: m, RecordWords: recordWords, Tables: []machine.Filler{
		Step: rowsOf(Step), Rest: rowsOf(Rest), Office: rowsOf(Office), Dial: countsOnly(), RoadTable: countsOnly(),
		Cubes: powers()}}
	return &program{of: of, fillers: fillers}, fillers.Validate()
}

// Known returns the machine for a map of which only the image and the height of the program's table are known. It can
// verify proofs, but not make them.
func Known(logHeight int, image circuit.Image) (*circuit.Machine, error) {
	return build(logHeight, nil, &image)
}

func build(roadLog int, of *Map, image *circuit.Image) (*circuit.Machine, error) {
	b := newBuses()
	m := &circuit.Machine{
		Name:        "tour",
		Description: "a walk through a map by public choices",
		PublicNames: []string{PublicEnd: "end", PublicTotal: "total"},
		HasData:     true,
		Unit:        "step",
		Program:     image,
		CheckPublic: checkPublic,
		DataLists:   dataLists,
	}
	for _, builder := range []*air.Builder{b.step(), b.rest(), b.office(), b.dial(), b.roads(roadLog, of), cubes()} {
		declared, err := builder.Build()
		if err != nil {
			return nil, err
		}
		m.Tables = append(m.Tables, declared)
	}
	m.Buses = b.List()
	m.PublicMessages = func(public circuit.Public) []circuit.Message { return b.messages(image.Entry, public) }
	return m, m.Validate()
}

// recordWords returns the lengths of full record sets.
func recordWords(instances []circuit.Instance) []uint64 {
	words := make([]uint64, recorded)
	for _, i := range instances {
		if i.Table < recorded {
			words[i.Table] += uint64(widths[i.Table]) << i.LogHeight
		}
	}
	return words
}

func checkPublic(public circuit.Public) error {
	if len(public.Data) > MaxSteps {
		return fmt.Errorf("%d choices, want at most %d", len(public.Data), MaxSteps)
	}
	for i, c := range public.Data {
		if c > resting {
			return fmt.Errorf("choice %d is %d, want 0, 1 or %d", i, c, resting)
		}
	}
	return nil
}

// messages returns the verifier's messages: the walker at its start and at its end, every choice, and lookups in the
// dial.
func (b *buses) messages(entry uint64, public circuit.Public) []circuit.Message {
	steps := goldilocks.Element(len(public.Data))
	message := func(bus *air.Bus, kind air.Kind, multiplicity goldilocks.Element,
		values ...goldilocks.Element) circuit.Message {
		return circuit.Message{Bus: bus, Kind: kind, Multiplicity: multiplicity, Values: values}
	}
	list := []circuit.Message{
		message(b.walker.Bus, air.Send, 1, goldilocks.Element(entry), 0, 0),
		message(b.walker.Bus, air.Receive, 1, public.Values[PublicEnd], steps, public.Values[PublicTotal]),
		message(b.mixed.Bus, air.Send, steps+1, 1, 2, 3),
	}
	for time, c := range public.Data {
		list = append(list, message(b.choice.Bus, air.Send, 1, goldilocks.Element(time), goldilocks.Element(c)))
	}
	return list
}

// dataLists returns the number of choices, and the choices.
func dataLists(public circuit.Public) (numbers []uint64, lists [][]uint64) {
	choices := make([]uint64, len(public.Data))
	for i, choice := range public.Data {
		choices[i] = uint64(choice)
	}
	return []uint64{uint64(len(choices))}, [][]uint64{choices}
}
