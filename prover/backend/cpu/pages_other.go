//go:build !linux

package cpu

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// allocate returns zeroed memory.
func allocate(elements int) region {
	return region{words: make([]goldilocks.Element, elements)}
}

// populate leaves page faults to the first writes.
func populate(*parallel.Pool, []goldilocks.Element) {}

func populateOnce(*parallel.Pool, []goldilocks.Element, *pageSize) {}

// discard leaves the memory to Go's heap.
func discard(*parallel.Pool, []goldilocks.Element) {}

func (region) release() {}

// hostMemory returns 0: the host's memory is unknown.
func hostMemory() uint64 { return 0 }
