package cli

import (
	"runtime"
	"runtime/debug"
)

// How far Go's heap may grow between collections, in percent, in a process that makes one proof. During the proof of
// 2^20 cycles on two cores, a growth of 20 would lower the peak by 1.5 %, but collections would take 7 % of the time.
// During setup, memory is far below that peak, and the heap is small, so that collections would be frequent.
const (
	heapGrowth      = 100
	setupHeapGrowth = 400
	shardHeapGrowth = 20 // for proofs in shards, which are to save memory
)

// deviceHeapGrowth is the growth in percent for a session on a device, where the host keeps a few megabytes per
// proof: large enough that no collection falls into a proof.
const deviceHeapGrowth = 400

// settleHeap configures the collector for a session. The function that it returns restores the previous setting.
func settleHeap(onDevice bool) func() {
	if !onDevice {
		return func() {}
	}
	before := debug.SetGCPercent(deviceHeapGrowth)
	return func() { debug.SetGCPercent(before) }
}

// collect frees what a proof has left, so that nothing of the execution is reachable. On a device the process keeps the
// pages: the next proof would wait while they are returned, and its peak is the device's. On the CPU the pages are
// returned to the system, so that the next proof's peak is its own.
func collect(onDevice bool) {
	if onDevice {
		runtime.GC()
		return
	}
	debug.FreeOSMemory()
}
