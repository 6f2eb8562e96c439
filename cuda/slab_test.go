package cuda

import (
	"testing"

	"pgregory.net/rapid"
)

// TestSlabAgainstAMap takes and returns extents at random and compares with a plain list of the taken ones: no
// overlap, aligned offsets, correct accounts, and one free extent at the end.
func TestSlabAgainstAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const size, align = 1 << 16, 256
		s := newSlab(size, align)
		out := map[uint64]uint64{}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			if len(out) > 0 && rapid.Bool().Draw(t, "return") {
				for offset, length := range out {
					s.put(offset, length)
					delete(out, offset)
					break
				}
				continue
			}
			length := uint64(rapid.IntRange(1, 9000).Draw(t, "length"))
			before := s.largest()
			offset, ok := s.take(length)
			if ok != (s.round(length) <= before) {
				t.Fatalf("taking %d with a largest free extent of %d: %v", length, before, ok)
			}
			if !ok {
				continue
			}
			if offset%align != 0 || offset+length > size {
				t.Fatalf("extent at %d of %d", offset, length)
			}
			for other, otherLength := range out {
				if offset < other+s.round(otherLength) && other < offset+s.round(length) {
					t.Fatalf("%d+%d overlaps %d+%d", offset, length, other, otherLength)
				}
			}
			out[offset] = length
			var used uint64
			for _, l := range out {
				used += s.round(l)
			}
			if s.used != used {
				t.Fatalf("used %d, want %d", s.used, used)
			}
		}
		for offset, length := range out {
			s.put(offset, length)
		}
		if len(s.free) != 1 || s.free[0] != (extent{0, size}) || s.used != 0 {
			t.Fatalf("after returning all: free %v, used %d", s.free, s.used)
		}
	})
}

func TestSlabIsBestFit(t *testing.T) {
	s := newSlab(10, 1)
	for range 10 {
		s.take(1)
	}
	s.put(1, 3)
	s.put(6, 2)
	if offset, _ := s.take(2); offset != 6 {
		t.Errorf("took 2 at %d, want 6 where they fit exactly", offset)
	}
}
