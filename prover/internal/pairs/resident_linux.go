package main

import (
	"os"
	"syscall"
)

// residentBytes is the most resident memory of an ended process.
func residentBytes(state *os.ProcessState) (bytes float64, known bool) {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	return float64(usage.Maxrss) * 1024, true // Linux counts KiB
}
