package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/protocol/soundness"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// shaped is an execution with instances only.
type shaped struct {
	machine.Execution
	instances []circuit.Instance
}

func (s shaped) Instances() []circuit.Instance { return s.instances }

// shapedWork is a job's run whose shards have these instances.
func shapedWork(program run.Program, key *protocol.Key, public circuit.Public, list ...[]circuit.Instance) *work {
	a := &arrivals{grown: make(chan struct{})}
	for i, instances := range list {
		a.add(&machine.Shard{Execution: shaped{instances: instances}, Last: i == len(list)-1}, nil)
	}
	return &work{program: program, key: key, public: func() circuit.Public { return public }, shards: a}
}

// A run has 2 to 256 shards, however they arrive.
func TestCountsOfShards(t *testing.T) {
	for count, ok := range map[int]bool{
		0: false, protocol.MinShards - 1: false, protocol.MinShards: true, protocol.MaxShards: true,
		protocol.MaxShards + 1: false,
	} {
		w := &work{shards: &arrivals{list: make([]*machine.Shard, count)}}
		if err := w.checkCount(); (err == nil) != ok || w.count() != count {
			t.Errorf("%d shards of a run: %v, counted %d", count, err, w.count())
		}
		a := &arrivals{grown: make(chan struct{})}
		for i := range count {
			last := i == count-1
			if more := a.add(&machine.Shard{Last: last}, nil); more == last && i < protocol.MaxShards {
				t.Errorf("after shard %d of %d more are expected: %v", i, count, more)
			}
		}
		if many := count > protocol.MaxShards; count > 0 && (a.complete() == many || a.failed() != many) {
			t.Errorf("a run that arrives in %d shards ended with %v", count, a.ended)
		}
	}
	space := cluster(t).space(t, ClientRole)
	for _, count := range []int{1, protocol.MaxShards + 1} {
		o := order(t, 95, 60, 2)
		o.Shards = count
		_, err := Submit(t.Context(), space, o, coordination())
		refuses(t, err, fmt.Sprintf("%d shards, want 2 to 256", count))
	}
	if jobs, err := space.Jobs(t.Context()); err != nil || len(jobs) != 0 {
		t.Errorf("there are jobs that were refused: %+v, %v", jobs, err)
	}
	here := &Taken{}
	state := &State{Shards: []ShardState{{}, {Cap: here}, {Cap: here, Proof: here}, {Cap: here}}}
	if caps, proofs := state.Counts(); caps != 3 || proofs != 1 {
		t.Errorf("counted %d caps and %d proofs", caps, proofs)
	}
}

// A job whose state has another number of shards than its run is invalid: a proof of some shards would prove less.
func TestStatesOfOtherCounts(t *testing.T) {
	a := cluster(t)
	c := a.submit(t, order(t, 96, 60, 3), coordination())
	for _, count := range []int{2, 4} {
		state, revision, err := c.space.state(t.Context(), c.id)
		must(t, err)
		state.Shards = make([]ShardState, count)
		if done, err := c.space.change(t.Context(), c.id, state, revision); err != nil || !done {
			t.Fatal(done, err)
		}
		ctx, end := context.WithTimeout(t.Context(), generous)
		_, err = c.Prove(ctx)
		end()
		refuses(t, err, fmt.Sprintf("its state has %d shards, and its run 3", count))
	}
}

// A coordinator that resumes a job verifies what its state claims is done: each proof that it has not examined, and
// all together.
func TestForgedStates(t *testing.T) {
	a := cluster(t)
	running(t, a.worker(t, WorkerRole, "one"))
	o := order(t, 97, 60, 2)
	c := a.submit(t, o, coordination())
	set, err := c.Prove(t.Context())
	must(t, err)
	good, revision, err := c.space.state(t.Context(), c.id)
	must(t, err)
	for name, tc := range map[string]struct {
		forge func(*protocol.Proof)
		want  string
	}{
		"a proof that does not verify": {func(p *protocol.Proof) { p.Final[0][0]++ }, "shard 1"},
		"a sum that does not cancel":   {func(p *protocol.Proof) { p.Claimed[0][0]++ }, ""},
		"another statement":            {func(p *protocol.Proof) { p.Public.Values[0]++ }, ""},
	} {
		encoded, err := set.Shards[1].MarshalBinary()
		must(t, err)
		forged := new(protocol.Proof)
		must(t, forged.UnmarshalBinary(encoded))
		tc.forge(forged)
		encoded, err = forged.MarshalBinary()
		must(t, err)
		digest, err := c.space.objects.Put(t.Context(), encoded)
		must(t, err)
		state := good.clone()
		proof := *state.Shards[1].Proof
		proof.Object = digest
		state.Shards[1].Proof = &proof
		if done, err := c.space.change(t.Context(), c.id, state, revision); err != nil || !done {
			t.Fatal(done, err)
		}
		taken, err := Take(t.Context(), c.space, c.id, coordination())
		must(t, err)
		if _, err := taken.Prove(t.Context()); err == nil {
			t.Errorf("%s: a done job with it is taken", name)
		} else if rejected := new(verify.RejectError); !errors.As(err, &rejected) {
			t.Errorf("%s: %v", name, err)
		}
		_, revision, err = c.space.state(t.Context(), c.id)
		must(t, err)
	}
}

// The shard with the fewest bits decides whether a run has the bits that were requested, or that its preset promises.
// That holds whether the run is submitted, announced, cut while it is running, or resumed.
func TestMinimumOfBits(t *testing.T) {
	tour := tours(t, 98, 60, 2)
	public := tour.public()
	real, err := protocol.PresetByName("default")
	must(t, err)
	w, err := newWork(tour.program, real.Params)
	must(t, err)
	bits := func(shards ...[]circuit.Instance) int {
		t.Helper()
		report, err := w.key.SecurityOfShards(shards, public)
		must(t, err)
		return report.Bits()
	}
	high := func(log int) []circuit.Instance {
		list := slices.Clone(tour.of(0))
		for i := range list {
			table := w.key.Machine.Tables[list[i].Table]
			list[i].LogHeight = min(max(log, table.MinLogHeight), table.MaxLogHeight)
			if table.FillPreprocessed != nil {
				list[i].LogHeight = table.PreprocessedLogHeight
			}
		}
		return list
	}
	small, tall := high(real.Params.MinLogHeight), high(30)
	few, more := bits(small, tall), bits(small, small)
	if few >= more {
		t.Fatalf("%d bits with a tall shard and %d without: the test shows nothing", few, more)
	}
	for _, list := range [][][]circuit.Instance{{small, tall}, {tall, small}} {
		planned := shapedWork(w.program, w.key, public, list...)
		must(t, planned.check(few))
		refuses(t, planned.check(few+1), "in 2 shards")
	}
	if promised(w.key.Params) != real.Bits || real.Bits != soundness.HashBits {
		t.Errorf("the preset promises %d bits, want %d", promised(w.key.Params), real.Bits)
	}
	if preset, err := protocol.PresetByName("100"); err != nil || promised(preset.Params) != 100 {
		t.Errorf("the preset promises %d bits, want 100 (%v)", promised(preset.Params), err)
	}
	must(t, tour.check(-1)) // the preset for tests promises nothing
	refuses(t, shapedWork(w.program, w.key, public, small, tall).check(-1), "in 2 shards")
	other := w.key.Params
	other.Queries++
	if promised(other) != soundness.HashBits {
		t.Errorf("parameters of no preset promise %d bits", promised(other))
	}

	a := cluster(t)
	space := a.space(t, ClientRole)
	o := order(t, 98, 60, 2)
	options := coordination()
	options.MinBits = soundness.HashBits
	_, err = Submit(t.Context(), space, o, options)
	refuses(t, err, "in 2 shards")
	o.Shards = 2
	_, err = Submit(t.Context(), space, o, options)
	refuses(t, err, "in 2 shards")
	c := a.submit(t, order(t, 99, 60, 2), coordination())
	_, err = Take(t.Context(), space, c.ID(), options)
	refuses(t, err, "in 2 shards")
}
