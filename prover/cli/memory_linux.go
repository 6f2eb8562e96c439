package cli

import (
	"bytes"
	"os"
	"strconv"
)

// hostMemory watches the largest resident size of this process.
type hostMemory struct{}

// watchHostMemory starts a new maximum. Where the kernel does not allow that, the maximum is the process's.
func watchHostMemory() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// peak is the maximum since the watch began in bytes, 0 where it cannot be read.
func (hostMemory) peak() uint64 { return kibibytes("/proc/self/status", "VmHWM") }

// hostMemoryLimit is all memory and swap of the host, or what its control group allows if that is less, in bytes; 0
// where neither can be read.
func hostMemoryLimit() uint64 {
	limit := kibibytes("/proc/meminfo", "MemTotal") + kibibytes("/proc/meminfo", "SwapTotal")
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		allowed, err := strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64) // or "max"
		if err == nil && (limit == 0 || allowed < limit) {
			limit = allowed
		}
	}
	return limit
}

// kibibytes reads a line "name: number kB" of a file of the kernel's, in bytes; 0 where there is none.
func kibibytes(file, name string) uint64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	_, after, found := bytes.Cut(append([]byte("\n"), text...), []byte("\n"+name+":"))
	fields := bytes.Fields(after)
	if !found || len(fields) == 0 {
		return 0
	}
	number, err := strconv.ParseUint(string(fields[0]), 10, 64)
	if err != nil {
		return 0
	}
	return number << 10
}
