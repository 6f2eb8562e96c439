package run

import (
	"fmt"
	"slices"
)

// Cut describes how a run is cut into shards. The zero Cut leaves the run whole.
type Cut struct {
	parts func(size int) []int
	ends  func(shard int) int

	certain int
}

// Parts cuts a run once its size is known. Of returns each shard's part of the work, relative to the other shards.
func Parts(of func(size int) []int) Cut { return Cut{parts: of} }

// Even cuts a run into count shards of equal work.
func Even(count int) Cut {
	cut := Parts(func(int) []int { return EvenParts(count) })
	cut.certain = count
	return cut
}

// EvenParts returns the parts of count equal shards, or nil if count is below 1.
func EvenParts(count int) []int { return slices.Repeat([]int{1}, max(count, 0)) }

// Ends cuts a run while it is running: end returns the size of the run at the end of a shard, which must increase
// from shard to shard. An end of 0 means that the shard lasts until the run ends.
func Ends(end func(shard int) (size int)) Cut { return Cut{ends: end} }

// Whole reports whether the run is not cut.
func (c Cut) Whole() bool { return c.parts == nil && c.ends == nil }

// Certain returns the number of shards into which runs of any size are cut, or 0 if the number depends on the run.
func (c Cut) Certain() int { return c.certain }

// WhileRunning returns the argument of [Ends], or nil for any other cut.
func (c Cut) WhileRunning() (end func(shard int) (size int)) { return c.ends }

const (
	mostPart   = 1 << 30 // the largest part, so that sums of parts do not overflow
	mostShards = 1 << 20 // the largest number of even shards, far above what a proof can have
)

// Of returns the parts of a run of the given size, each at least 1. A whole run has one part. The parts of a run that
// is cut by [Ends] are the sizes of its shards.
func (c Cut) Of(size int) ([]int, error) {
	if c.parts == nil {
		return c.distances(size), nil
	}
	if c.certain > mostShards {
		return nil, fmt.Errorf("a run in %d shards, want at most %d", c.certain, mostShards)
	}
	parts := c.parts(size)
	for i, part := range parts {
		if part < 1 || part > mostPart {
			return nil, fmt.Errorf("shard %d has part %d of the run, want 1 to %d", i, part, mostPart)
		}
	}
	return parts, nil
}

// distances returns the sizes of the shards of a run that is whole or cut by [Ends].
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
