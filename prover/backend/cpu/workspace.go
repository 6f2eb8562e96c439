package cpu

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// workspace is one allocation that the stages of a proof use one after the
// other: first the copies that LogUp reads; when those have been read, the
// quotient's extensions, the codewords and the layers of FRI. Fresh memory for
// each would cost a fault for each page, on all cores at once, and raise the
// peak.
type workspace struct {
	words []goldilocks.Element
	free  []span // ascending; no two of them touch

	missed int // elements that were asked for and not there
}

// span is a range [start, end) of the workspace's words.
type span struct{ start, end int }

// loan is memory lent by a workspace. The zero loan is of no memory.
type loan struct {
	words []goldilocks.Element
	span  // empty where the words are Go's heap's
}

// workspaceLine is the elements of a cache line: what is lent is whole lines.
const workspaceLine = 8

func newWorkspace(words []goldilocks.Element) *workspace {
	return &workspace{words: words, free: []span{{0, len(words)}}}
}

// take lends n elements, with whatever was in them before, from the first span
// with room. Where there is none, they come from Go's heap.
func (w *workspace) take(n int) loan {
	room := wholeLines(n)
	for i, s := range w.free {
		if s.end-s.start < room || n == 0 {
			continue
		}
		if w.free[i].start += room; w.free[i].start == s.end {
			w.free = slices.Delete(w.free, i, i+1)
		}
		return loan{w.words[s.start : s.start+n : s.start+n], span{s.start, s.start + room}}
	}
	w.missed += n
	return loan{words: make([]goldilocks.Element, n)}
}

// give takes a loan back and leaves the zero loan, so that none is taken back
// twice.
func (w *workspace) give(l *loan) {
	back := l.span
	*l = loan{}
	if back.start == back.end {
		return
	}
	i, _ := slices.BinarySearchFunc(w.free, back.start, func(s span, start int) int { return s.start - start })
	if i < len(w.free) && w.free[i].start == back.end {
		back.end = w.free[i].end
		w.free = slices.Delete(w.free, i, i+1)
	}
	if i > 0 && w.free[i-1].end == back.start {
		w.free[i-1].end = back.end
		return
	}
	w.free = slices.Insert(w.free, i, back)
}

// freeFrom is what is free at the end of the workspace, from element n on.
func (w *workspace) freeFrom(n int) []goldilocks.Element {
	if len(w.free) == 0 {
		return nil
	}
	last := w.free[len(w.free)-1]
	if last.end != len(w.words) {
		return nil
	}
	return w.words[min(max(last.start, n), last.end):]
}

func wholeLines(n int) int { return (n + workspaceLine - 1) &^ (workspaceLine - 1) }

// vectorElements is the size of a loan for an extension vector.
func vectorElements(n int) int { return backend.ExtensionDegree * stride(n) }

// vector views a loan of vectorElements(n) as an extension vector.
func (l *loan) vector(n int) (v goldilocks.ExtensionVector) {
	for k := range v.C {
		v.C[k] = l.words[k*stride(n):][:n:n]
	}
	return v
}

// workspaceElements is how much of it a proof of a shape uses at once: the kept
// columns, or what the stages after LogUp do.
func workspaceElements(shape *backend.Shape) int {
	kept := 0
	for i, table := range shape.Machine.Tables {
		kept += len(backend.KeptColumns(table, backend.Main)) << shape.LogHeights[i]
	}
	return max(wholeLines(kept), laterElements(shape))
}

// laterElements is how much of the workspace the stages after LogUp use at once:
// the quotient's extensions and what is alive when the DEEP codewords are made.
func laterElements(shape *backend.Shape) int {
	later, largest := wholeLines(slabElements(shape, backend.Quotient)), 0
	for _, logHeight := range classes(shape) {
		vector := wholeLines(vectorElements(1 << (logHeight + shape.LogBlowup)))
		later += vector
		largest = max(largest, vector)
	}
	// Beside the codewords: the sum over the next rows' columns while they are
	// made, and afterwards the first layer, whose matrix is as large, and what
	// follows by folding, which is no larger than that together.
	return later + 2*largest
}
