package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/prover/cluster"
)

// A log gets events at once, and what seats do every ten seconds; a terminal gets everything at once, in one line.
func TestClusterProgress(t *testing.T) {
	seat := func(name, tag string, shard int, p cluster.Presence) cluster.WorkerSeat {
		p.Tag, p.Shard = tag, shard
		return cluster.WorkerSeat{Seat: name, Presence: p}
	}
	p := cluster.Progress{Shards: 4, Committed: 2, Proven: 1, Seats: []cluster.WorkerSeat{
		seat("worker/one/gpu0", "commit", 2, cluster.Presence{Stage: "count"}),
		seat("worker/one/gpu1", "prove-00", 1, cluster.Presence{Stage: "fold"}),
		seat("worker/two/gpu0", "commit", 3, cluster.Presence{}),
	}}
	const text = "37 %: 2 of 4 shards committed, 1 proven; worker/one: gpu0 shard 2 phase 1 count, " +
		"gpu1 shard 1 phase 2 fold; worker/two: gpu0 shard 3 phase 1"
	event := cluster.Event{Shard: 1, What: "proven", Worker: "worker/one/gpu1", Seconds: 0.25}
	const said = "shard 1: proven by worker/one/gpu1, 0.2 s\n"

	now := time.Now()
	log := new(strings.Builder)
	show := newClusterProgress(log)
	show.now = func() time.Time { return now }
	show.event(event)
	show.watch(p)
	now = now.Add(2 * quietFor)
	show.watch(p)
	show.watch(p)
	if got, want := log.String(), said+text+"\n"; got != want {
		t.Errorf("a log gets\n%s\nwant\n%s", got, want)
	}

	screen := new(strings.Builder)
	show = &clusterProgress{out: screen, terminal: true, now: time.Now}
	show.watch(p)
	show.event(event)
	p.Proven = p.Shards
	show.watch(p)
	if got, want := screen.String(), eraseLine+text+eraseLine+said+eraseLine; got != want {
		t.Errorf("a terminal gets\n%q\nwant\n%q", got, want)
	}
}
