package cluster

import (
	"maps"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/prover/prove"
)

// Metrics are the times of a job as observed by this coordinator. They exclude everything before it took over the job.
type Metrics struct {
	Begun time.Time // when Submit or Take was called

	// The coordinator's consecutive periods, until Prove returned.
	Tables time.Duration // building the program's tables and key
	Ask    time.Duration // storing the program and its inputs, and queuing the first tasks
	Run    time.Duration // the program's run and its cuts; for a job taken over, all three periods
	Phase1 time.Duration // until the last cap was received
	Phase2 time.Duration // until the last proof was received
	Verify time.Duration // until all proofs were verified

	Shards []ShardMetrics
}

// ShardMetrics are the times of a shard.
type ShardMetrics struct {
	Phases [2]PhaseMetrics

	// Verify is the time until its proof was read and verified, concurrently with other work.
	Verify time.Duration
}

// PhaseMetrics describe a shard's task whose result was accepted: by the coordinator's clock, and as reported by the
// seat, which may lie.
type PhaseMetrics struct {
	Seat   string        // NAME/HOST/SEAT; empty if this coordinator did not receive the result
	Device string        // as reported by the seat
	Heard  time.Duration // since Submit or Take began
	Waited time.Duration // since the task was sent, without the time the seat held it: in the queue and in transit
	Took
}

// Took are the times of a task as reported by a seat.
type Took struct {
	Run    time.Duration `json:"run,omitempty"`    // running the program, or waiting until another seat had run it
	Commit time.Duration `json:"commit,omitempty"` // in phase 2 only if the shard was committed to again
	Prove  time.Duration `json:"prove,omitempty"`
	Send   time.Duration `json:"send,omitempty"` // storing the proof

	// Stages are the stages of a proof, including those of its first phase.
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

// stopwatch is a coordinator's clock and its observations.
type stopwatch struct {
	start, last time.Time
	heard       map[string]time.Time // results, by key
	metrics     Metrics
}

func newStopwatch() *stopwatch {
	now := time.Now()
	return &stopwatch{start: now, last: now, heard: map[string]time.Time{}}
}

// charge adds the time from the last charge to until, which may be in the past, to a part.
func (w *stopwatch) charge(part *time.Duration, until time.Time) {
	if until.After(w.last) {
		*part += until.Sub(w.last)
		w.last = until
	}
}

// took records the seat whose result was accepted for a task, and its times.
func (c *Coordinator) took(phase int, shard int, tag string, report seatResult) {
	m := &c.clock.metrics.Shards[shard].Phases[phase]
	*m = PhaseMetrics{Seat: report.seat.shown(), Device: c.seats[report.seat].Device, Took: report.Took.cleared()}
	heard := c.clock.heard[resultKey(c.id, tag, shard, report.seat)]
	m.Heard = heard.Sub(c.clock.start)
	if sent, here := c.sent[taskName(tag, shard)]; here {
		m.Waited = max(heard.Sub(sent.first)-time.Duration(report.Seconds*float64(time.Second)), 0)
	}
}

// lastHeard returns when the last accepted result of a phase was received.
func (c *Coordinator) lastHeard(phase int) time.Time {
	last := slices.MaxFunc(c.clock.metrics.Shards, func(a, b ShardMetrics) int {
		return int(a.Phases[phase].Heard - b.Phases[phase].Heard)
	})
	return c.clock.start.Add(last.Phases[phase].Heard)
}

// Proven returns the time from Begun until Prove returned.
func (m *Metrics) Proven() time.Duration {
	return m.Tables + m.Ask + m.Run + m.Phase1 + m.Phase2 + m.Verify
}

// Metrics returns the times of a job that Prove completed.
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
