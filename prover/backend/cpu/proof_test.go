package cpu

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/backendtest"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/fib"
	"github.com/chiasmus/chiasmus/prover/machine/keccak"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/transcript"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// must returns a function that returns the value, or ends the test if there was an error.
func must[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func execute(t testing.TB, program run.Program, size int) machine.Execution {
	t.Helper()
	return must(run.Execute(context.Background(), program, run.Input{Size: size, Seed: 1, MinLogHeight: 5}))(t)
}

func tourProgram(t testing.TB) run.Program { return must(tour.New(tour.Sample()))(t) }

var testParams = protocol.Layout{LogBlowup: 2, LogArity: 2, LogFinalLength: 2, CapHeight: 2}

// start begins a proof. Callers use fixed challenges rather than a transcript.
func start(t testing.TB, program run.Program, execution machine.Execution, workers int) *proof {
	t.Helper()
	owner := must(New(parallel.New(workers)).Open(program.Fillers(), testParams, backend.Budget{}))(t)
	begun := must(owner.Begin(execution.Instances()))(t)
	t.Cleanup(func() {
		begun.Close()
		if err := owner.Close(); err != nil {
			t.Error(err)
		}
	})
	return begun.(*proof)
}

var testChallenges = protocol.LogUpChallenges{Alpha: goldilocks.Extension{1, 2, 3}, Beta: goldilocks.Extension{4, 5, 6}}

// count advances a proof to its counted main columns.
func count(t testing.TB, p *proof, execution machine.Execution) *mainColumns {
	t.Helper()
	traced := must(p.Trace(execution))(t)
	return must(traced.Count(p.shape.Machine.Messages(execution.Public())))(t).(*mainColumns)
}

// commit commits to columns and returns the next stage.
func commit[Next any](t testing.TB, columns backend.Columns[Next]) Next {
	t.Helper()
	_, next, err := columns.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// logUp advances a proof to its auxiliary columns.
func logUp(t testing.TB, p *proof, execution machine.Execution) ([]goldilocks.Extension, *auxiliaryColumns) {
	t.Helper()
	claimed, next, err := commit(t, count(t, p, execution)).LogUp(testChallenges)
	if err != nil {
		t.Fatal(err)
	}
	return claimed, next.(*auxiliaryColumns)
}

// open advances a proof to its openings.
func open(t testing.TB, p *proof, execution machine.Execution) *opened {
	t.Helper()
	_, auxiliary := logUp(t, p, execution)
	quotient := must(commit(t, auxiliary).Quotient(goldilocks.Extension{7, 8, 9}))(t)
	_, next, err := commit(t, quotient).Open(goldilocks.Extension{3, 5, 7})
	if err != nil {
		t.Fatal(err)
	}
	return next.(*opened)
}

// The count columns equal those of the reference, whatever the number of workers.
func TestCountAgainstReference(t *testing.T) {
	program := tourProgram(t)
	e := execute(t, program, 200)
	want := must(program.Fillers().Traces(parallel.New(0), e))(t)
	for _, workers := range []int{1, 3} {
		s := count(t, start(t, program, e, workers), e)
		for i, instance := range want {
			for c, column := range instance.Trace.Main {
				if !slices.Equal(column, s.phases[protocol.Main].columns[i][c][:len(column)]) {
					t.Errorf("%d workers, table %s: column %s is not the reference's", workers, instance.Table.Name,
						instance.Table.Main[c])
				}
			}
		}
	}
}

// logWide is the log height of a table for which many workers have no room to count separately.
const logWide = 14

// wide returns fillers of a machine that looks up squares in a table of 2^logRows rows and two lanes.
func wide(t testing.TB, logRows int) *machine.Fillers {
	t.Helper()
	type message struct{ Value, Square air.Expr }
	var buses air.Buses
	bus := air.NewLookup[message](&buses, "square")
	ask := air.NewTable("ask")
	x, y, on := ask.Main("x"), ask.Main("y"), ask.Main("on")
	ask.AssertBoolean("on is boolean", on)
	bus.Ask(ask, on, message{x, y})
	answer := air.NewTable("answer")
	answer.Heights(logRows, logRows)
	value := answer.Preprocessed("value")
	answer.FillPreprocessed(func(columns [][]goldilocks.Element) {
		for row := range columns[0] {
			columns[0][row] = goldilocks.Element(row)
		}
	})
	other := value.AddConstant(1 << logRows)
	bus.AnswerLanes(answer, answer.MainColumns("count", 2), air.Rows{Weights: []uint64{1, 0}},
		[]message{{value, value.Square()}, {other, other.Square()}})
	m := &circuit.Machine{Name: "wide", Buses: buses.List(), Tables: []*air.Table{
		must(ask.Build())(t), must(answer.Build())(t)}}
	fillers := &machine.Fillers{Machine: m, Tables: []machine.Filler{
		{Fill: func(_ *parallel.Pool, _ machine.Execution, _ int,
			columns [][]goldilocks.Element) error {
			for row := range columns[0] {
				v := goldilocks.Element(row * row % 97 * 331 % (2 << logRows))
				columns[0][row], columns[1][row], columns[2][row] = v, v.Square(), goldilocks.Element(row%3&1)
			}
			return nil
		}},
		{Fill: func(*parallel.Pool, machine.Execution, int, [][]goldilocks.Element) error {
			return nil
		}},
	}}
	if err := errors.Join(m.Validate(), fillers.Validate()); err != nil {
		t.Fatal(err)
	}
	return fillers
}

// shaped is an execution with instances only.
type shaped struct {
	machine.OnHost
	instances []circuit.Instance
}

func (shaped) Public() circuit.Public          { return circuit.Public{} }
func (s shaped) Instances() []circuit.Instance { return s.instances }
func (shaped) Records() [][]uint64             { return nil }

// bare is a program with a machine and its fillers only.
type bare struct {
	run.Program
	fillers *machine.Fillers
}

func (b bare) Machine() *circuit.Machine { return b.fillers.Machine }
func (b bare) Fillers() *machine.Fillers { return b.fillers }

// Counts equal the reference's, both if workers count separately and if all count in the columns.
func TestCountInTallTables(t *testing.T) {
	kinds := map[bool]int{}
	for _, logRows := range []int{5, logWide} {
		f := wide(t, logRows)
		e := shaped{instances: []circuit.Instance{{Table: 0, LogHeight: 11}, {Table: 1, LogHeight: logRows}}}
		want := must(f.Traces(parallel.New(0), e))(t)
		for _, workers := range []int{1, 4, 64} {
			s := start(t, bare{fillers: f}, e, workers)
			kinds[workers*2<<logRows <= len(s.workspace.words)]++
			count(t, s, e)
			for lane, counts := range s.phases[protocol.Main].columns[1] {
				if !slices.Equal(counts[:1<<logRows], want[1].Trace.Main[lane]) {
					t.Errorf("2^%d rows, %d workers: counts of lane %d are not the reference's", logRows, workers, lane)
				}
			}
		}
	}
	if kinds[true] == 0 || kinds[false] == 0 {
		t.Errorf("%d tables have room for the counts of each worker and %d have not, want both", kinds[true], kinds[false])
	}
}

// A message that no row answers ends the proof, whether it comes from a table or from the verifier.
func TestLookupMiss(t *testing.T) {
	f := wide(t, logWide)
	e := shaped{instances: []circuit.Instance{{Table: 0, LogHeight: 5}, {Table: 1, LogHeight: logWide}}}
	for name, values := range map[string][]goldilocks.Element{"outside": {1 << 15, 1 << 30}, "another square": {5, 26}} {
		traced := must(start(t, bare{fillers: f}, e, 1).Trace(e))(t)
		message := circuit.Message{Bus: f.Machine.Buses[0], Kind: air.Send, Multiplicity: 2, Values: values}
		if _, err := traced.Count([]circuit.Message{message}); !errors.Is(err, backend.ErrLookupMiss) {
			t.Errorf("%s: %v", name, err)
		}
		mutable := f.Mutable()
		cheat := &machine.Mutated{Execution: e, Change: func(instance int, columns [][]goldilocks.Element) {
			if instance == 0 {
				columns[0][4], columns[1][4], columns[2][4] = values[0], values[1], 1
			}
		}}
		traced = must(start(t, bare{fillers: mutable}, cheat, 1).Trace(cheat))(t)
		if _, err := traced.Count(nil); !errors.Is(err, backend.ErrLookupMiss) {
			t.Errorf("%s, in a table: %v", name, err)
		}
	}
}

// The auxiliary columns equal fractions added up row by row. All claimed sums and messages add up to zero.
func TestLogUpAgainstDefinition(t *testing.T) {
	program := tourProgram(t)
	e := execute(t, program, 100)
	traces := must(program.Fillers().Traces(parallel.New(0), e))(t)
	s := start(t, program, e, 3)
	claimed, _ := logUp(t, s, e)
	fingerprint := func(bus *air.Bus, values []goldilocks.Element) goldilocks.Extension {
		sum, power := testChallenges.Alpha.AddBase(goldilocks.Element(bus.Index)), goldilocks.Extension{1}
		for _, v := range values {
			power = power.Mul(testChallenges.Beta)
			sum = sum.Add(power.MulBase(v))
		}
		return sum
	}
	var total goldilocks.Extension
	for k, i := range s.shape.Claiming() {
		table, trace := traces[i].Table, traces[i].Trace
		auxiliary := s.phases[protocol.Auxiliary].columns[i]
		cell := func(batch, row int) goldilocks.Extension {
			return goldilocks.Extension{auxiliary[3*batch][row], auxiliary[3*batch+1][row], auxiliary[3*batch+2][row]}
		}
		share := claimed[k].MulBase(goldilocks.Element(trace.Rows()).Inverse())
		last, sum := len(table.Batches)-1, goldilocks.Extension{}
		nodes := make([]goldilocks.Element, len(table.Graph))
		for row := range trace.Rows() {
			table.EvaluateRow(trace, row, e.Public().Values, nodes)
			if cell(last, row) != sum {
				t.Fatalf("table %s, row %d: the running sum is %v, want %v", table.Name, row, cell(last, row), sum)
			}
			for b, batch := range table.Batches {
				var fractions goldilocks.Extension
				for _, member := range batch {
					interaction := table.Interactions[member]
					var values []goldilocks.Element
					for _, v := range interaction.Values {
						values = append(values, nodes[v])
					}
					term := fingerprint(interaction.Bus, values).Inverse().MulBase(nodes[interaction.Multiplicity])
					if interaction.Kind == air.Receive {
						term = goldilocks.Extension{}.Sub(term)
					}
					fractions = fractions.Add(term)
				}
				if b < last && cell(b, row) != fractions {
					t.Fatalf("table %s, row %d: batch %d is %v, want %v", table.Name, row, b, cell(b, row), fractions)
				}
				sum = sum.Add(fractions)
			}
			sum = sum.Sub(share)
		}
		if sum != (goldilocks.Extension{}) {
			t.Errorf("table %s: the running sum does not come back to 0 but to %v", table.Name, sum)
		}
		total = total.Add(claimed[k])
	}
	for _, m := range program.Machine().Messages(e.Public()) {
		term := fingerprint(m.Bus, m.Values).Inverse().MulBase(m.Multiplicity)
		if m.Kind == air.Receive {
			term = goldilocks.Extension{}.Sub(term)
		}
		total = total.Add(term)
	}
	if total != (goldilocks.Extension{}) {
		t.Errorf("claimed sums and messages add up to %v", total)
	}
}

// A fingerprint of zero has no inverse.
func TestZeroDenominator(t *testing.T) {
	program := tourProgram(t)
	e := execute(t, program, 40)
	main := commit(t, count(t, start(t, program, e, 1), e))
	// The dial's message (0): alpha + bus + beta * 0.
	bus := program.Machine().Buses[3].Index
	alpha := goldilocks.Extension{goldilocks.Element(bus).Neg()}
	_, _, err := main.LogUp(protocol.LogUpChallenges{Alpha: alpha, Beta: goldilocks.Extension{0, 1}})
	if !errors.Is(err, backend.ErrZeroDenominator) {
		t.Errorf("error %v", err)
	}
}

// The openings equal the Lagrange form over the trace domain, summed up naively.
func TestOpenAgainstLagrange(t *testing.T) {
	program := tourProgram(t)
	e := execute(t, program, 60)
	traces := must(program.Fillers().Traces(parallel.New(0), e))(t)
	s := open(t, start(t, program, e, 2), e)
	for i, instance := range traces {
		gz := s.z.MulBase(goldilocks.RootOfUnity(s.shape.Instances[i].LogHeight))
		check := func(phase protocol.Phase, columns [][]goldilocks.Element) {
			if len(columns) == 0 {
				return
			}
			got := s.openings[phase][i]
			for j, column := range columns {
				if want := lagrange(column, s.z); got.Current[j] != want {
					t.Fatalf("table %s, %s column %d at z: %v, want %v", instance.Table.Name, phase, j, got.Current[j], want)
				}
			}
			for k, j := range protocol.NextColumns(instance.Table, phase) {
				if want := lagrange(columns[j], gz); got.Next[k] != want {
					t.Fatalf("table %s, %s column %d at gz: %v, want %v", instance.Table.Name, phase, j, got.Next[k], want)
				}
			}
		}
		check(protocol.Main, instance.Trace.Main)
		check(protocol.PreprocessedPhase(instance.Table), instance.Trace.Preprocessed)
	}
}

// lagrange is f(z) = (z^n-1)/n * sum of f(g^i) g^i/(z-g^i).
func lagrange(column []goldilocks.Element, z goldilocks.Extension) goldilocks.Extension {
	n := uint64(len(column))
	logSize := 0
	for 1<<logSize < len(column) {
		logSize++
	}
	g, x := goldilocks.RootOfUnity(logSize), goldilocks.Element(1)
	var sum goldilocks.Extension
	for _, e := range column {
		sum = sum.Add(z.SubBase(x).Inverse().MulBase(x.Mul(e)))
		x = x.Mul(g)
	}
	return sum.Mul(z.Exp(n).SubBase(1)).MulBase(goldilocks.Element(n).Inverse())
}

func TestGrindFindsTheSmallest(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		for seed := range byte(6) {
			for _, bits := range []int{1, 8, 12} {
				want := uint64(0)
				for !transcript.NoncePasses([32]byte{seed}, want, bits) {
					want++
				}
				newSearch := func() protocol.NonceSearch {
					return protocol.GrindingOf(merkle.Keccak).NewSearch([32]byte{seed}, bits)
				}
				if nonce := grind(parallel.New(workers), newSearch); nonce != want {
					t.Errorf("%d workers, seed %d, %d bits: nonce %d, want %d", workers, seed, bits, nonce, want)
				}
				for want = 0; !transcript.Blake3At([32]byte{seed}).Grind(backend.NonceTag, want, bits); {
					want++
				}
				newSearch = func() protocol.NonceSearch {
					return protocol.GrindingOf(merkle.Blake3).NewSearch([32]byte{seed}, bits)
				}
				if nonce := grind(parallel.New(workers), newSearch); nonce != want {
					t.Errorf("BLAKE3, %d workers, seed %d, %d bits: nonce %d, want %d", workers, seed, bits, nonce, want)
				}
			}
		}
	}
}

// Deep rejects coefficients whose shape differs from that of the openings.
func TestCoefficientsOfAnotherShape(t *testing.T) {
	program := must(fib.Program())(t)
	e := execute(t, program, 64)
	s := open(t, start(t, program, e, 1), e)
	short := s.openings
	short[protocol.Main] = nil
	if _, err := s.Deep(short); err == nil {
		t.Error("no error")
	}
}

// A proof that cannot fit is rejected with the required memory before anything is computed.
func TestLimits(t *testing.T) {
	program := must(keccak.Program())(t)
	small, large := execute(t, program, 1).Instances(), execute(t, program, 40).Instances()
	free := must(New(parallel.New(1)).Open(program.Fillers(), testParams, backend.Budget{}))(t)
	need := must(free.Peak(small))(t)
	if more := must(free.Peak(large))(t); more <= need {
		t.Errorf("%d bytes for a large proof and %d for a small one", more, need)
	}
	if _, err := free.Peak([]circuit.Instance{{Table: 0, LogHeight: 5}}); err == nil {
		t.Error("instances that the machine does not allow have a peak")
	}
	huge := slices.Clone(small)
	huge[1].LogHeight = air.MaxLogHeight
	var memory *backend.MemoryError
	if hostMemory() > 0 {
		if _, err := free.Begin(huge); !errors.As(err, &memory) || memory.HaveBytes != hostMemory() {
			t.Errorf("2^28 rows of keccak-f fit the host: %v", err)
		}
	}
	limited := must(New(parallel.New(1)).Open(program.Fillers(), testParams,
		backend.Budget{Limit: need, Reserve: small}))(t)
	must(limited.Begin(small))(t).Close()
	if have := must(limited.Peak(small))(t); have != need {
		t.Errorf("with the memory taken the peak is %d, want %d", have, need)
	}
	if _, err := limited.Begin(large); !errors.As(err, &memory) || memory.HaveBytes != need || memory.NeedBytes <= need {
		t.Errorf("a proof beyond the limit is begun: %v", err)
	}
	for _, budget := range []backend.Budget{{Limit: need, Reserve: large}, {Limit: 100}} {
		if _, err := New(parallel.New(1)).Open(program.Fillers(), testParams, budget); !errors.As(err, &memory) {
			t.Errorf("budget %+v: %v", budget, err)
		}
	}
	for _, p := range []backend.Prover{free, limited} {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Proofs of different heights use the same memory, and equal those of fresh provers.
func TestProofsOfManyHeights(t *testing.T) {
	program := tourProgram(t)
	params := must(protocol.PresetByName("test"))(t).Params
	key := must(setup.NewKey(program.Machine(), params))(t)
	proofOf := func(p *prove.Prover, size int) []byte {
		proof, _, err := p.Prove(context.Background(), execute(t, program, size), prove.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := verify.Proof(proof, key); err != nil {
			t.Fatalf("%d steps: %v", size, err)
		}
		return must(proof.MarshalBinary())(t)
	}
	opened := &remembering{Backend: New(parallel.New(2))}
	kept := must(prove.NewProver(key, program.Fillers(), opened, backend.Budget{}))(t)
	proofOf(kept, 300)
	arena := &opened.last.memory.arena.words[0]
	for _, size := range []int{0, 40, 300, 150} {
		fresh := must(prove.NewProver(key, program.Fillers(), New(parallel.New(1)), backend.Budget{}))(t)
		if !slices.Equal(proofOf(kept, size), proofOf(fresh, size)) {
			t.Errorf("%d steps: another proof than that of a fresh prover", size)
		}
		if &opened.last.memory.arena.words[0] != arena {
			t.Errorf("%d steps take memory anew", size)
		}
		if err := fresh.Close(); err != nil {
			t.Error(err)
		}
	}
	proofOf(kept, 1200)
	if &opened.last.memory.arena.words[0] == arena {
		t.Error("1200 steps fit the memory of 300")
	}
	if err := kept.Close(); err != nil {
		t.Error(err)
	}
}

// A backend for one proof can make another, even though it has freed all memory, including the values of preprocessed
// columns.
func TestOnceAndAgain(t *testing.T) {
	for _, program := range []run.Program{must(keccak.Program())(t), tourProgram(t)} {
		key := must(setup.NewKey(program.Machine(), must(protocol.PresetByName("test"))(t).Params))(t)
		p := must(prove.NewProver(key, program.Fillers(), NewOnce(parallel.New(2)), backend.Budget{}))(t)
		for _, size := range []int{85, 85, 40} {
			proof, _, err := p.Prove(context.Background(), execute(t, program, size), prove.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := verify.Proof(proof, key); err != nil {
				t.Errorf("%s, size %d: %v", program.Machine().Name, size, err)
			}
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// remembering is a backend that remembers the prover that it opened last.
type remembering struct {
	*Backend
	last *prover
}

func (b *remembering) Open(f *machine.Fillers, params protocol.Layout, budget backend.Budget) (backend.Prover, error) {
	opened, err := b.Backend.Open(f, params, budget)
	if err == nil {
		b.last = opened.(*prover)
	}
	return opened, err
}

// A proof fits the workspace: no loan comes from the heap, and the whole workspace is free once all loans are returned.
func TestProofsFitTheWorkspace(t *testing.T) {
	for _, c := range []struct {
		program  run.Program
		size     int
		logArity int // with 4, the copy of a layer takes more than all later loans
	}{
		{must(fib.Program())(t), 1 << 8, 2}, {must(fib.Program())(t), 1 << 14, 4},
		{must(keccak.Program())(t), 1, 2}, {must(keccak.Program())(t), 85, 2}, {tourProgram(t), 200, 2},
	} {
		params := must(protocol.PresetByName("test"))(t).Params
		params.LogArity = c.logArity
		key := must(setup.NewKey(c.program.Machine(), params))(t)
		opened := &remembering{Backend: New(parallel.New(2))}
		var end *foldable
		take := func(next backend.Codeword) error { end = next.(*foldable); return nil }
		hooked := backendtest.Hooked{Backend: opened, Hooks: &backendtest.Hooks{Deep: take,
			Fold: func(_ int, next backend.Codeword) error { return take(next) }}}
		p := must(prove.NewProver(key, c.program.Fillers(), hooked, backend.Budget{}))(t)
		missed := -1
		_, _, err := p.Prove(context.Background(), execute(t, c.program, c.size),
			prove.Options{Progress: func(stage prove.Stage) {
				if stage == prove.StageGather {
					own := opened.last.active
					missed = own.workspace.missed
					for _, l := range end.layers {
						own.workspace.give(&l.memory)
					}
					own.workspace.give(&end.current.loan)
					own.workspace.give(&own.phases[protocol.Quotient].loan)
					if want := []span{{0, len(own.workspace.words)}}; !slices.Equal(own.workspace.free, want) || len(end.joining) > 0 {
						t.Errorf("%s, size %d: when the proof is done %v are free, want %v", c.program.Machine().Name, c.size,
							own.workspace.free, want)
					}
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		if missed != 0 {
			t.Errorf("%s, size %d: %d elements did not fit the workspace", c.program.Machine().Name, c.size, missed)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The predicted peak is close to the largest amount of live memory at the end of any stage.
func TestPeak(t *testing.T) {
	program := must(keccak.Program())(t)
	params := protocol.Default()
	params.GrindingBits = 0
	key := must(setup.NewKey(program.Machine(), params))(t)
	e := must(run.Execute(context.Background(), program,
		run.Input{Size: 85, Seed: 1, MinLogHeight: params.MinLogHeight}))(t)
	alive := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	before, peak := alive(), uint64(0)
	opened := &remembering{Backend: NewOnce(parallel.New(2))}
	p := must(prove.NewProver(key, program.Fillers(), opened, backend.Budget{Reserve: e.Instances()}))(t)
	predicted := must(p.Peak(e.Instances()))(t)
	_, _, err := p.Prove(context.Background(), e, prove.Options{Progress: func(prove.Stage) {
		mapped := len(opened.last.memory.arena.mapping)
		for _, r := range opened.last.memory.lasting {
			mapped += len(r.mapping)
		}
		peak = max(peak, alive()-before+uint64(mapped))
	}})
	if err != nil {
		t.Fatal(err)
	}
	if ratio := float64(predicted) / float64(peak); ratio < 0.95 || ratio > 1.1 {
		t.Errorf("predicted %d bytes, %d were alive: ratio %.3f", predicted, peak, ratio)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// Writing to the columns that Access returns changes the proof.
func TestAccess(t *testing.T) {
	program := tourProgram(t)
	e := execute(t, program, 40)
	columns := count(t, start(t, program, e, 1), e)
	access, ok := AccessTo(columns)
	if !ok {
		t.Fatal("no access")
	}
	access.Columns(protocol.Main)[0][0][0]++
	changed, _, err := columns.Commit()
	if err != nil {
		t.Fatal(err)
	}
	honest, _, err := count(t, start(t, program, e, 1), e).Commit()
	if err != nil || slices.Equal(changed, honest) {
		t.Errorf("a changed cell does not change the cap (%v)", err)
	}
	if _, ok := AccessTo(nil); ok {
		t.Error("access to no proof")
	}
}

func TestDeviceSaysHowManyWorkers(t *testing.T) {
	for workers, want := range map[int]string{1: ", 1 worker", 2: ", 2 workers"} {
		if device := New(parallel.New(workers)).Device(); !strings.HasSuffix(device, want) {
			t.Errorf("%q, want it to end in %q", device, want)
		}
	}
}
