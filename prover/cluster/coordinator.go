package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/protocol/soundness"
	"github.com/chiasmus/chiasmus/prover/run"
)

// CoordinatorOptions are a coordinator's.
type CoordinatorOptions struct {
	Build   Build
	MinBits int // the least that the whole may prove; below 0 what the parameters promise
	Workers int // goroutines of an execution; 0 means one for each processor

	// Judge is what the coordinator commits on itself, where workers disagree.
	Judge backend.Backend

	// Sticky is how long a shard waits for the seat that keeps it, where that does other things.
	Sticky time.Duration

	// Silent is how many seats may fall silent with one task before the job fails: it may be what ends them.
	// 0 means 6.
	Silent int

	// Poll is how often the queue is looked at; 0 means a second.
	Poll time.Duration

	Progress func(Event)    // nil tells nobody
	Watch    func(Progress) // where something changed of what is done; nil tells nobody
}

// DefaultSticky is about what committing again takes.
const DefaultSticky = 20 * time.Second

// Event is something that became of a job.
type Event struct {
	Shard   int // -1: of the job
	What    string
	Worker  string // NAME/HOST/SEAT, where there is one
	Seconds float64
}

// Coordinator takes one job from state to state. It is not for use by several goroutines at once.
type Coordinator struct {
	space   *Space
	options CoordinatorOptions
	id      string
	work    *work
	began   bool // it wrote the job's first state

	updates chan *bus.Entry    // of watched buckets; nil when one has been read for the first time
	results map[string]*Result // by key
	seats   map[seatName]seen
	out     map[string]bool // workers that are shut out

	examiners chan struct{} // one in it for each that verifies
	examined  map[examinedProof]*examination
	finished  chan finishedExamination

	clock *stopwatch

	committed, proven int // shards

	sent    map[string]sentTask  // by tag and shard
	missing map[string]time.Time // since when a task is in no queue
}

// seen is when a seat was last heard of, and what it said.
type seen struct {
	Presence
	at time.Time
}

// Take continues a job that was requested earlier.
func Take(ctx context.Context, space *Space, id string, o CoordinatorOptions) (*Coordinator, error) {
	clock := newStopwatch()
	request, err := space.request(ctx, id)
	if err != nil {
		return nil, err
	}
	work, err := space.execute(ctx, request, &programs{build: o.Build}, parallel.New(o.Workers), true)
	if err != nil {
		return nil, fmt.Errorf("job %s: %w", id, err)
	}
	if err := work.ended(ctx, func(int) error { return nil }); err != nil {
		return nil, fmt.Errorf("job %s: %w", id, err)
	}
	if err := work.check(o.MinBits); err != nil {
		return nil, err
	}
	clock.charge(&clock.metrics.Run, time.Now())
	return newCoordinator(space, id, work, clock, o), nil
}

func newCoordinator(space *Space, id string, w *work, clock *stopwatch, o CoordinatorOptions) *Coordinator {
	if o.Progress == nil {
		o.Progress = func(Event) {}
	}
	if o.Watch == nil {
		o.Watch = func(Progress) {}
	}
	if o.Silent == 0 {
		o.Silent = 6
	}
	if o.Poll == 0 {
		o.Poll = time.Second
	}
	return &Coordinator{
		space: space, options: o, id: id, work: w,
		results: map[string]*Result{}, seats: map[seatName]seen{}, out: map[string]bool{},
		updates: make(chan *bus.Entry), sent: map[string]sentTask{}, missing: map[string]time.Time{},
		examiners: make(chan struct{}, parallel.New(o.Workers).Workers()),
		examined:  map[examinedProof]*examination{}, finished: make(chan finishedExamination), clock: clock,
	}
}

// check refuses runs that prove less than wanted.
func (w *work) check(minBits int) error {
	report, err := w.key.SecurityOfShards(w.instances(), w.public())
	if err != nil {
		return err
	}
	if minBits < 0 {
		minBits = promised(w.key.Params)
	}
	if err := report.Require(minBits); err != nil {
		return fmt.Errorf("machine %s in %d shards: %w", w.key.Machine.Name, w.count(), err)
	}
	return nil
}

// promised returns the bits of the preset with these parameters, or the bits of a hash for other parameters.
func promised(params protocol.Params) int {
	for _, preset := range protocol.Presets() {
		if preset.Params == params {
			return preset.Bits
		}
	}
	return soundness.HashBits
}

// ID is the job's.
func (c *Coordinator) ID() string { return c.id }

// Program is what the job proves a run of.
func (c *Coordinator) Program() run.Program { return c.work.program }

// Shards is how many the run has.
func (c *Coordinator) Shards() int { return c.work.count() }

// Key is what the proof is verified against.
func (c *Coordinator) Key() *protocol.Key { return c.work.key }

// Prove takes the job to its end. The set that it returns is verified. If the context ends, the job keeps its
// state, and another coordinator can continue it.
func (c *Coordinator) Prove(ctx context.Context) (*protocol.Set, error) {
	set, err := c.prove(ctx)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return set, err
}

func (c *Coordinator) prove(ctx context.Context) (*protocol.Set, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if err := c.begin(ctx); err != nil {
		return nil, err
	}
	maps.DeleteFunc(c.examined, func(_ examinedProof, known *examination) bool { return !known.done }) // of a call before
	c.clock.metrics.Shards = make([]ShardMetrics, c.work.count())
	for {
		state, revision, err := c.space.state(ctx, c.id)
		if err != nil {
			return nil, err
		}
		if len(state.Shards) == 0 && state.Status == Running { // of a run that had not ended when it was asked for
			next := state.clone()
			next.Shards = make([]ShardState, c.work.count())
			if _, err := c.space.change(ctx, c.id, next, revision); err != nil {
				return nil, err
			}
			continue
		}
		if n := len(state.Shards); n != c.work.count() && state.Status != Failed && state.Status != Cancelled {
			return nil, fmt.Errorf("job %s: its state has %d shards, and its run %d", c.id, n, c.work.count())
		}
		c.committed, c.proven = state.Counts()
		c.progress()
		switch state.Status {
		case Failed:
			return nil, fmt.Errorf("job %s failed: %s", c.id, state.Why)
		case Cancelled:
			return nil, fmt.Errorf("job %s was cancelled", c.id)
		case Done:
			set, err := c.gather(ctx, state)
			c.clock.charge(&c.clock.metrics.Phase2, c.lastHeard(1))
			c.clock.charge(&c.clock.metrics.Verify, time.Now())
			return set, err
		}
		next, err := c.advance(ctx, state)
		if err != nil {
			return nil, err
		}
		if next != nil {
			if _, err := c.space.change(ctx, c.id, next, revision); err != nil {
				return nil, err
			}
			continue
		}
		if err := c.send(ctx, state); err != nil {
			return nil, err
		}
		if err := c.wait(ctx); err != nil {
			return nil, err
		}
	}
}

// lieError is what an honest worker does not say.
type lieError struct{ error }

func (e *lieError) Unwrap() error { return e.error }

func isLie(err error) bool { return errors.As(err, new(*lieError)) }
