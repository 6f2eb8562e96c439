package cpu

import (
	"math"
	"slices"
	"sync"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
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
	s := w.reserve(n)
	if s.start == s.end {
		w.missed += n
		return loan{words: make([]goldilocks.Element, n)}
	}
	return loan{w.words[s.start : s.start+n : s.start+n], s}
}

// reserve takes a span for n elements off those that are free; an empty one where none has room.
func (w *workspace) reserve(n int) span {
	room := wholeLines(n)
	for i, s := range w.free {
		if s.end-s.start < room || n == 0 {
			continue
		}
		if w.free[i].start += room; w.free[i].start == s.end {
			w.free = slices.Delete(w.free, i, i+1)
		}
		return span{s.start, s.start + room}
	}
	return span{}
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

// laterElements is how much of the workspace the stages after LogUp take: the most that is lent at a time when they are
// gone through without computing anything.
func laterElements(shape *protocol.Shape) int {
	w := newWorkspace(nil)
	w.free = []span{{0, math.MaxInt}}
	most := 0
	take := func(n int) loan {
		l := loan{span: w.reserve(n)}
		most = max(most, l.end)
		return l
	}
	pass := func(n int) { l := take(n); w.give(&l) }

	take(elementsOf(matrixSizes(shape, protocol.Quotient)))
	codewords := map[int]loan{}
	codeword := func(size int) loan { return take(protocol.ExtensionDegree * coordinateElements(shape, size)) }
	for _, class := range shape.Classes {
		pass(2 << class.LogHeight) // for the quotient
		pass(splitElements(1 << class.LogHeight))
		pass(vectorElements(1 << class.LogHeight)) // for openings
	}
	for _, class := range shape.Classes {
		size := 1 << (class.LogHeight + shape.Params.LogBlowup)
		codewords[size] = codeword(size)
	}
	size := 1 << shape.MaxLogSize()
	for _, logArity := range shape.Schedule {
		pass(size) // for a layer
		size >>= logArity
		codeword(size)
		if joining, ok := codewords[size]; ok {
			w.give(&joining)
		}
	}
	return most
}

// vectorElements is the size of a loan for an extension vector.
func vectorElements(n int) int { return protocol.ExtensionDegree * stride(n) }

// vector views a loan of vectorElements(n) as an extension vector.
func (l *loan) vector(n int) (v goldilocks.ExtensionVector) {
	for k := range v.C {
		v.C[k] = l.words[k*stride(n):][:n:n]
	}
	return v
}

// freeList lends working memory to the goroutines of a loop, so that there is no
// more of it than goroutines at work. It is kept from one proof to the next: making
// it anew costs page faults and collections of Go's heap, which stop all cores.
type freeList[T any] struct {
	mutex sync.Mutex
	free  []T
	make  func() T
}

func newFreeList[T any](make func() T) *freeList[T] { return &freeList[T]{make: make} }

// take returns working memory that nobody uses. Goroutines that all need new
// memory, as they do when a loop begins, make it side by side.
func (l *freeList[T]) take() T {
	if item, ok := l.pop(); ok {
		return item
	}
	return l.make()
}

func (l *freeList[T]) pop() (item T, ok bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	last := len(l.free) - 1
	if last < 0 {
		return item, false
	}
	item = l.free[last]
	l.free = l.free[:last]
	return item, true
}

func (l *freeList[T]) put(item T) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.free = append(l.free, item)
}

// drop forgets the memory that nobody uses.
func (l *freeList[T]) drop() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.free = nil
}
