package stark_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/fib"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/stark"
)

func testParams(t testing.TB) stark.Params {
	t.Helper()
	preset, err := stark.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	return preset.Params
}

func newKey(t testing.TB, m *machine.Machine, params stark.Params) *stark.Key {
	t.Helper()
	key, err := stark.NewKey(m, params)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func newSession(t testing.TB, key *stark.Key, logHeights []int, workers int) *stark.Session {
	t.Helper()
	session, err := stark.NewSession(key, cpu.New(parallel.New(workers)), logHeights)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	return session
}

// prove makes one proof with a number of workers.
func prove(t testing.TB, key *stark.Key, w machine.Witness, workers int) *stark.Proof {
	t.Helper()
	proof, _, err := newSession(t, key, w.LogHeights(), workers).Prove(context.Background(), w, stark.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return proof
}

func encode(t testing.TB, proof *stark.Proof) []byte {
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

func fibProgram(t testing.TB) machine.Program {
	t.Helper()
	program, err := fib.Program()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func fibWitness(t testing.TB, rows int, seed uint64) machine.Witness {
	t.Helper()
	w, err := fibProgram(t).Synthetic(rows, seed, 1)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Every parameter takes its smallest and its largest useful value.
func TestParameters(t *testing.T) {
	base := testParams(t)
	for name, change := range map[string]func(p *stark.Params){
		"test":             func(*stark.Params) {},
		"blowup 4":         func(p *stark.Params) { p.LogBlowup = 2 },
		"blowup 8":         func(p *stark.Params) { p.LogBlowup = 3 },
		"blowup 16":        func(p *stark.Params) { p.LogBlowup = 4 },
		"one query":        func(p *stark.Params) { p.Queries = 1 },
		"many queries":     func(p *stark.Params) { p.Queries = 1000 },
		"no grinding":      func(p *stark.Params) { p.GrindingBits = 0 },
		"arity 2":          func(p *stark.Params) { p.LogArity = 1 },
		"arity 16":         func(p *stark.Params) { p.LogArity = 4 },
		"constant final":   func(p *stark.Params) { p.LogFinalLength = 0 },
		"nothing to fold":  func(p *stark.Params) { p.LogFinalLength = stark.MaxLogFinalLength },
		"root caps":        func(p *stark.Params) { p.CapHeight = 0 },
		"caps of all":      func(p *stark.Params) { p.CapHeight = stark.MaxCapHeight },
		"default's shape":  func(p *stark.Params) { *p = stark.Default(); p.Queries, p.GrindingBits, p.MinLogHeight = 20, 10, 5 },
		"default-4's form": func(p *stark.Params) { p.LogBlowup, p.LogFinalLength, p.CapHeight = 2, 5, 4 },
	} {
		t.Run(name, func(t *testing.T) {
			params := base
			change(&params)
			for _, heights := range [][2]int{{7, 5}, {5, 9}, {6, 6}, {10, 5}} {
				w := newWalk(t, heights[0], heights[1], 7)
				key := newKey(t, walkMachine(t), params)
				proof := prove(t, key, w, 0)
				if err := stark.Verify(proof, key); err != nil {
					t.Errorf("heights %v: %v", heights, err)
				}
			}
		})
	}
}

func TestFibHeights(t *testing.T) {
	params := testParams(t)
	for logRows := 5; logRows <= 12; logRows++ {
		key := newKey(t, fibProgram(t).Machine(), params)
		if err := stark.Verify(prove(t, key, fibWitness(t, 1<<logRows, 3), 0), key); err != nil {
			t.Errorf("2^%d rows: %v", logRows, err)
		}
	}
}

// The bytes are a function of statement and witness: not of the number of
// workers, and not of what the session proved before.
func TestDeterminism(t *testing.T) {
	key := newKey(t, walkMachine(t), testParams(t))
	w := newWalk(t, 10, 8, 1)
	want := encode(t, prove(t, key, w, 1))
	for _, workers := range []int{2, 3, 7} {
		session := newSession(t, key, w.LogHeights(), workers)
		for _, seed := range []uint64{2, 1} {
			proof, _, err := session.Prove(context.Background(), newWalk(t, 10, 8, seed), stark.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if same := bytes.Equal(encode(t, proof), want); same != (seed == 1) {
				t.Errorf("%d workers, seed %d: equal to the proof of seed 1: %v", workers, seed, same)
			}
		}
	}
}

func TestEncoding(t *testing.T) {
	for name, proof := range map[string]*stark.Proof{
		"fib":  prove(t, newKey(t, fibProgram(t).Machine(), testParams(t)), fibWitness(t, 64, 1), 0),
		"walk": prove(t, newKey(t, walkMachine(t), testParams(t)), newWalk(t, 7, 5, 1), 0),
	} {
		data := encode(t, proof)
		var decoded stark.Proof
		if err := decoded.UnmarshalBinary(data); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(proof, &decoded, cmpopts.EquateEmpty()); diff != "" {
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

// A witness that breaks a constraint, a lookup or a bus is caught by the check
// for it.
func TestBadWitness(t *testing.T) {
	key := newKey(t, walkMachine(t), testParams(t))
	for name, tc := range map[string]struct {
		change func(w *walkWitness)
		want   stark.Check
	}{
		"cell":             {func(w *walkWitness) { w.tables[walkTable][0][9]++ }, stark.CheckQuotient},
		"last row":         {func(w *walkWitness) { w.public[1]++ }, stark.CheckQuotient},
		"first row":        {func(w *walkWitness) { w.public[0]++ }, stark.CheckQuotient},
		"preprocessed":     {func(w *walkWitness) { w.tables[stepsTable][1][3] = 5 }, stark.CheckQuotient},
		"unreceived":       {func(w *walkWitness) { w.tables[logTable][2][0] = 0 }, stark.CheckSums},
		"other message":    {func(w *walkWitness) { w.tables[logTable][0][0]++ }, stark.CheckSums},
		"received twice":   {func(w *walkWitness) { w.public[2], w.public[3] = w.tables[logTable][0][0], w.tables[logTable][1][0] }, stark.CheckSums},
		"public message":   {func(w *walkWitness) { w.public[3]++ }, stark.CheckSums},
		"never marked":     {func(w *walkWitness) { w.tables[walkTable][2][1<<w.logHeights[0]-1] = 0 }, stark.CheckSums},
		"the honest proof": {func(*walkWitness) {}, ""},
	} {
		w := newWalk(t, 7, 5, 1)
		tc.change(w)
		err := stark.Verify(prove(t, key, w, 0), key)
		if check, _ := stark.RejectedBy(err); check != tc.want {
			t.Errorf("%s: %v, want a rejection by %q", name, err, tc.want)
		}
	}
}

func TestLookupMiss(t *testing.T) {
	key := newKey(t, walkMachine(t), testParams(t))
	for _, step := range []goldilocks.Element{1 << stepsLogHeight, goldilocks.Element(goldilocks.Modulus - 1)} {
		w := newWalk(t, 7, 5, 1)
		w.tables[walkTable][1][5] = step
		_, _, err := newSession(t, key, w.LogHeights(), 0).Prove(context.Background(), w, stark.Options{})
		if !errors.Is(err, backend.ErrLookupMiss) {
			t.Errorf("step %d: %v, want a lookup miss", step, err)
		}
	}
}

func TestCancellation(t *testing.T) {
	key := newKey(t, walkMachine(t), testParams(t))
	w := newWalk(t, 7, 5, 1)
	session := newSession(t, key, w.LogHeights(), 0)
	cause := errors.New("enough")
	var seen []stark.Stage
	_, metrics, err := session.Prove(context.Background(), w, stark.Options{Progress: func(s stark.Stage) { seen = append(seen, s) }})
	if err != nil {
		t.Fatal(err)
	}
	total := metrics.Stages[stark.StageOther]
	for _, stage := range stark.Stages[:len(stark.Stages)-1] {
		total += metrics.Stages[stage]
	}
	if total != metrics.Total || metrics.GrindHashes == 0 {
		t.Errorf("stages add up to %v of %v, %d hashes", total, metrics.Total, metrics.GrindHashes)
	}
	for _, at := range seen {
		ctx, cancel := context.WithCancelCause(context.Background())
		_, _, err := session.Prove(ctx, w, stark.Options{Progress: func(s stark.Stage) {
			if s == at {
				cancel(cause)
			}
		}})
		if last := at == stark.StageGather; last != (err == nil) || !last && !errors.Is(err, cause) {
			t.Errorf("cancelled in stage %s: %v", at, err)
		}
	}
	// The session goes on after all that.
	proof, _, err := session.Prove(context.Background(), w, stark.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := stark.Verify(proof, key); err != nil {
		t.Error(err)
	}
}

func TestSessionRefuses(t *testing.T) {
	params := testParams(t)
	key := newKey(t, walkMachine(t), params)
	for _, heights := range [][]int{nil, {7, 6}, {7, 6, 4}, {4, 6, 5}, {7, 5, 5}, {32, 6, 5}} {
		if _, err := stark.NewSession(key, cpu.New(parallel.New(1)), heights); err == nil {
			t.Errorf("heights %v are accepted", heights)
		}
	}
	session := newSession(t, key, []int{7, 6, 5}, 1)
	if _, _, err := session.Prove(context.Background(), newWalk(t, 8, 5, 1), stark.Options{}); err == nil {
		t.Error("a witness of other heights is accepted")
	}
	params.MinLogHeight = stepsLogHeight + 1
	if _, err := stark.NewKey(walkMachine(t), params); err == nil {
		t.Error("a table below the smallest height is accepted")
	}
	params.Queries = 0
	if _, err := stark.NewKey(walkMachine(t), params); err == nil {
		t.Error("no queries are accepted")
	}
	invalid := walkMachine(t)
	invalid.Buses[1].Arity = 3
	if _, err := stark.NewKey(invalid, testParams(t)); err == nil {
		t.Error("a machine whose tables use another bus than its own is accepted")
	}
}

func BenchmarkVerify(b *testing.B) {
	params := stark.Default()
	key := newKey(b, fibProgram(b).Machine(), params)
	for _, logRows := range []int{8, 16} {
		proof := prove(b, key, fibWitness(b, 1<<logRows, 1), 0)
		b.Run(fmt.Sprintf("fib-2^%d", logRows), func(b *testing.B) {
			for b.Loop() {
				if err := stark.Verify(proof, key); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
