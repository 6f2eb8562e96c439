//go:build !linux

package cli

// hostMemory measures nothing: only Linux reports the peak resident size since a reset.
type hostMemory struct{}

func watchHostMemory() {}

func (hostMemory) peak() uint64 { return 0 }

// availableMemory returns 0: unknown.
func availableMemory() uint64 { return 0 }
