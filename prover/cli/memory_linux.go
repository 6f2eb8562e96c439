package cli

import (
	"bytes"
	"os"
	"strconv"
)

// hostMemory reads the peak resident size of this process.
type hostMemory struct{}

// watchHostMemory resets the peak. If the kernel does not allow that, the peak counts from the start of the process.
func watchHostMemory() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// peak returns the peak since watchHostMemory in bytes, 0 if it cannot be read.
func (hostMemory) peak() uint64 { return kibibytes("/proc/self/status", "VmHWM") }

// availableMemory returns the memory and swap that are available to this process, in bytes: the lesser of the host's
// and its control group's; 0 if neither can be read.
func availableMemory() uint64 {
	return availableIn(kibibytes("/proc/meminfo", "MemAvailable")+kibibytes("/proc/meminfo", "SwapFree"),
		controlGroup{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat"},
		controlGroup{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes",
			"/sys/fs/cgroup/memory/memory.stat"})
}

// controlGroup names the files of a control group with its memory limit, its usage, and the usage's parts.
type controlGroup struct{ limit, used, stat string }

// availableIn returns the least of the host's available memory and the memory left in the control groups. host is 0 if
// unknown.
func availableIn(host uint64, groups ...controlGroup) uint64 {
	for _, group := range groups {
		limit, err := number(group.limit)
		if err != nil {
			continue
		}
		used, err := number(group.used)
		if err != nil {
			used = 0
		}
		used -= min(used, fileCache(group.stat)) // the kernel reclaims it
		if left := max(limit-min(used, limit), 1); host == 0 || left < host {
			host = left
		}
	}
	return host
}

// fileCache returns the memory that a control group uses for cached files, in bytes; 0 if it cannot be read.
func fileCache(stat string) (total uint64) {
	text, err := os.ReadFile(stat)
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(text) {
		name, value, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
		if n, err := strconv.ParseUint(string(value), 10, 64); err == nil &&
			(string(name) == "active_file" || string(name) == "inactive_file") {
			total += n
		}
	}
	return total
}

// number reads a kernel file that contains one number; "max" is an error.
func number(file string) (uint64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64)
}

// kibibytes reads the line "name: number kB" of a kernel file, and returns bytes; 0 if there is none.
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
