package cpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Random loans never overlap and have the requested length. Once all are returned, the whole workspace is free.
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
			w.give(out[i]) // has no effect
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
