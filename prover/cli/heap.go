package cli

import (
	"runtime"
	"runtime/debug"
)

// By how many percent Go's heap grows between collections of a process that makes one proof. While it is made, a fifth
// of Go's default leaves the peak of 2^20 cycles 1.5 % lower; less than that gives nothing more. Before, memory is far
// below that peak, and collections of a heap of a few megabytes, one after the other, took a quarter of the time to get
// ready.
const (
	heapGrowth      = 20
	setupHeapGrowth = 400
)

// deviceHeapGrowth is by how many percent Go's heap grows between collections in a session on a device: so much that
// none falls into a proof, of which the host keeps megabytes.
const deviceHeapGrowth = 400

// settleHeap sets the collector for a session. The function that it returns sets it back.
func settleHeap(onDevice bool) func() {
	if !onDevice {
		return func() {}
	}
	before := debug.SetGCPercent(deviceHeapGrowth)
	return func() { debug.SetGCPercent(before) }
}

// collect frees what a proof has left, so that nothing of the execution is reachable. On a device the pages stay with
// the process: the next proof would wait until as many are given back, and its peak is the device's. On the CPU they
// go, so that the next proof's peak is its own.
func collect(onDevice bool) {
	if onDevice {
		runtime.GC()
		return
	}
	debug.FreeOSMemory()
}
