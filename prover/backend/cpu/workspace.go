package cpu

import (
	"math"
	"slices"
	"sync"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// workspace is one allocation that the stages of a proof use one after another: first for the copies that LogUp reads,
// then for the quotient's extensions, the codewords and the FRI layers. Fresh memory for each would cost a fault per
// page, on all cores at once, and raise the peak.
type workspace struct {
	words []goldilocks.Element
	free  []span // ascending, not adjacent

	missed int // elements requested for which there was no room
}

// span is a range [start, end) of the workspace's words.
type span struct{ start, end int }

// loan is memory lent by a workspace. The zero loan has no memory.
type loan struct {
	words []goldilocks.Element
	span  // empty if the words are on Go's heap
}

// workspaceLine is the number of elements in a cache line. Loans are whole cache lines.
const workspaceLine = 8

func newWorkspace(words []goldilocks.Element) *workspace {
	return &workspace{words: words, free: []span{{0, len(words)}}}
}

// take lends n uninitialized elements from the first span with room, or from Go's heap if there is none.
func (w *workspace) take(n int) loan {
	s := w.reserve(n)
	if s.start == s.end {
		w.missed += n
		return loan{words: make([]goldilocks.Element, n)}
	}
	return loan{w.words[s.start : s.start+n : s.start+n], s}
}

// reserve removes a span for n elements from the free spans. It returns an empty span if none has room.
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

// give returns a loan to the workspace and zeroes it, so that it cannot be returned twice.
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

// freeFrom returns the free memory at the end of the workspace, from element n on.
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

// laterElements returns how much of the workspace the stages after LogUp take. It replays their loans without computing
// anything, and returns the highest end of a loan.
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

// vectorElements returns the size of a loan for an extension vector.
func vectorElements(n int) int { return protocol.ExtensionDegree * stride(n) }

// vector views a loan of vectorElements(n) as an extension vector.
func (l *loan) vector(n int) (v goldilocks.ExtensionVector) {
	for k := range v.C {
		v.C[k] = l.words[k*stride(n):][:n:n]
	}
	return v
}

// freeList lends scratch memory to the goroutines of a loop, so that there is no more of it than running goroutines. It
// is kept from one proof to the next: reallocating it costs page faults and garbage collections, which stop all cores.
type freeList[T any] struct {
	mutex sync.Mutex
	free  []T
	make  func() T
}

func newFreeList[T any](make func() T) *freeList[T] { return &freeList[T]{make: make} }

// take returns scratch memory that is not in use. If several goroutines need new memory at once, as at the start of a
// loop, they allocate it concurrently.
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

// drop frees the memory that is not in use.
func (l *freeList[T]) drop() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.free = nil
}
