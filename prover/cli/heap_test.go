package cli

import (
	"runtime"
	"testing"
)

// A session on a device collects after its first proof, and then once enough garbage is there.
func TestCollectorWaitsForGarbage(t *testing.T) {
	collections := func() uint32 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.NumForcedGC
	}
	after := func(c *collector) bool {
		before := collections()
		c.afterProof()
		return collections() > before
	}
	c := &collector{onDevice: true}
	if !after(c) {
		t.Error("nothing was collected after the first proof")
	}
	if after(c) {
		t.Error("a collection followed a proof that left nothing")
	}
	left := make([]byte, deviceGarbage+1<<20) // referenced, so that no other collection takes it
	if !after(c) {
		t.Errorf("no collection after %d bytes", len(left))
	}
	runtime.KeepAlive(left)
	c = &collector{}
	for range 2 {
		if !after(c) {
			t.Error("on the CPU, a proof was not followed by a collection")
		}
	}
}
