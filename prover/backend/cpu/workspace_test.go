package cpu

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/fib"
	"github.com/chiasmus/chiasmus/prover/machine/keccak"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// Loans drawn at random never share a word, are as long as asked for, and all
// together leave the workspace whole when they are back.
func TestWorkspaceLendsDisjointMemory(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const size = 1 << 12
	w := newWorkspace(make([]goldilocks.Element, size))
	var out []*loan
	marks, heap, lent := map[*loan]goldilocks.Element{}, 0, 0
	for step := range 20_000 {
		if len(out) > 0 && (random.IntN(2) == 0 || len(out) > 40) {
			i := random.IntN(len(out))
			for _, word := range out[i].words {
				if word != marks[out[i]] {
					t.Fatalf("step %d: a loan holds %d, which another wrote, not its own %d", step, word, marks[out[i]])
				}
			}
			w.give(out[i])
			if out[i].words != nil {
				t.Fatal("a loan that was given back still has its words")
			}
			w.give(out[i]) // of no effect
			out = slices.Delete(out, i, i+1)
			continue
		}
		n := random.IntN(size / 8)
		l := w.take(n)
		if len(l.words) != n || cap(l.words) != n {
			t.Fatalf("asked for %d words, got %d of %d", n, len(l.words), cap(l.words))
		}
		if l.start == l.end {
			heap++
		} else {
			lent++
		}
		mark := goldilocks.Element(step + 1)
		for i := range l.words {
			l.words[i] = mark
		}
		out = append(out, &l)
		marks[&l] = mark
	}
	if heap == 0 || lent == 0 {
		t.Fatalf("%d loans were the heap's and %d the workspace's: one of the two was not tried", heap, lent)
	}
	for _, l := range out {
		w.give(l)
	}
	if want := []span{{0, size}}; !slices.Equal(w.free, want) {
		t.Fatalf("with every loan back %v are free, want %v", w.free, want)
	}
}

// A proof of either machine fits the workspace: nothing that it lends comes
// from the heap, and all of it is back at the end.
func TestProofsFitTheWorkspace(t *testing.T) {
	for _, c := range []struct {
		program func() (machine.Program, error)
		size    int
	}{{fib.Program, 1 << 8}, {fib.Program, 1 << 12}, {keccak.Program, 1}, {keccak.Program, 85}} {
		program, err := c.program()
		if err != nil {
			t.Fatal(err)
		}
		params := stark.Default()
		params.GrindingBits = 0
		w, err := program.Synthetic(c.size, 1, params.MinLogHeight)
		if err != nil {
			t.Fatal(err)
		}
		key, err := stark.NewKey(program.Machine(), params)
		if err != nil {
			t.Fatal(err)
		}
		contexts := &contextBackend{Backend: New(parallel.New(2))}
		session, err := stark.NewSession(key, contexts, w.LogHeights())
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := session.Prove(context.Background(), w, stark.Options{}); err != nil {
			t.Fatal(err)
		}
		work := contexts.last.workspace
		if work.missed != 0 {
			t.Errorf("%s, size %d: %d elements did not fit the workspace of %d", program.Machine().Name, c.size, work.missed, len(work.words))
		}
		if want := []span{{0, len(work.words)}}; !slices.Equal(work.free, want) {
			t.Errorf("%s, size %d: when the proof is done %v are free, want %v", program.Machine().Name, c.size, work.free, want)
		}
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}
}
