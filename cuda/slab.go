package cuda

import "slices"

// slab allocates ranges of addresses. It is pure bookkeeping, so a prediction can run the same allocations without a
// device and get the same peak.
type slab struct {
	size  uint64 // 0 means no limit
	align uint64
	free  []extent // by offset, no two adjacent
	used  uint64
	top   uint64 // end of the highest extent ever taken
}

type extent struct{ offset, size uint64 }

func newSlab(size, align uint64) *slab {
	s := &slab{size: size, align: align}
	s.free = []extent{{0, s.limit()}}
	return s
}

func (s *slab) round(size uint64) uint64 { return (size + s.align - 1) / s.align * s.align }

// take uses best fit, the lowest offset among equal extents, so that long-lived buffers do not fragment the large
// extents that the next stage needs. It uses the tail beyond all past allocations last, whatever the tail's size. So
// offsets do not depend on the slab's size: a rehearsal without a limit, a slab of exactly the peak size and a larger
// slab return the same offsets.
func (s *slab) take(size uint64) (offset uint64, ok bool) {
	size = s.round(size)
	best := -1
	for i, e := range s.free {
		if e.size >= size && (best < 0 || s.isTail(s.free[best]) || !s.isTail(e) && e.size < s.free[best].size) {
			best = i
		}
	}
	if best < 0 {
		return 0, false
	}
	e := &s.free[best]
	offset = e.offset
	e.offset += size
	e.size -= size
	if e.size == 0 {
		s.free = slices.Delete(s.free, best, best+1)
	}
	s.used += size
	s.top = max(s.top, offset+size)
	return offset, true
}

// isTail reports whether an extent reaches the slab's end.
func (s *slab) isTail(e extent) bool { return e.offset+e.size == s.limit() }

func (s *slab) limit() uint64 {
	if s.size == 0 {
		return 1 << 62
	}
	return s.size / s.align * s.align
}

// lower resets the high-water mark to the current allocations.
func (s *slab) lower() {
	s.top = s.limit()
	if n := len(s.free); n > 0 && s.isTail(s.free[n-1]) {
		s.top = s.free[n-1].offset
	}
}

// put frees an extent and merges it with free neighbours.
func (s *slab) put(offset, size uint64) {
	size = s.round(size)
	s.used -= size
	at, _ := slices.BinarySearchFunc(s.free, offset, func(e extent, o uint64) int {
		if e.offset < o {
			return -1
		}
		return 1
	})
	s.free = slices.Insert(s.free, at, extent{offset, size})
	if at+1 < len(s.free) && s.free[at].offset+s.free[at].size == s.free[at+1].offset {
		s.free[at].size += s.free[at+1].size
		s.free = slices.Delete(s.free, at+1, at+2)
	}
	if at > 0 && s.free[at-1].offset+s.free[at-1].size == s.free[at].offset {
		s.free[at-1].size += s.free[at].size
		s.free = slices.Delete(s.free, at, at+1)
	}
}

// largest returns the size of the largest free extent.
func (s *slab) largest() uint64 {
	var size uint64
	for _, e := range s.free {
		size = max(size, e.size)
	}
	return size
}
