//go:build !linux

package cli

// hostMemory would watch the largest resident size of this process; only Linux tells it
// for a part of a process's life.
type hostMemory struct{}

func watchHostMemory() {}

func (hostMemory) peak() uint64 { return 0 }

// availableMemory is 0: not known.
func availableMemory() uint64 { return 0 }
