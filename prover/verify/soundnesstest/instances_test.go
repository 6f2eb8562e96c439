package soundnesstest

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/transcript"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// walk is a long tour: several instances of most tables, of several heights.
func walk(t testing.TB) subject {
	t.Helper()
	return programSubject(t, tourProgram, run.Input{Size: 150, Seed: 4})
}

// of returns the indices of a table's instances in the list.
func (s subject) of(table int) (places []int) {
	for i, instance := range s.execution.Instances() {
		if instance.Table == table {
			places = append(places, i)
		}
	}
	return places
}

// reshaped is the valid execution with other instances. filled has, for each of them, the index of the true instance
// that fills it, or -1 for zeros.
func (s subject) reshaped(change func(list []circuit.Instance,
	filled []int) ([]circuit.Instance, []int)) *machine.Mutated {
	list := slices.Clone(s.execution.Instances())
	filled := make([]int, len(list))
	for i := range filled {
		filled[i] = i
	}
	list, filled = change(list, filled)
	return &machine.Mutated{Execution: s.execution, Shape: list, True: filled}
}

func TestWalkHasSeveralInstances(t *testing.T) {
	s := walk(t)
	steps := s.of(tour.Step)
	first, last := s.execution.Instances()[steps[0]], s.execution.Instances()[steps[len(steps)-1]]
	if len(steps) < 2 || first.LogHeight == last.LogHeight || len(s.of(tour.Rest)) < 2 {
		t.Fatalf("instances %v", s.execution.Instances())
	}
}

// Lies about instances that the prover commits to from the start. Everything else is honest.
func TestInstancesFromTheStart(t *testing.T) {
	s := walk(t)
	steps, rests := s.of(tour.Step), s.of(tour.Rest)
	for name, tc := range map[string]struct {
		change func(list []circuit.Instance, filled []int) ([]circuit.Instance, []int)
		by     []verify.Check // none: it is valid all the same
	}{
		"an instance left out": {func(list []circuit.Instance, filled []int) ([]circuit.Instance, []int) {
			return slices.Delete(list, steps[1], steps[1]+1), slices.Delete(filled, steps[1], steps[1]+1)
		}, []verify.Check{verify.CheckSums}},
		"all instances of a table left out": {func(list []circuit.Instance, filled []int) ([]circuit.Instance, []int) {
			from, to := rests[0], rests[len(rests)-1]+1
			return slices.Delete(list, from, to), slices.Delete(filled, from, to)
		}, []verify.Check{verify.CheckSums}},
		"an instance twice": {func(list []circuit.Instance, filled []int) ([]circuit.Instance, []int) {
			return slices.Insert(list, rests[0], list[rests[0]]), slices.Insert(filled, rests[0], rests[0])
		}, []verify.Check{verify.CheckSums}},
		"an instance in another's place": {func(list []circuit.Instance, filled []int) ([]circuit.Instance, []int) {
			filled[steps[0]] = steps[1]
			return list, filled
		}, []verify.Check{verify.CheckSums}},
		"an instance of half the height": {func(list []circuit.Instance, filled []int) ([]circuit.Instance, []int) {
			at := steps[0]
			list[at].LogHeight--
			return list, filled
		}, []verify.Check{verify.CheckSums, verify.CheckQuotient}},
		"an instance of twice the height, whose constraints do not hold on zeros": {func(list []circuit.Instance,
			filled []int) ([]circuit.Instance, []int) {
			list[s.of(tour.Cubes)[0]].LogHeight++
			return list, filled
		}, []verify.Check{verify.CheckQuotient}},

		// Lists that are valid nevertheless: zeros state nothing, and two instances of one height are interchangeable.
		"an instance of zeros added": {func(list []circuit.Instance, filled []int) ([]circuit.Instance, []int) {
			at := rests[len(rests)-1] + 1
			return slices.Insert(list, at, circuit.Instance{Table: tour.Rest, LogHeight: 5}), slices.Insert(filled, at, -1)
		}, nil},
		"an instance of twice the height": {func(list []circuit.Instance, filled []int) ([]circuit.Instance, []int) {
			list[steps[0]].LogHeight++
			return list, filled
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			l := lie{key: s.key, execution: s.reshaped(tc.change)}
			if tc.by != nil {
				l.caught(t, tc.by...)
				return
			}
			proof, key := l.prove(t)
			accepted(t, proof, key)
		})
	}
}

// The list of instances of a finished proof is changed, alone and with the corresponding openings.
func TestInstancesOfAFinishedProof(t *testing.T) {
	s := walk(t)
	honest, key := lie{key: s.key, execution: s.execution}.prove(t)
	steps, dial, road, cubes := s.of(tour.Step), s.of(tour.Dial)[0], s.of(tour.RoadTable)[0], s.of(tour.Cubes)
	exchange := func(a, b int) func(i []circuit.Instance) []circuit.Instance {
		return func(i []circuit.Instance) []circuit.Instance {
			i[a], i[b] = i[b], i[a]
			return i
		}
	}
	leaveOut := func(at int) func(i []circuit.Instance) []circuit.Instance {
		return func(i []circuit.Instance) []circuit.Instance { return slices.Delete(i, at, at+1) }
	}
	twice := func(at int) func(i []circuit.Instance) []circuit.Instance {
		return func(i []circuit.Instance) []circuit.Instance { return slices.Insert(i, at, i[at]) }
	}
	for name, tc := range map[string]struct {
		change func(i []circuit.Instance) []circuit.Instance
		by     []verify.Check
	}{
		"one left out":                       {leaveOut(steps[0]), []verify.Check{verify.CheckShape, verify.CheckSums}},
		"one that must be there left out":    {leaveOut(dial), []verify.Check{verify.CheckInstances}},
		"the program's left out":             {leaveOut(road), []verify.Check{verify.CheckInstances}},
		"one twice":                          {twice(steps[0]), []verify.Check{verify.CheckShape, verify.CheckSums}},
		"two where one is demanded, fixed":   {twice(dial), []verify.Check{verify.CheckInstances}},
		"two where one is demanded, program": {twice(road), []verify.Check{verify.CheckInstances}},
		"three where two are the most":       {twice(cubes[0]), []verify.Check{verify.CheckInstances}},
		"rising heights": {exchange(steps[0], steps[len(steps)-1]),
			[]verify.Check{verify.CheckInstances}},
		"tables out of order": {exchange(dial, road), []verify.Check{verify.CheckInstances}},
		"another height of the program's": {func(i []circuit.Instance) []circuit.Instance {
			i[road].LogHeight++
			return i
		}, []verify.Check{verify.CheckInstances}},
		"seventeen of one table": {func(i []circuit.Instance) []circuit.Instance {
			return slices.Insert(i, steps[0], slices.Repeat([]circuit.Instance{i[steps[0]]}, 17-len(steps))...)
		}, []verify.Check{verify.CheckInstances}},
	} {
		t.Run(name, func(t *testing.T) {
			proof := *honest
			proof.Instances = tc.change(slices.Clone(honest.Instances))
			rejected(t, &proof, key, tc.by...)
		})
	}
}

// A prover that makes two instances where the machine has one, under the true machine's digest.
func TestTwoInstancesWhereOneIsDemanded(t *testing.T) {
	honest := newKey(t, toy())
	forged := newKey(t, newToy(toyOptions{change: func(tables []*air.Table) { tables[cubes].MaxInstances = 2 }}))
	if forged.Digest == honest.Digest {
		t.Fatal("the digest does not depend on the number of instances")
	}
	disguised := *forged
	disguised.Digest = honest.Digest
	list := toyExecution{}.Instances()
	proof, _ := lie{key: &disguised, execution: &machine.Mutated{
		Execution: toyExecution{}, Shape: append(slices.Clone(list), list[cubes]), True: []int{0, 1, 2, 3, 3},
	}}.prove(t)
	rejected(t, proof, honest, verify.CheckInstances)
}

// Lies at each phase about features that require several instances, lookups with ranges and several batches.
func TestLiesAboutTheWalk(t *testing.T) {
	s := walk(t)
	steps, office, dial, road := s.of(tour.Step), s.of(tour.Office)[0], s.of(tour.Dial)[0], s.of(tour.RoadTable)[0]
	const dead, mix = 200, 12 // a row of the dial that answers nothing, and one that answers only mix
	moveCount := func(from, to int) *cheater {
		return &cheater{count: func(m matrices) {
			count := m[dial][0]
			if count[from] == 0 {
				panic("no message asks for the row")
			}
			count[from], count[to] = 0, count[to].Add(count[from])
		}}
	}
	for name, tc := range map[string]struct {
		cheater *cheater
		by      verify.Check
	}{
		// The rows differ only in their selectors: all have 0 in the columns of the bus's messages.
		"a toll counted in a row that answers no bus": {moveCount(0, dead), verify.CheckSums},
		"a toll counted in a row that answers mix":    {moveCount(0, mix), verify.CheckSums},
		"a mix counted in a row that answers no bus":  {moveCount(mix, dead), verify.CheckSums},
		"a road counted in a row after the roads": {&cheater{count: func(m matrices) {
			add(&m[road][0][250], 1)
			add(&m[road][0][0], minus(1))
		}}, verify.CheckSums},
		"a wrong fraction of the first batch": {&cheater{logUp: func(m matrices, _ []goldilocks.Extension) {
			add(&m[steps[0]][0][3], 1)
		}}, verify.CheckQuotient},
		"a wrong fraction of the second batch": {&cheater{logUp: func(m matrices, _ []goldilocks.Extension) {
			add(&m[steps[1]][4][0], 1)
		}}, verify.CheckQuotient},
		"a wrong running sum of the last instance's": {&cheater{logUp: func(m matrices, _ []goldilocks.Extension) {
			add(&m[steps[1]][8][0], 1)
		}}, verify.CheckQuotient},
		"two fractions that the running sum makes up for": {&cheater{logUp: func(m matrices, _ []goldilocks.Extension) {
			add(&m[steps[0]][0][3], 1)
			add(&m[steps[0]][3][3], minus(1))
		}}, verify.CheckQuotient},
		"claimed sums of two instances exchanged": {&cheater{logUp: func(_ matrices, claimed []goldilocks.Extension) {
			claimed[0], claimed[1] = claimed[1], claimed[0]
		}}, verify.CheckQuotient},
		"a wrong quotient of the largest class": {&cheater{quotient: func(m matrices) { add(&m[0][0][0], 1) }},
			verify.CheckQuotient},
		"a wrong value of the program's at z": {&cheater{openings: func(o *protocol.Openings) {
			addExtension(&o[protocol.Program][road].Current[0], goldilocks.Extension{1})
		}}, verify.CheckQuotient},
		"a wrong value at gz of the office": {&cheater{openings: func(o *protocol.Openings) {
			addExtension(&o[protocol.Main][office].Next[0], goldilocks.Extension{1})
		}}, verify.CheckQuotient},
		"values at z of two instances exchanged": {&cheater{openings: func(o *protocol.Openings) {
			main := o[protocol.Main]
			main[steps[0]], main[steps[1]] = main[steps[1]], main[steps[0]]
		}}, verify.CheckQuotient},
		"a wrong row of the program's": {&cheater{gather: func(g *backend.Gathered) {
			add(&g.Phases[protocol.Program].Rows[0].Cells[0], 1)
		}}, verify.CheckOpenings},
	} {
		t.Run(name, func(t *testing.T) { lie{key: s.key, execution: s.execution, cheater: tc.cheater}.caught(t, tc.by) })
	}
}

// A count in a row that answers nothing has no effect: counts are free there.
func TestCountsOfDeadRowsAreFree(t *testing.T) {
	s := walk(t)
	proof, key := lie{
		key:       s.key,
		execution: s.execution,
		cheater:   &cheater{count: func(m matrices) { add(&m[s.of(tour.Dial)[0]][0][200], 7) }},
	}.prove(t)
	accepted(t, proof, key)
}

// A proof's statement is bound from the start, and again at the end.
func TestStatementsOfTheWalk(t *testing.T) {
	s := walk(t)
	honest, key := lie{key: s.key, execution: s.execution}.prove(t)
	for name, tc := range map[string]struct {
		change func(*circuit.Public)
		by     verify.Check
	}{
		"another end": {func(p *circuit.Public) { p.Values[tour.PublicEnd] += tour.PlaceStride },
			verify.CheckSums},
		"another total": {func(p *circuit.Public) { add(&p.Values[tour.PublicTotal], minus(1)) },
			verify.CheckSums},
		"a choice less":            {func(p *circuit.Public) { p.Data = p.Data[:len(p.Data)-1] }, verify.CheckSums},
		"a choice more":            {func(p *circuit.Public) { p.Data = append(p.Data, 2) }, verify.CheckSums},
		"another choice":           {func(p *circuit.Public) { p.Data[3] = (p.Data[3] + 1) % 3 }, verify.CheckSums},
		"no choice":                {func(p *circuit.Public) { p.Data[3] = 3 }, verify.CheckPublic},
		"too many choices":         {func(p *circuit.Public) { p.Data = make([]byte, tour.MaxSteps+1) }, verify.CheckPublic},
		"choices without messages": {func(p *circuit.Public) { p.Data = nil }, verify.CheckSums},
		"choices in another order": {func(p *circuit.Public) { slices.Reverse(p.Data) }, verify.CheckSums},
	} {
		t.Run(name, func(t *testing.T) {
			cheat := claiming(s.execution, tc.change)
			lie{key: s.key, execution: cheat}.caught(t, tc.by)
			proof := *honest
			proof.Public = cheat.Public()
			rejected(t, &proof, key, tc.by)
		})
	}
}

// A prover that samples challenges before it absorbs its statement and its program could choose both afterwards.
func TestChallengesBindProgramAndData(t *testing.T) {
	s := walk(t)
	for name, tag := range map[string]byte{
		"program id":    protocol.TagProgram,
		"instances":     protocol.TagInstances,
		"public values": protocol.TagPublic,
		"public data":   protocol.TagData,
	} {
		t.Run(name, func(t *testing.T) {
			lie{key: s.key, execution: s.execution, transcript: func(string) protocol.Transcript {
				return &early{Transcript: transcript.New(protocol.Label), tag: tag}
			}}.caught(t, verify.CheckSums)
			proof, key := lie{key: s.key, execution: s.execution, transcript: func(string) protocol.Transcript {
				return ignoring{transcript.New(protocol.Label), tag}
			}}.prove(t)
			rejected(t, proof, key, verify.CheckSums)
		})
	}
}

// otherMap is the sample with a cheaper road.
func otherMap() (run.Program, error) {
	m := tour.Sample()
	m.Places[m.Entry].Roads[0].Toll /= 2
	return tour.New(m)
}

// A proof about one program is not a proof about another.
func TestAnotherProgram(t *testing.T) {
	s := walk(t)
	honest, key := lie{key: s.key, execution: s.execution}.prove(t)
	other := programSubject(t, otherMap, run.Input{Size: 150, Seed: 4})
	if other.key.Digest != key.Digest || other.key.ProgramID() == key.ProgramID() {
		t.Fatal("two maps are two machines, or one program")
	}
	proof, _ := lie{key: other.key, execution: other.execution}.prove(t)
	rejected(t, proof, key, verify.CheckProgram)

	for name, change := range map[string]func(p *protocol.ProgramKey){
		"another entry":  func(p *protocol.ProgramKey) { p.Entry += tour.PlaceStride },
		"another image":  func(p *protocol.ProgramKey) { p.Image[5] ^= 1 },
		"another height": func(p *protocol.ProgramKey) { p.LogHeights = []int{9} },
		"more heights":   func(p *protocol.ProgramKey) { p.LogHeights = []int{8, 8} },
		"another cap":    func(p *protocol.ProgramKey) { p.Cap = append([]merkle.Digest{{1}}, p.Cap[1:]...) },
		"a shorter cap":  func(p *protocol.ProgramKey) { p.Cap = p.Cap[1:] },
	} {
		t.Run(name, func(t *testing.T) {
			program := *honest.Program
			change(&program)
			proof := *honest
			proof.Program = &program
			rejected(t, &proof, key, verify.CheckProgram)
		})
	}
	proof = honest
	without := *proof
	without.Program = nil
	rejected(t, &without, key, verify.CheckProgram)

	// The true program's key with another program's columns: the prover absorbs the former and opens the latter.
	disguised := *other.key
	disguised.Program = key.Program
	proof, _ = lie{key: &disguised, execution: other.execution, cheater: &cheater{program: key.Program.Cap}}.prove(t)
	rejected(t, proof, key, verify.CheckOpenings)
}

// With a program's id alone, a verifier accepts proofs of that program and of no other.
func TestProgramsByID(t *testing.T) {
	s := walk(t)
	proof, key := lie{key: s.key, execution: s.execution}.prove(t)
	known, err := tour.Known(proof.Program.LogHeights[0], circuit.Image{
		Entry:  proof.Program.Entry,
		Digest: proof.Program.Image,
	})
	must(err)
	byID, err := setup.NewKeyOf(known, params(), key.ProgramID(), proof.Program)
	must(err)
	accepted(t, proof, byID)

	taller := *proof
	taller.Instances = slices.Clone(proof.Instances)
	taller.Instances[s.of(tour.RoadTable)[0]].LogHeight++
	rejected(t, &taller, byID, verify.CheckInstances)

	other := programSubject(t, otherMap, run.Input{Size: 150, Seed: 4})
	if _, err := setup.NewKeyOf(known, params(), other.key.ProgramID(), proof.Program); err == nil {
		t.Error("a program's key is taken for another id's")
	}
	changed := *proof.Program
	changed.Entry += tour.PlaceStride
	if _, err := setup.NewKeyOf(known, params(), key.ProgramID(), &changed); err == nil {
		t.Error("a changed key is taken for the id's")
	}
	foreign, _ := lie{key: other.key, execution: other.execution}.prove(t)
	rejected(t, foreign, byID, verify.CheckProgram)
}
