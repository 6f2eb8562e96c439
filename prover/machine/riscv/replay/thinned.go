package replay

// mostKept is the largest number of items at ends of chunks that are kept of a run. When there are more, half of them
// are dropped. Enough remain for every shard and every separately recorded part.
const mostKept = 512

// thinned is a list of items at regular distances in chunks: after every chunk in a short run. Every other item is
// dropped whenever there are too many.
type thinned[T any] struct {
	list    []T
	spacing int
	chunks  int
}

// passed counts a chunk, and reports whether the item after it is to be added.
func (t *thinned[T]) passed() bool {
	t.chunks++
	return t.chunks%t.spacing == 0
}

// add adds the item after the last chunk.
func (t *thinned[T]) add(x T) {
	if t.list = append(t.list, x); len(t.list) < mostKept {
		return
	}
	left := t.list[:0]
	for i := 1; i < len(t.list); i += 2 {
		left = append(left, t.list[i])
	}
	t.list = left
	t.spacing *= 2
}
