package shard_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/shard"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// observed is an observer that records its calls. It knows the proofs of earlier runs.
type observed struct {
	t       *testing.T
	key     *protocol.Key
	refuses error // of Proven

	mu     sync.Mutex
	events []string
	set    *protocol.Set
	common protocol.Common
	proofs map[int]*protocol.Proof
	opened map[int]int // provers that are open on a device
}

func (o *observed) note(event string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.events = append(o.events, event)
}

func (o *observed) Begin() { o.note("begin") }

func (o *observed) Challenges(set *protocol.Set, common protocol.Common) error {
	o.note("challenges")
	o.set, o.common = set, common
	return nil
}

func (o *observed) Known(number int) *protocol.Proof {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.proofs[number]
}

func (o *observed) Proven(number int, proof *protocol.Proof) error {
	if err := verify.Shard(proof, number, o.common, o.key); err != nil {
		o.t.Errorf("shard %d: %v", number, err)
	}
	o.note("proven")
	o.mu.Lock()
	defer o.mu.Unlock()
	o.proofs[number] = proof
	return o.refuses
}

func (o *observed) Free(device int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.opened[device] != 0 {
		o.t.Errorf("device %d has %d open provers when it is free", device, o.opened[device])
	}
	o.events = append(o.events, "free")
}

// counting is a device that counts its open provers for the observer.
type counting struct {
	backend.Backend
	number int
	of     *observed
}

func (c *counting) Open(fillers *machine.Fillers, params protocol.Layout,
	budget backend.Budget) (backend.Prover, error) {
	opened, err := c.Backend.Open(fillers, params, budget)
	if err == nil {
		c.add(1)
	}
	return &counted{opened, c}, err
}

func (c *counting) add(n int) {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.of.opened[c.number] += n
}

type counted struct {
	backend.Prover
	on *counting
}

func (c *counted) Close() error {
	c.on.add(-1)
	return c.Prover.Close()
}

// An observer receives the challenges, each proof and each device without shards. A run that ends early is continued
// with the known shards, and the set is the same.
func TestObserver(t *testing.T) {
	key, shards := walk(t, 5)
	o := &observed{t: t, key: key, proofs: map[int]*protocol.Proof{}, opened: map[int]int{}}
	var backends []backend.Backend
	for i, device := range devices(2) {
		backends = append(backends, &counting{device, i, o})
	}
	p := shard.New(key, fillers(t), backends, shard.Options{WaitingBytes: 1 << 40, Encode: true})
	p.Observe(o)
	o.refuses = errors.New("enough")
	_, _, err := p.Prove(t.Context(), known(shards))
	if err == nil || !strings.Contains(err.Error(), "enough") || len(o.proofs) == 0 {
		t.Fatalf("%v after %d proofs, want the observer's error", err, len(o.proofs))
	}
	before := len(o.proofs)
	o.refuses, o.events = nil, nil
	_, shards = walk(t, 5)
	set, metrics, err := p.Prove(t.Context(), known(shards))
	must(t, err)
	must(t, p.Close())
	must(t, verify.Set(set, key))
	want := append([]string{"begin", "challenges"}, slices.Repeat([]string{"proven"}, 5-before)...)
	slices.Sort(o.events[2:])
	want = append(want, "free", "free")
	slices.Sort(want[2:])
	if !slices.Equal(o.events, want) || len(metrics.Shards) != 5 {
		t.Errorf("events %q, want %q", o.events, want)
	}
	whole, err := set.MarshalBinary()
	must(t, err)
	// The outline has the shards' common data. Filled in, it equals the set.
	copy(o.set.Shards, set.Shards)
	filled, err := o.set.MarshalBinary()
	must(t, err)
	if !bytes.Equal(filled, whole) {
		t.Error("the outline, filled in, is another set")
	}
}

// An outline's parts equal the set's.
func TestOutline(t *testing.T) {
	key, shards := walk(t, 3)
	p := shard.New(key, fillers(t), devices(1), shard.Options{})
	set, _, err := p.Prove(t.Context(), known(shards))
	must(t, errors.Join(err, p.Close()))
	outline := key.Outline(set.Shards[0].Public, set.Commitments(), set.Salt)
	for _, end := range []int{0, 2} {
		copy(outline.Shards, set.Shards[:end])
		have, err := outline.Part(0, end)
		must(t, err)
		want, err := set.Part(0, end)
		must(t, err)
		if !bytes.Equal(have, want) {
			t.Errorf("the part of the first %d shards is another than the set's", end)
		}
	}
}
