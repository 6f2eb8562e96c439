package replay

// mostKept is how many of what lies at chunks' ends are kept of a run: half as many are left when they become too many,
// still one a shard, and a part that is recorded by itself.
const mostKept = 512

// thinned is what lies behind every so many chunks: behind all of them in a short run, behind every other one of those
// whenever there are too many.
type thinned[T any] struct {
	list    []T
	spacing int
	chunks  int
}

// passed counts a chunk, and reports whether what lies behind it is to be added.
func (t *thinned[T]) passed() bool {
	t.chunks++
	return t.chunks%t.spacing == 0
}

// add adds what lies behind the last chunk.
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
