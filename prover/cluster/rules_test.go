package cluster

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// An audit commits to every shard: a shard with a wrong cap gets the correct one and loses its proof, and the worker
// that sent the wrong cap is excluded. Other shards stay as they are. If all caps are correct, the job fails.
func TestAuditFindsEachShard(t *testing.T) {
	const shards = 3
	a := cluster(t)
	for wrong := -1; wrong < shards; wrong++ {
		c := a.submit(t, order(t, 82, 60, shards), coordination())
		state := &State{Status: statusRunning, Shards: make([]ShardState, shards)}
		for i := range state.Shards {
			truth, err := c.judge(t.Context(), i)
			must(t, err)
			by := seatName("worker.host-" + string(rune('a'+i)) + ".cpu")
			state.Shards[i] = ShardState{
				Cap:   &Taken{Object: bus.DigestOf(truth), By: by, Tag: commitTag},
				Proof: &Taken{Object: bus.DigestOf([]byte{byte(i)}), By: by, Tag: "prove"},
			}
		}
		before := state.clone()
		if wrong < 0 {
			must(t, c.audit(t.Context(), state, errors.New("sums do not cancel")))
			if state.Status != statusFailed || !strings.Contains(state.Why, "every worker did what it should, and still: sums") {
				t.Errorf("the state of right caps is %s: %s", state.Status, state.Why)
			}
			continue
		}
		state.Shards[wrong].Cap = &Taken{
			Object: bus.DigestOf([]byte("lie")), By: before.Shards[wrong].Cap.By, Tag: commitTag,
		}
		must(t, c.audit(t.Context(), state, errors.New("sums do not cancel")))
		for i, shard := range state.Shards {
			switch {
			case i != wrong && shard != before.Shards[i]:
				t.Errorf("shard %d is %+v, and shard %d was wrong", i, shard, wrong)
			case i == wrong && (shard.Proof != nil || shard.Cap.By != judgeSeat ||
				shard.Cap.Object != before.Shards[i].Cap.Object):
				t.Errorf("the wrong shard %d is %+v", i, shard)
			}
		}
		out := slices.Sorted(maps.Keys(c.out))
		if state.Status != statusRunning || len(out) != 1 || out[0] != before.Shards[wrong].Cap.By.worker() {
			t.Errorf("shard %d was wrong: the job is %s, and %v are excluded", wrong, state.Status, out)
		}
	}
}

// seatsOf returns a coordinator of a job that knows these seats and results. A lease is an hour.
func seatsOf(seats map[seatName]seen, results map[string]*shardResult) *Coordinator {
	return &Coordinator{
		id: "job", space: &Space{lease: time.Hour}, options: CoordinatorOptions{Silent: 2}, seats: seats, results: results,
		out: map[string]bool{}, work: &work{},
	}
}

// A job continues while some seat has not reported that it cannot do a task, fewer than three have, and fewer than
// the limit fell silent during the task. Only reports about this task count.
func TestWhenJobsAreGivenUp(t *testing.T) {
	now, gone := time.Now(), time.Now().Add(-3*time.Hour)
	idle := func(at time.Time) seen { return seen{at: at} }
	busy := func(at time.Time, job, tag string, shard int) seen {
		return seen{Presence: Presence{Job: job, Tag: tag, Shard: shard}, at: at}
	}
	cannot := func(tag string, shard int, seats ...seatName) map[string]*shardResult {
		list := map[string]*shardResult{}
		for _, seat := range seats {
			list[resultKey("job", tag, shard, seat)] = &shardResult{Unable: "no memory"}
		}
		return list
	}
	const a, b, c, d = seatName("w.h.a"), seatName("w.h.b"), seatName("w.h.c"), seatName("w.h.d")
	lost := busy(gone, "job", commitTag, 1)
	only := func(name seatName, s seen) map[seatName]seen { return map[seatName]seen{name: s} }
	both := func(first, second seen) map[seatName]seen { return map[seatName]seen{a: first, b: second} }
	all := map[seatName]seen{a: idle(now), b: idle(now), c: idle(now), d: idle(now)}
	for name, tc := range map[string]struct {
		seats   map[seatName]seen
		results map[string]*shardResult
		why     string // empty: it continues
	}{
		"no worker, and no report":     {nil, nil, ""},
		"one cannot, others are there": {all, cannot(commitTag, 1, a), ""},
		"two cannot, others are there": {all, cannot(commitTag, 1, a, b), ""},
		"three cannot": {
			all, cannot(commitTag, 1, a, b, c), "shard 1: w/h/a: no memory; w/h/b: no memory; w/h/c: no memory",
		},
		"the only one there cannot":    {only(a, idle(now)), cannot(commitTag, 1, a), "shard 1: w/h/a: no memory"},
		"the other one is gone":        {both(idle(now), idle(gone)), cannot(commitTag, 1, a), "shard 1"},
		"a report on shard 11":         {all, cannot(commitTag, 11, a, b, c), ""},
		"a report on the second phase": {all, cannot("prove-00", 1, a, b, c), ""},
		"they can": {
			only(a, idle(now)), map[string]*shardResult{resultKey("job", commitTag, 1, a): {}}, "",
		},
		"one fell silent":        {only(a, lost), nil, ""},
		"two fell silent":        {both(lost, lost), nil, "shard 1: 2 seats that had the task fell silent"},
		"two have it":            {both(busy(now, "job", commitTag, 1), busy(now, "job", commitTag, 1)), nil, ""},
		"one of another job":     {both(busy(gone, "x", commitTag, 1), lost), nil, ""},
		"one with another shard": {both(busy(gone, "job", commitTag, 2), lost), nil, ""},
		"one in another phase":   {both(busy(gone, "job", "prove", 1), lost), nil, ""},
	} {
		state := &State{Status: statusRunning, Shards: []ShardState{{Cap: &Taken{}}, {}}}
		seatsOf(tc.seats, tc.results).giveUp(state, nil)
		if failed := state.Status == statusFailed; failed != (tc.why != "") || !strings.HasPrefix(state.Why, tc.why) {
			t.Errorf("%s: it is %s: %s; want %q", name, state.Status, state.Why, tc.why)
		}
	}
}

// A seat counts as present for two leases after it was last heard of. It keeps a shard while it is present, unless it
// reported that it cannot prove the shard, or is a coordinator that judged.
func TestWhichSeatsAreThere(t *testing.T) {
	c := seatsOf(map[seatName]seen{
		"w.h.a": {at: time.Now().Add(-119 * time.Minute)}, "w.h.b": {at: time.Now().Add(-121 * time.Minute)},
		judgeSeat: {at: time.Now()},
	}, nil)
	for seat, want := range map[seatName]bool{"w.h.a": true, "w.h.b": false, "w.h.c": false} {
		if c.alive(seat) != want || c.keeps(seat, nil) != want {
			t.Errorf("%s is there: %v, and keeps its shards: %v; want %v", seat, c.alive(seat), c.keeps(seat, nil), want)
		}
	}
	if c.keeps("w.h.a", map[seatName]string{"w.h.a": "no memory"}) || c.keeps(judgeSeat, nil) {
		t.Error("a shard waits for who cannot prove it")
	}
}

// tours returns a run of the tour in shards.
func tours(t *testing.T, seed uint64, steps, shards int) *work {
	t.Helper()
	w, err := (&programs{build: build}).get("tour", nil, testParams(t))
	must(t, err)
	o := order(t, seed, steps, shards)
	o.Input.MinLogHeight, o.Input.Pool = o.Params.MinLogHeight, parallel.New(1)
	must(t, w.begin(t.Context(), evenly(o, o.Input)))
	return w
}

// A device keeps as many shards as fit its memory, each identified by its job and number. The oldest is dropped for a
// new one, and all shards of a finished job are dropped.
func TestShardsThatWait(t *testing.T) {
	w := tours(t, 92, 60, 3)
	d := &desk{device: device("cpu")}
	begin := func(job string, number int) *slot {
		t.Helper()
		s, err := d.begin(t.Context(), job, w, number, nil)
		must(t, err)
		return s
	}
	waiting := func(want ...string) {
		t.Helper()
		var have []string
		for _, job := range []string{"one", "two"} {
			for number := range 3 {
				if d.waiting(job, number) != nil {
					have = append(have, job+string(rune('0'+number)))
				}
			}
		}
		if !slices.Equal(have, want) {
			t.Errorf("there wait %v, want %v", have, want)
		}
	}
	begin("one", 0)
	d.device.WaitingBytes = 3*d.peak - 1 // room for two
	begin("one", 1)
	if len(d.slots) != 2 {
		t.Errorf("%d slots in the memory of two", len(d.slots))
	}
	waiting("one0", "one1")
	begin("two", 1)
	waiting("one1", "two1")
	if d.waiting("one", 1) == d.waiting("two", 1) {
		t.Error("two jobs have one shard")
	}
	d.forget("two") // the newest; an empty slot is reused before the oldest
	waiting("one1")
	begin("two", 2)
	waiting("one1", "two2")
	d.device.WaitingBytes = 3 * d.peak
	begin("two", 0)
	waiting("one1", "two0", "two2")
	must(t, d.close())
	waiting()
}

// A device with slots for the shards of one run gets new slots for larger shards.
func TestLargerShards(t *testing.T) {
	small, large := tours(t, 93, 16, 2), tours(t, 94, 600, 2)
	large.key, large.program = small.key, small.program
	d := &desk{device: device("cpu")}
	commit := func(w *work) *slot {
		t.Helper()
		s, err := d.begin(t.Context(), "job", w, 1, nil)
		must(t, err)
		return s
	}
	first := commit(small)
	before := d.peak
	if commit(large) == first || d.peak <= before {
		t.Errorf("the larger shard is in the smaller one's slot, with peak %d after %d", d.peak, before)
	}
	peak := d.peak
	if commit(small); d.peak != peak {
		t.Error("the device opened anew for a smaller shard")
	}
	must(t, d.close())
	for _, list := range [][][]circuit.Instance{{small.of(0), large.of(0), small.of(1)}, {large.of(0), small.of(0)}} {
		if uneven := shapedWork(small.program, small.key, circuit.Public{}, list...); !slices.Equal(largest(uneven),
			large.of(0)) {
			t.Error("the largest shard is not the one with the most cells")
		}
	}
}
