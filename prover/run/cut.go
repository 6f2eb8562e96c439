package run

import (
	"fmt"
	"slices"
)

// Cut says into which shards a run is cut. The zero Cut is none: the run is whole.
type Cut struct {
	parts func(size int) []int
	ends  func(shard int) int
}

// Parts cuts a run once its size is known. Of returns for each shard its part of the run's work, relative to the
// others.
func Parts(of func(size int) []int) Cut { return Cut{parts: of} }

// Even cuts a run into count shards with the same part of its work each.
func Even(count int) Cut { return Parts(func(int) []int { return EvenParts(count) }) }

// EvenParts are the parts of count even shards; none for a count below 1.
func EvenParts(count int) []int { return slices.Repeat([]int{1}, max(count, 0)) }

// Behind cuts a run while it is running. End returns the size of the run before which a shard ends, which grows from
// shard to shard; 0 is the run's end, wherever it is.
func Behind(end func(shard int) (size int)) Cut { return Cut{ends: end} }

// Whole reports whether the run is not cut.
func (c Cut) Whole() bool { return c.parts == nil && c.ends == nil }

// WhileRunning returns what [Behind] was called with, or nil for any other cut.
func (c Cut) WhileRunning() (end func(shard int) (size int)) { return c.ends }

// mostPart bounds parts, so that sums of them are small numbers.
const mostPart = 1 << 30

// Of returns the parts of a run of a size, each at least 1. A whole run has one part, and one that is cut behind sizes
// has the distances between those as parts.
func (c Cut) Of(size int) ([]int, error) {
	if c.parts == nil {
		return c.distances(size), nil
	}
	parts := c.parts(size)
	for i, part := range parts {
		if part < 1 || part > mostPart {
			return nil, fmt.Errorf("shard %d has part %d of the run, want 1 to %d", i, part, mostPart)
		}
	}
	return parts, nil
}

// distances are those between the ends of a run's shards.
func (c Cut) distances(size int) (parts []int) {
	before := 0
	for c.ends != nil {
		end := c.ends(len(parts))
		if end <= 0 || end >= size {
			break
		}
		parts = append(parts, max(end-before, 1))
		before = end
	}
	return append(parts, max(size-before, 1))
}
