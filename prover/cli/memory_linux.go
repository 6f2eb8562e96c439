package cli

import (
	"bytes"
	"os"
	"strconv"
)

// hostMemory watches the largest resident size of this process.
type hostMemory struct{}

// watchHostMemory starts a new maximum. Where the kernel does not allow that, the maximum is the process's.
func watchHostMemory() hostMemory {
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	return hostMemory{}
}

// peak is the maximum since the watch began in bytes, 0 where it cannot be read.
func (hostMemory) peak() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, found := bytes.Cut(status, []byte("\nVmHWM:"))
	fields := bytes.Fields(after)
	if !found || len(fields) == 0 {
		return 0
	}
	kibibytes, err := strconv.ParseUint(string(fields[0]), 10, 64)
	if err != nil {
		return 0
	}
	return kibibytes << 10
}
