package gpu

import (
	"bytes"
	"errors"
	"testing"
)

// The device appends to what the host writes, whatever its length. Memory grows if needed; if there is none, the next
// proof is unaffected.
func TestFilesGrow(t *testing.T) {
	b := openBackend(t, Options{Seed: 1, Faults: plan(t, "gather/cuMemHostAlloc=recoverable")})
	write := func(front []byte) (file []byte, err error) {
		p := folded(t, b)
		gathered, err := p.Gather(plansOfLayers(t, p), func() []byte { return front })
		if err == nil {
			file = bytes.Clone(gathered.Written)
		}
		p.Close()
		return file, errors.Join(err, p.openMachine.Close())
	}
	opened, err := write(nil)
	if err != nil || len(opened) == 0 {
		t.Fatalf("%d bytes are opened: %v", len(opened), err)
	}
	resources, before := b.device.Context.OpenResources(), 0
	long := bytes.Repeat([]byte("front"), 2<<20)
	if got, err := write(long); err == nil || !b.Failed(err) || b.Lost() != nil || got != nil {
		t.Errorf("without memory: %d bytes and error %v, lost: %v", len(got), err, b.Lost())
	}
	for i, front := range [][]byte{long[:4095], long[:4096], long[:4097], long, long[:1]} {
		before, resources = resources, b.device.Context.OpenResources()
		got, err := write(front)
		if err != nil || !bytes.Equal(got, append(bytes.Clone(front), opened...)) {
			t.Errorf("after %d bytes the device wrote %d, which differ from those after none (%v)", len(front), len(got), err)
		}
		now := b.device.Context.OpenResources() // each machine's kernels stay
		if kernels := resources - before; now-resources != kernels {
			t.Errorf("proof %d leaves %d resources open, the one before %d", i, now-resources, kernels)
		}
	}
}
