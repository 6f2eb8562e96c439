package tour

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

func program1(t *testing.T) run.Program {
	t.Helper()
	p, err := New(Sample())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func executed(t *testing.T, p run.Program, input run.Input) machine.Execution {
	t.Helper()
	e, err := run.Execute(context.Background(), p, input)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Walks of many lengths satisfy all constraints, and cost what their tolls say.
func TestWalks(t *testing.T) {
	p := program1(t)
	of := Sample()
	for _, size := range []int{0, 1, 2, 31, 64, 100, 333} {
		e := executed(t, p, run.Input{Size: size, Seed: 5, MinLogHeight: 5})
		if err := p.Fillers().Check(parallel.New(0), e); err != nil {
			t.Fatalf("%d steps: %v", size, err)
		}
		for set, most := range p.Fillers().RecordWords(e.Instances()) {
			if have := len(e.Records()[set]); uint64(have) > most {
				t.Errorf("%d steps: record set %d has %d words, want at most %d", size, set, have, most)
			}
		}
		place, total := of.Entry, 0
		for _, c := range e.Public().Data {
			if c == 2 {
				continue
			}
			road := of.Places[place].Roads[c]
			place, total = road.Next, total+10*road.Toll+(road.Toll%4^road.Toll/4)
		}
		if got := e.Public().Values; uint64(got[PublicEnd]) != numberOf(place) || uint64(got[PublicTotal]) != uint64(total) {
			t.Errorf("%d steps: end %d and total %d, want %d and %d", size, got[PublicEnd],
				got[PublicTotal], numberOf(place), total)
		}
	}
}

// Instances are as the machine promises its tests: none, one and several, of mixed heights.
func TestInstances(t *testing.T) {
	p := program1(t)
	count := func(e machine.Execution) (counts [Cubes + 1]int) {
		for _, i := range e.Instances() {
			counts[i.Table]++
		}
		return counts
	}
	none := run.Input{Data: []byte{}, Public: []byte(strings.Repeat("\x02", 9)), MinLogHeight: 5}
	if got := count(executed(t, p, none)); got != [...]int{0, 1, 0, 1, 1, 2} {
		t.Errorf("a walk of rests has %v instances", got)
	}
	many := count(executed(t, p, run.Input{Size: 333, Seed: 5, MinLogHeight: 5}))
	if many[Step] < 3 || many[Rest] < 2 || many[Office] < 3 {
		t.Errorf("a long walk has %v instances", many)
	}
}

// Another claim about the walk does not balance.
func TestOtherClaims(t *testing.T) {
	p := program1(t)
	e := executed(t, p, run.Input{Size: 40, Seed: 6, MinLogHeight: 5})
	for name, change := range map[string]func(*circuit.Public){
		"another end":    func(claim *circuit.Public) { claim.Values[PublicEnd] += PlaceStride },
		"another total":  func(claim *circuit.Public) { claim.Values[PublicTotal]-- },
		"a choice less":  func(claim *circuit.Public) { claim.Data = claim.Data[1:] },
		"a choice more":  func(claim *circuit.Public) { claim.Data = append(claim.Data, 2) },
		"another choice": func(claim *circuit.Public) { claim.Data[7] = (claim.Data[7] + 1) % 3 },
		"no choice":      func(claim *circuit.Public) { claim.Data[7] = 3 },
	} {
		claim := circuit.Public{Values: append(e.Public().Values[:0:0], e.Public().Values...),
			Data: append([]byte{}, e.Public().Data...)}
		change(&claim)
		cheat := &machine.Mutated{Execution: e, Claim: &claim}
		if err := p.Fillers().Mutable().Check(parallel.New(0), cheat); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestMaps(t *testing.T) {
	for name, of := range map[string]Map{
		"no places":     {},
		"another entry": {Entry: 1, Places: []Place{{[]Road{{0, 1}}}}},
		"no road":       {Places: []Place{{}}},
		"three roads":   {Places: []Place{{[]Road{{0, 1}, {0, 1}, {0, 1}}}}},
		"no such place": {Places: []Place{{[]Road{{1, 1}}}}},
		"a high toll":   {Places: []Place{{[]Road{{0, 12}}}}},
	} {
		if _, err := New(of); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	p := program1(t)
	for _, choices := range []string{"\x01", "\x03"} {
		of := Map{Places: []Place{{[]Road{{0, 1}}}}}
		p, err := New(of)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := run.Execute(context.Background(), p, run.Input{Data: []byte{}, Public: []byte(choices)}); err == nil {
			t.Errorf("choice %q is taken", choices)
		}
	}
	random := rand.New(rand.NewPCG(1, 1))
	other := Sample()
	other.Places[random.IntN(len(other.Places))].Roads[0].Toll ^= 1
	q, err := New(other)
	if err != nil {
		t.Fatal(err)
	}
	if q.Machine().Program.Digest == p.Machine().Program.Digest {
		t.Error("two maps have one name")
	}
	if string(q.Machine().Canonical()) != string(p.Machine().Canonical()) {
		t.Error("the map is in the canonical form")
	}
	known, err := Known(minRoadLog, *p.Machine().Program)
	if err != nil || string(known.Canonical()) != string(p.Machine().Canonical()) {
		t.Errorf("a machine whose map is not known is another one: %v", err)
	}
}
