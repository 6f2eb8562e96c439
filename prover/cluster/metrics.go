package cluster

import (
	"maps"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/prover/prove"
)

// Metrics say where the time of a job went, as this coordinator saw it. What happened before it took the job up is in
// none of them.
type Metrics struct {
	Begun time.Time // when Submit or Take was called

	// The coordinator's time, part by part, one after the other: from there until Prove returned.
	Tables time.Duration // the program's tables, and their key
	Ask    time.Duration // the program and its inputs into the store, and the first tasks into the queue
	Run    time.Duration // the program's run, and where it is cut; of a job that was taken up all of these three
	Phase1 time.Duration // from there until the last cap was heard of
	Phase2 time.Duration // until the last proof was
	Verify time.Duration // until all were verified

	Shards []ShardMetrics
}

// ShardMetrics say what became of a shard.
type ShardMetrics struct {
	Phases [2]PhaseMetrics

	// Verify is the time until its proof was read and verified, beside other things.
	Verify time.Duration
}

// PhaseMetrics are a shard's task, of the result that was taken: by the coordinator's clock, and as
// reported by the seat, which may lie.
type PhaseMetrics struct {
	Seat   string        // NAME/HOST/SEAT; empty where this coordinator did not hear of the result
	Device string        // what the seat says that it is
	Heard  time.Duration // since Submit or Take began
	Waited time.Duration // from when the task was sent, without what the seat had it for: in the queue and on the way
	Took
}

// Took is what a seat says that a task took it.
type Took struct {
	Run    time.Duration `json:"run,omitempty"`    // the program, or the wait until another seat had run it
	Commit time.Duration `json:"commit,omitempty"` // in phase 2 only where the shard was committed to again
	Prove  time.Duration `json:"prove,omitempty"`
	Send   time.Duration `json:"send,omitempty"` // the proof into the store

	// Stages are those of a proof, with those of its first phase.
	Stages      map[prove.Stage]time.Duration `json:"stages,omitempty"`
	GrindHashes uint64                        `json:"grind_hashes,omitempty"`
}

// cleared returns the part of a seat's report that is shown to users: known stages, and times that are not negative.
func (t Took) cleared() Took {
	for _, each := range []*time.Duration{&t.Run, &t.Commit, &t.Prove, &t.Send} {
		*each = max(*each, 0)
	}
	said := t.Stages
	t.Stages = map[prove.Stage]time.Duration{}
	for _, stage := range prove.Stages {
		if took := said[stage]; took > 0 {
			t.Stages[stage] = took
		}
	}
	return t
}

// stopwatch is a coordinator's clock, and what it has seen by it.
type stopwatch struct {
	start, last time.Time
	heard       map[string]time.Time // results, by key
	metrics     Metrics
}

func newStopwatch() *stopwatch {
	now := time.Now()
	return &stopwatch{start: now, last: now, heard: map[string]time.Time{}}
}

// charge adds the time since the last charge to a part, up to a moment that may have passed.
func (w *stopwatch) charge(part *time.Duration, until time.Time) {
	if until.After(w.last) {
		*part += until.Sub(w.last)
		w.last = until
	}
}

// took notes whose result was taken for a task.
func (c *Coordinator) took(phase int, shard int, tag string, told seatResult) {
	m := &c.clock.metrics.Shards[shard].Phases[phase]
	*m = PhaseMetrics{Seat: told.seat.shown(), Device: c.seats[told.seat].Device, Took: told.Took.cleared()}
	heard := c.clock.heard[resultKey(c.id, tag, shard, told.seat)]
	m.Heard = heard.Sub(c.clock.start)
	if sent, here := c.sent[taskName(tag, shard)]; here {
		m.Waited = max(heard.Sub(sent.first)-time.Duration(told.Seconds*float64(time.Second)), 0)
	}
}

// lastHeard is when the last result of a phase was heard of that was taken.
func (c *Coordinator) lastHeard(phase int) time.Time {
	last := slices.MaxFunc(c.clock.metrics.Shards, func(a, b ShardMetrics) int {
		return int(a.Phases[phase].Heard - b.Phases[phase].Heard)
	})
	return c.clock.start.Add(last.Phases[phase].Heard)
}

// Proven is how long it was from there until Prove returned.
func (m *Metrics) Proven() time.Duration {
	return m.Tables + m.Ask + m.Run + m.Phase1 + m.Phase2 + m.Verify
}

// Metrics are those of a job that Prove took to its end.
func (c *Coordinator) Metrics() Metrics {
	m := c.clock.metrics
	m.Begun = c.clock.start
	m.Shards = slices.Clone(m.Shards)
	for i := range m.Shards {
		for phase := range m.Shards[i].Phases {
			p := &m.Shards[i].Phases[phase]
			p.Stages = maps.Clone(p.Stages)
		}
	}
	return m
}
