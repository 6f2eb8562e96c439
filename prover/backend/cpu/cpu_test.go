package cpu

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/fib"
	"github.com/chiasmus/chiasmus/prover/machine/keccak"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/stark"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

func randomElement(random *rand.Rand) goldilocks.Element {
	return goldilocks.FromUint64(random.Uint64())
}

func randomExtension(random *rand.Rand) goldilocks.Extension {
	return goldilocks.Extension{randomElement(random), randomElement(random), randomElement(random)}
}

func TestInverseDistances(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	x := []goldilocks.Element{0, 1, goldilocks.Element(goldilocks.Modulus - 1)}
	for range 50 {
		x = append(x, randomElement(random))
	}
	for _, z := range []goldilocks.Extension{{0, 1, 0}, {0, 0, 1}, {5, 0, 7}, randomExtension(random), randomExtension(random)} {
		got := newDistanceBlock(len(x)+3).inverses(x, z)
		for i, xi := range x {
			if want := goldilocks.FromBase(xi).Sub(z).Inverse(); got.At(i) != want {
				t.Fatalf("1/(%d - %v) is %v, want %v", xi, z, got.At(i), want)
			}
		}
	}
}

// The points are compared with the definition of bit-reversed order.
func TestPoints(t *testing.T) {
	for logSize := range 10 {
		x := make([]goldilocks.Element, 1<<logSize)
		fillPoints(x)
		for i := range x {
			want := goldilocks.Generator.Mul(goldilocks.RootOfUnity(logSize).Exp(uint64(reverse(i, logSize))))
			if x[i] != want {
				t.Fatalf("point %d of 2^%d is %d, want %d", i, logSize, x[i], want)
			}
		}
	}
}

// For every entry of the domain of size 2n, the row after it is the one whose
// point is g times its own.
func TestRowsAfter(t *testing.T) {
	const logHeight = 6
	n := 1 << logHeight
	x := make([]goldilocks.Element, 2*n)
	fillPoints(x)
	for rows := 1; rows <= n; rows *= 2 {
		for start := 0; start < 2*n; start += rows {
			var gathered []goldilocks.Element
			next := rowsAfter(start, rows, logHeight).of(x, &gathered)
			for i := range rows {
				if want := x[start+i].Mul(goldilocks.RootOfUnity(logHeight)); next[i] != want {
					t.Fatalf("blocks of %d, entry %d: %d follows, want %d", rows, start+i, next[i], want)
				}
			}
		}
	}
}

// proving is a keccak proof with the smallest heights, up to its commitments.
type proving struct {
	*Backend
	context   backend.Context
	committed backend.Commitments
	machine   *machine.Machine
	heights   []int
	witness   machine.Witness
}

func startProving(t *testing.T, permutations, logBlowup int) *proving {
	t.Helper()
	program, err := keccak.Program()
	if err != nil {
		t.Fatal(err)
	}
	w, err := program.Synthetic(permutations, 1, 8)
	if err != nil {
		t.Fatal(err)
	}
	p := &proving{Backend: New(parallel.New(2)), machine: program.Machine(), heights: w.LogHeights(), witness: w}
	p.context, err = p.Prepare(backend.Shape{Machine: p.machine, LogHeights: p.heights, LogBlowup: logBlowup, CapHeight: 2})
	if err != nil {
		t.Fatal(err)
	}
	p.committed[backend.Preprocessed], _, err = p.Preprocessed(p.context)
	if err != nil {
		t.Fatal(err)
	}
	columns, err := p.Trace(p.context, w)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Count(p.context, columns, p.committed[backend.Preprocessed], w.Public()); err != nil {
		t.Fatal(err)
	}
	p.commit(t, backend.Main, columns)
	return p
}

func (p *proving) commit(t *testing.T, phase backend.Phase, columns backend.Columns) {
	t.Helper()
	kept := make([][]int, len(p.machine.Tables))
	for i, table := range p.machine.Tables {
		kept[i] = backend.KeptColumns(table, phase)
	}
	var err error
	if p.committed[phase], _, err = p.Commit(p.context, phase, columns, kept); err != nil {
		t.Fatal(err)
	}
}

// The openings are compared with the Lagrange form over the trace domain,
// summed up plainly.
func TestOpenAgainstLagrange(t *testing.T) {
	p := startProving(t, 2, 2)
	traces, err := p.machine.Traces(parallel.New(0), p.witness)
	if err != nil {
		t.Fatal(err)
	}
	z := goldilocks.Extension{3, 5, 7}
	openings, err := p.Open(p.context, p.committed, z)
	if err != nil {
		t.Fatal(err)
	}
	for i, table := range p.machine.Tables {
		check := func(phase backend.Phase, columns [][]goldilocks.Element) {
			got := openings[phase][i]
			for j, column := range columns[:min(len(columns), 20)] {
				if want := lagrange(column, z); got.Current[j] != want {
					t.Fatalf("table %s, %s column %d at z: %v, want %v", table.Name, phase, j, got.Current[j], want)
				}
			}
			gz := z.MulBase(goldilocks.RootOfUnity(p.heights[i]))
			for k, j := range backend.NextColumns(table, phase)[:min(len(got.Next), 20)] {
				if want := lagrange(columns[j], gz); got.Next[k] != want {
					t.Fatalf("table %s, %s column %d at gz: %v, want %v", table.Name, phase, j, got.Next[k], want)
				}
			}
		}
		check(backend.Main, traces[i].Main)
		check(backend.Preprocessed, traces[i].Preprocessed)
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
		proving := New(parallel.New(workers))
		program, err := fib.Program()
		if err != nil {
			t.Fatal(err)
		}
		context, err := proving.Prepare(backend.Shape{Machine: program.Machine(), LogHeights: []int{8}, LogBlowup: 1})
		if err != nil {
			t.Fatal(err)
		}
		for seed := range byte(6) {
			for _, bits := range []int{1, 8, 12} {
				nonce, hashes, err := proving.Grind(context, [32]byte{seed}, bits)
				if err != nil {
					t.Fatal(err)
				}
				want := uint64(0)
				for !transcript.NoncePasses([32]byte{seed}, want, bits) {
					want++
				}
				if nonce != want || hashes != want+1 {
					t.Errorf("%d workers, seed %d, %d bits: nonce %d after %d hashes, want %d", workers, seed, bits, nonce, hashes, want)
				}
			}
		}
		for _, bits := range []int{0, 64} {
			if _, _, err := proving.Grind(context, [32]byte{}, bits); err == nil {
				t.Errorf("grinding %d bits is accepted", bits)
			}
		}
	}
}

// Handles are of use once, and only with their own context.
func TestHandles(t *testing.T) {
	p := startProving(t, 1, 1)
	other := startProving(t, 1, 1)
	challenges := backend.LogUpChallenges{Alpha: goldilocks.Extension{1, 2, 3}, Beta: goldilocks.Extension{4, 5, 6}}
	columns, claimed, err := p.LogUp(p.context, p.committed, p.witness.Public(), challenges)
	if err != nil || len(claimed) != len(p.heights) {
		t.Fatalf("%d claimed sums, %v", len(claimed), err)
	}
	kept := make([][]int, len(p.heights))
	if _, _, err := other.Commit(other.context, backend.Auxiliary, columns, kept); !errors.Is(err, backend.ErrForeignHandle) {
		t.Errorf("columns of another context: %v", err)
	}
	if _, _, err := p.Commit(p.context, backend.Quotient, columns, kept); err == nil {
		t.Error("auxiliary columns are committed to as quotient")
	}
	if _, _, err := p.Commit(other.context, backend.Auxiliary, columns, kept); !errors.Is(err, backend.ErrForeignHandle) {
		t.Errorf("another backend's context: %v", err)
	}
	p.commit(t, backend.Auxiliary, columns)
	if _, _, err := p.Commit(p.context, backend.Auxiliary, columns, kept); !errors.Is(err, backend.ErrReleased) {
		t.Errorf("columns committed to twice: %v", err)
	}
	auxiliary := p.committed[backend.Auxiliary]
	p.Release(p.context, auxiliary, auxiliary, nil)
	if _, err := p.Open(p.context, p.committed, goldilocks.Extension{0, 1}); !errors.Is(err, backend.ErrReleased) {
		t.Errorf("a released commitment is opened: %v", err)
	}
	plan, err := merkle.NewPlan(merkle.Shape{LogHeights: []int{9}, Widths: []int{1}}, []uint64{0})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Gather(p.context, auxiliary, plan); !errors.Is(err, backend.ErrReleased) {
		t.Errorf("a released tree is opened: %v", err)
	}
	if err := p.Close(p.context); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Trace(p.context, p.witness); err == nil {
		t.Error("a closed context traces")
	}
}

// contextBackend remembers the context that was prepared last.
type contextBackend struct {
	*Backend
	last *proverContext
}

func (b *contextBackend) Prepare(shape backend.Shape) (backend.Context, error) {
	c, err := b.Backend.Prepare(shape)
	if err == nil {
		b.last = c.(*proverContext)
	}
	return c, err
}

// The prediction is what is alive when the DEEP codewords are there.
func TestPredictedPeak(t *testing.T) {
	program, err := keccak.Program()
	if err != nil {
		t.Fatal(err)
	}
	params := stark.Default()
	params.GrindingBits = 0
	w, err := program.Synthetic(85, 1, params.MinLogHeight)
	if err != nil {
		t.Fatal(err)
	}
	key, err := stark.NewKey(program.Machine(), params)
	if err != nil {
		t.Fatal(err)
	}
	alive := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	before, peak := alive(), uint64(0)
	contexts := &contextBackend{Backend: NewOnce(parallel.New(2))}
	session, err := stark.NewSession(key, contexts, w.LogHeights())
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = session.Prove(context.Background(), w, stark.Options{Progress: func(stark.Stage) {
		peak = max(peak, alive()-before+uint64(contexts.last.mappings.bytes))
	}})
	if err != nil {
		t.Fatal(err)
	}
	ratio := float64(session.PredictedPeak()) / float64(peak)
	if ratio < 0.95 || ratio > 1.1 {
		t.Errorf("predicted %d bytes, %d were alive: ratio %.3f", session.PredictedPeak(), peak, ratio)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}
