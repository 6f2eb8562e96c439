package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// How far Go's heap may grow between collections, in percent, in a process that makes one proof. During the proof of
// 2^20 cycles on two cores, a growth of 20 would lower the peak by 1.5 %, but collections would take 7 % of the time.
// During setup, memory is far below that peak, and the heap is small, so that collections would be frequent.
const (
	heapGrowth      = 100
	setupHeapGrowth = 400
	shardHeapGrowth = 20 // for proofs in shards, which are to save memory
)

// verifyHeapGrowth is the heap's growth in percent while a proof of at most smallProof bytes is verified: the first
// collection would come after 32 MiB, and most proofs need less.
const (
	verifyHeapGrowth = 800
	smallProof       = 8 << 20
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

// deviceGarbage is the number of bytes of garbage after which a session on a device collects. Proofs of a few megabytes
// each leave this much after ten to thirty proofs, and the heap's goal is further away.
const deviceGarbage = 64 << 20

// A collector collects the garbage of proofs.
type collector struct {
	onDevice bool
	kept     uint64 // bytes of the heap's objects after the last collection
}

// afterProof frees the garbage of a proof, so that nothing of the execution is reachable. On a device the process keeps
// the pages: the next proof would wait while they are returned, and its peak is the device's. A collection takes some
// 20 ms of CPU time there, as long as a short proof, so it waits for deviceGarbage. On the CPU a collection follows
// every proof, and returns the pages to the system, so that the next proof's peak is its own.
func (c *collector) afterProof() {
	if !c.onDevice {
		debug.FreeOSMemory()
		return
	}
	if c.kept == 0 || heapObjects() > c.kept+deviceGarbage {
		runtime.GC()
		c.kept = heapObjects()
	}
}

// heapObjects returns the bytes of the heap's objects, including garbage that is not yet collected.
func heapObjects() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
