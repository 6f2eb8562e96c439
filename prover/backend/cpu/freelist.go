package cpu

import "sync"

// freeList lends working memory to the goroutines of one loop, so that there is
// no more of it than goroutines at work.
type freeList[T any] struct {
	mutex sync.Mutex
	free  []T
	make  func() T
}

func newFreeList[T any](make func() T) *freeList[T] { return &freeList[T]{make: make} }

func (l *freeList[T]) take() T {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if last := len(l.free) - 1; last >= 0 {
		item := l.free[last]
		l.free = l.free[:last]
		return item
	}
	return l.make()
}

func (l *freeList[T]) put(item T) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.free = append(l.free, item)
}
