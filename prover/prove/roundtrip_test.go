package prove_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/fib"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify"
)

func testParams(t testing.TB) protocol.Params {
	t.Helper()
	preset, err := protocol.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	return preset.Params
}

// fillers are the fillers of the keys' machines.
var fillers sync.Map

func newKey(t testing.TB, of *machine.Fillers, params protocol.Params) *protocol.Key {
	t.Helper()
	key, err := setup.NewKey(of.Machine, params)
	if err != nil {
		t.Fatal(err)
	}
	fillers.Store(key, of)
	return key
}

// newProverOn opens a backend for one of these keys.
func newProverOn(key *protocol.Key, b backend.Backend) (*prove.Prover, error) {
	of, ok := fillers.Load(key)
	if !ok {
		return nil, errors.New("the key is not one of newKey's")
	}
	return prove.NewProver(key, of.(*machine.Fillers), b, backend.Budget{})
}

func newProver(t testing.TB, key *protocol.Key, workers int) *prove.Prover {
	t.Helper()
	prover, err := newProverOn(key, cpu.New(parallel.New(workers)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := prover.Close(); err != nil {
			t.Error(err)
		}
	})
	return prover
}

// prove makes one proof with a number of workers.
func proofOf(t testing.TB, key *protocol.Key, execution machine.Execution, workers int) *protocol.Proof {
	t.Helper()
	proof, _, err := newProver(t, key, workers).Prove(context.Background(), execution, prove.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return proof
}

func encode(t testing.TB, proof *protocol.Proof) []byte {
	t.Helper()
	data, err := proof.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if appended, err := proof.AppendBinary([]byte("before")); err != nil || string(appended) != "before"+string(data) {
		t.Errorf("appended to other bytes the encoding is another (%v)", err)
	}
	return data
}

func fibProgram(t testing.TB) run.Program {
	t.Helper()
	program, err := fib.Program()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// tourProgram is a machine that has one of everything.
func tourProgram(t testing.TB) run.Program {
	t.Helper()
	program, err := tour.New(tour.Sample())
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func execute(t testing.TB, program run.Program, input run.Input) machine.Execution {
	t.Helper()
	execution, err := run.Execute(context.Background(), program, input)
	if err != nil {
		t.Fatal(err)
	}
	return execution
}

// draw executes a program on random input of the given size, at the test preset's heights.
func draw(t testing.TB, program run.Program, size int, seed uint64) machine.Execution {
	t.Helper()
	return execute(t, program, run.Input{Size: size, Seed: seed, MinLogHeight: testParams(t).MinLogHeight})
}

func proveFib(t testing.TB) *protocol.Proof {
	t.Helper()
	return proofOf(t, newKey(t, fibProgram(t).Fillers(), testParams(t)), draw(t, fibProgram(t), 64, 1), 0)
}

func proveTour(t testing.TB) *protocol.Proof {
	t.Helper()
	program := tourProgram(t)
	return proofOf(t, newKey(t, program.Fillers(), testParams(t)), draw(t, program, 100, 1), 0)
}

// Every parameter takes its smallest and its largest useful value.
func TestParameters(t *testing.T) {
	base := testParams(t)
	for name, change := range map[string]func(p *protocol.Params){
		"test":            func(*protocol.Params) {},
		"blowup 4":        func(p *protocol.Params) { p.LogBlowup = 2 },
		"blowup 8":        func(p *protocol.Params) { p.LogBlowup = 3 },
		"blowup 16":       func(p *protocol.Params) { p.LogBlowup = 4 },
		"one query":       func(p *protocol.Params) { p.Queries = 1 },
		"many queries":    func(p *protocol.Params) { p.Queries = 1000 },
		"no grinding":     func(p *protocol.Params) { p.GrindingBits = 0 },
		"arity 2":         func(p *protocol.Params) { p.LogArity = 1 },
		"arity 16":        func(p *protocol.Params) { p.LogArity = 4 },
		"constant final":  func(p *protocol.Params) { p.LogFinalLength = 0 },
		"nothing to fold": func(p *protocol.Params) { p.LogFinalLength = protocol.MaxLogFinalLength },
		"root caps":       func(p *protocol.Params) { p.CapHeight = 0 },
		"caps of all":     func(p *protocol.Params) { p.CapHeight = protocol.MaxCapHeight },
		"default's shape": func(p *protocol.Params) {
			*p = protocol.Default()
			p.Queries, p.GrindingBits, p.MinLogHeight = 20, 10, 5
		},
		"default-4's form": func(p *protocol.Params) { p.LogBlowup, p.LogFinalLength, p.CapHeight = 2, 5, 4 },
	} {
		t.Run(name, func(t *testing.T) {
			params := base
			change(&params)
			program := tourProgram(t)
			key := newKey(t, program.Fillers(), params)
			prover := newProver(t, key, 0)
			for _, size := range []int{0, 3, 100, 250} { // proofs of different heights follow one another
				proof, _, err := prover.Prove(context.Background(), draw(t, program, size, 7), prove.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if err := verify.Proof(proof, key); err != nil {
					t.Errorf("%d steps: %v", size, err)
				}
			}
		})
	}
}

func TestFibHeights(t *testing.T) {
	params := testParams(t)
	for logRows := 5; logRows <= 12; logRows++ {
		key := newKey(t, fibProgram(t).Fillers(), params)
		if err := verify.Proof(proofOf(t, key, draw(t, fibProgram(t), 1<<logRows, 3), 0), key); err != nil {
			t.Errorf("2^%d rows: %v", logRows, err)
		}
	}
}

// The bytes are a function of statement and execution: they depend neither on the number of workers nor on earlier
// proofs of the prover, at any heights.
func TestDeterminism(t *testing.T) {
	program := tourProgram(t)
	key := newKey(t, program.Fillers(), testParams(t))
	want := encode(t, proofOf(t, key, draw(t, program, 700, 1), 1))
	for _, workers := range []int{2, 3, 7} {
		prover := newProver(t, key, workers)
		for _, run := range []struct{ size, seed int }{{700, 2}, {40, 1}, {700, 1}, {1500, 3}, {700, 1}} {
			proof, _, err := prover.Prove(context.Background(), draw(t, program, run.size, uint64(run.seed)), prove.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if same := bytes.Equal(encode(t, proof), want); same != (run.size == 700 && run.seed == 1) {
				t.Errorf("%d workers, %d steps, seed %d: equal to the proof of 700 steps, seed 1: %v", workers, run.size, run.seed,
					same)
			}
		}
	}
}

func TestEncoding(t *testing.T) {
	for name, proof := range map[string]*protocol.Proof{
		"fib":  proveFib(t),
		"tour": proveTour(t),
	} {
		data := encode(t, proof)
		var decoded protocol.Proof
		if err := decoded.UnmarshalBinary(data); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(proof, &decoded, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(protocol.Proof{})); diff != "" {
			t.Errorf("%s: decoded proof differs (-want +got):\n%s", name, diff)
		}
		total := 0
		for _, section := range proof.Sections() {
			total += section.Bytes
		}
		if total != len(data) {
			t.Errorf("%s: sections of %d bytes in all, the proof has %d", name, total, len(data))
		}
		for n := range data {
			if err := decoded.UnmarshalBinary(data[:n]); err == nil {
				t.Errorf("%s: the first %d of %d bytes decode", name, n, len(data))
			}
		}
		if err := decoded.UnmarshalBinary(append(data, 0)); err == nil {
			t.Errorf("%s: a byte after the end is accepted", name)
		}
	}
}

func TestLookupMiss(t *testing.T) {
	program := tourProgram(t)
	key := newKey(t, program.Fillers().Mutable(), testParams(t))
	truth := draw(t, program, 40, 1)
	const toll = 6
	for _, wrong := range []goldilocks.Element{tour.MaxToll + 1, goldilocks.Element(goldilocks.Modulus - 1)} {
		cheat := &machine.Mutated{Execution: truth, Change: func(instance int, columns [][]goldilocks.Element) {
			if truth.Instances()[instance].Table == tour.Step {
				columns[toll][5] = wrong
			}
		}}
		if _, _, err := newProver(t, key, 0).Prove(context.Background(), cheat, prove.Options{}); !errors.Is(err,
			backend.ErrLookupMiss) {
			t.Errorf("toll %d: %v, want a lookup miss", wrong, err)
		}
	}
}

func TestCancellation(t *testing.T) {
	program := tourProgram(t)
	key := newKey(t, program.Fillers(), testParams(t))
	w := draw(t, program, 40, 1)
	prover := newProver(t, key, 0)
	cause := errors.New("enough")
	var seen []prove.Stage
	_, metrics, err := prover.Prove(context.Background(), w,
		prove.Options{Progress: func(s prove.Stage) { seen = append(seen, s) }})
	if err != nil {
		t.Fatal(err)
	}
	total := metrics.Stages[prove.StageOther]
	for _, stage := range prove.Stages[:len(prove.Stages)-1] {
		total += metrics.Stages[stage]
	}
	if total != metrics.Total || metrics.GrindHashes == 0 {
		t.Errorf("stages add up to %v of %v, %d hashes", total, metrics.Total, metrics.GrindHashes)
	}
	for _, at := range seen {
		ctx, cancel := context.WithCancelCause(context.Background())
		_, _, err := prover.Prove(ctx, w, prove.Options{Progress: func(s prove.Stage) {
			if s == at {
				cancel(cause)
			}
		}})
		if last := at == prove.StageGather; last != (err == nil) || !last && !errors.Is(err, cause) {
			t.Errorf("cancelled in stage %s: %v", at, err)
		}
	}
	// The prover still works after all these errors.
	proof, _, err := prover.Prove(context.Background(), w, prove.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := verify.Proof(proof, key); err != nil {
		t.Error(err)
	}
}

func TestProverRefuses(t *testing.T) {
	params := testParams(t)
	program := tourProgram(t)
	key := newKey(t, program.Fillers(), params)
	truth := draw(t, program, 40, 1)
	prover := newProver(t, key, 1)
	for name, change := range map[string]func(list []circuit.Instance) []circuit.Instance{
		"no instances":   func([]circuit.Instance) []circuit.Instance { return nil },
		"one missing":    func(list []circuit.Instance) []circuit.Instance { return list[:len(list)-2] },
		"out of order":   func(list []circuit.Instance) []circuit.Instance { slices.Reverse(list); return list },
		"one too low":    func(list []circuit.Instance) []circuit.Instance { list[0].LogHeight = 4; return list },
		"one too high":   func(list []circuit.Instance) []circuit.Instance { list[0].LogHeight = 32; return list },
		"an unknown one": func(list []circuit.Instance) []circuit.Instance { list[len(list)-1].Table = 6; return list },
	} {
		list := change(slices.Clone(truth.Instances()))
		if _, err := prover.Peak(list); err == nil {
			t.Errorf("%s: there is a peak", name)
		}
		if _, _, err := prover.Prove(context.Background(), &machine.Mutated{Execution: truth, Shape: list},
			prove.Options{}); err == nil && list != nil {
			t.Errorf("%s: proven", name)
		}
	}
	params.MinLogHeight = 9
	if _, err := setup.NewKey(program.Machine(), params); err == nil {
		t.Error("a table below the smallest height is accepted")
	}
	params.Queries = 0
	if _, err := setup.NewKey(program.Machine(), params); err == nil {
		t.Error("no queries are accepted")
	}
	invalid := *program.Machine()
	invalid.Buses = slices.Clone(invalid.Buses)
	invalid.Buses[1], invalid.Buses[2] = invalid.Buses[2], invalid.Buses[1]
	if _, err := setup.NewKey(&invalid, testParams(t)); err == nil {
		t.Error("a machine whose tables use another bus than its own is accepted")
	}
}

func BenchmarkVerify(b *testing.B) {
	params := protocol.Default()
	key := newKey(b, fibProgram(b).Fillers(), params)
	for _, logRows := range []int{8, 16} {
		proof := proofOf(b, key, execute(b, fibProgram(b), run.Input{Size: 1 << logRows, Seed: 1}), 0)
		b.Run(fmt.Sprintf("fib-2^%d", logRows), func(b *testing.B) {
			for b.Loop() {
				if err := verify.Proof(proof, key); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
