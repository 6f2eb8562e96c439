package cpu

import "sync"

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
