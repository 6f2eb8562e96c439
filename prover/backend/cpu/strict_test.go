package cpu

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

// Messages that the verifier sends on lookup buses are counted with their multiplicity. Messages that it receives are
// not counted.
func TestCountOfPublicMessages(t *testing.T) {
	f := wide(t, logWide)
	e := shaped{instances: []circuit.Instance{{Table: 0, LogHeight: 5}, {Table: 1, LogHeight: logWide}}}
	message := func(kind air.Kind, times, value goldilocks.Element) circuit.Message {
		return circuit.Message{Bus: f.Machine.Buses[0], Kind: kind, Multiplicity: times,
			Values: []goldilocks.Element{value, value.Square()}}
	}
	for name, messages := range map[string][]circuit.Message{
		"none":           nil,
		"sent":           {message(air.Send, 1, 70)},
		"sent often":     {message(air.Send, 1000, 70), message(air.Send, 1, 71), message(air.Send, 5, 70)},
		"received":       {message(air.Receive, 3, 70)},
		"both":           {message(air.Receive, 3, 70), message(air.Send, 2, 70)},
		"sent no times":  {message(air.Send, 0, 70)},
		"sent minus one": {message(air.Send, goldilocks.Element(goldilocks.Modulus-1), 70)},
	} {
		traces := must(f.Traces(parallel.New(0), e))(t)
		air.CountLookups(traces, nil, messages)
		s := start(t, bare{fillers: f}, e, 2)
		if _, err := must(s.Trace(e))(t).Count(messages); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for lane, counts := range s.phases[protocol.Main].columns[1] {
			if !slices.Equal(counts[:1<<logWide], traces[1].Trace.Main[lane]) {
				t.Errorf("%s: counts of lane %d are not the reference's", name, lane)
			}
		}
	}
}

// A row answers a message of one value only if the row has that value, even if the message's place is that row.
func TestCountOfOneValue(t *testing.T) {
	type message struct{ Value air.Expr }
	for name, wrong := range map[string]bool{"every row says its place": false, "row 3 says 5": true} {
		var buses air.Buses
		bus := air.NewLookup[message](&buses, "number")
		ask, answer := air.NewTable("ask"), air.NewTable("answer")
		bus.Ask(ask, ask.Constant(1), message{ask.Main("x")})
		answer.Heights(5, 5)
		bus.Answer(answer, answer.Main("count"), air.Rows{Weights: []uint64{1}}, message{answer.Preprocessed("value")})
		answer.FillPreprocessed(func(columns [][]goldilocks.Element) {
			for row := range columns[0] {
				columns[0][row] = goldilocks.Element(row)
			}
			if wrong {
				columns[0][3] = 5
			}
		})
		fill := func(asked goldilocks.Element) func(*parallel.Pool, machine.Execution, int, [][]goldilocks.Element) error {
			return func(_ *parallel.Pool, _ machine.Execution, _ int, columns [][]goldilocks.Element) error {
				for row := range columns[0] {
					columns[0][row] = asked
				}
				return nil
			}
		}
		m := &circuit.Machine{Name: "numbers", Buses: buses.List(), Tables: []*air.Table{
			must(ask.Build())(t), must(answer.Build())(t)}}
		f := &machine.Fillers{Machine: m, Tables: []machine.Filler{{Fill: fill(3)}, {Fill: fill(0)}}}
		e := shaped{instances: []circuit.Instance{{Table: 0, LogHeight: 5}, {Table: 1, LogHeight: 5}}}
		s := start(t, bare{fillers: f}, e, 2)
		if _, err := must(s.Trace(e))(t).Count(nil); errors.Is(err, backend.ErrLookupMiss) != wrong {
			t.Errorf("%s: %v", name, err)
		}
		if count := s.phases[protocol.Main].columns[1][0][3]; !wrong && count != 32 {
			t.Errorf("%s: 32 messages of 3 counted %d times", name, count)
		}
	}
}

// If several workers find nonces at the same time, the smallest nonce always wins.
func TestGrindAmongMany(t *testing.T) {
	pool := parallel.New(8)
	for seed := range byte(60) {
		want := uint64(0)
		for !transcript.NoncePasses([32]byte{1, seed}, want, 11) {
			want++
		}
		newSearch := func() protocol.NonceSearch {
			return protocol.GrindingOf(merkle.Keccak).NewSearch([32]byte{1, seed}, 11)
		}
		if nonce := grind(pool, newSearch); nonce != want {
			t.Fatalf("seed %d: nonce %d, want %d", seed, nonce, want)
		}
	}
}

// A larger nonce that is found later does not replace a smaller one.
func TestGrindAmongManyKeepsTheLeast(t *testing.T) {
	var best atomic.Uint64
	best.Store(1 << 40)
	for _, found := range []uint64{7, 9, 5, 6} {
		keepLeast(&best, found)
	}
	if least := best.Load(); least != 5 {
		t.Errorf("the least nonce is %d, want 5", least)
	}
}

// Gather requires a plan for every tree that exists.
func TestGatherWantsEveryPlan(t *testing.T) {
	program := tourProgram(t)
	e := execute(t, program, 40)
	for _, phase := range []protocol.Phase{protocol.Fixed, protocol.Program, protocol.Main,
		protocol.Auxiliary, protocol.Quotient} {
		s := start(t, program, e, 1)
		opened := open(t, s, e)
		codeword := must(opened.Deep(opened.openings))(t)
		for _, logArity := range s.shape.Schedule {
			_, layer, err := codeword.Commit(logArity)
			if err != nil {
				t.Fatal(err)
			}
			codeword = must(layer.Fold(goldilocks.Extension{1, 2}))(t)
		}
		_, queries, err := codeword.Final()
		if err != nil {
			t.Fatal(err)
		}
		plans := &protocol.Plans{}
		for other := range protocol.Phase(protocol.PhaseCount) {
			if other != phase {
				plans.Phases[other] = must(merkle.NewPlan(s.shape.TreeShape(other), []uint64{0}))(t)
			}
		}
		for i := range s.shape.Schedule {
			plans.Layers = append(plans.Layers, must(merkle.NewPlan(s.shape.LayerShape(i), []uint64{0}))(t))
		}
		if _, err := queries.Gather(plans, nil); err == nil ||
			!strings.Contains(err.Error(), "a plan for the "+phase.String()+" tree: false") {
			t.Errorf("without a plan for the %s tree: %v", phase, err)
		}
	}
}

// A fingerprint of zero is found anywhere: in any instance, in any block of rows, and even in a single row.
func TestZeroDenominatorAnywhere(t *testing.T) {
	f := wide(t, logWide)
	e := shaped{instances: []circuit.Instance{{Table: 0, LogHeight: 5}, {Table: 1, LogHeight: logWide}}}
	beta := goldilocks.Extension{0, 1}
	for _, value := range []goldilocks.Element{0, 1, 63, 64, 331, 20000, 1<<15 - 1, 1 << 15} {
		main := commit(t, count(t, start(t, bare{fillers: f}, e, 2), e))
		// alpha + bus + beta value + beta^2 value^2 is zero for this value only.
		alpha := goldilocks.FromBase(goldilocks.Element(f.Machine.Buses[0].Index)).Add(beta.MulBase(value)).
			Add(beta.Square().MulBase(value.Square())).Neg()
		_, _, err := main.LogUp(protocol.LogUpChallenges{Alpha: alpha, Beta: beta})
		if want := value < 1<<15; errors.Is(err, backend.ErrZeroDenominator) != want || !want && err != nil {
			t.Errorf("the fingerprint of %d is zero: %v", value, err)
		}
	}
}
