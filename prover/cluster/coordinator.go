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

// CoordinatorOptions configure a coordinator.
type CoordinatorOptions struct {
	Build   Build
	MinBits int // the least security of the whole proof; below 0: the bits of the parameters
	Workers int // goroutines of an execution; 0 means one per processor

	// Judge is the backend on which the coordinator itself commits to shards if workers disagree.
	Judge backend.Backend

	// Sticky is how long a shard waits for the seat that keeps it, if that seat is busy.
	Sticky time.Duration

	// Silent is the number of seats that may fall silent during one task before the job fails, because the task may be the
	// cause. 0 means 6.
	Silent int

	// Poll is the interval at which the queue is checked; 0 means a second.
	Poll time.Duration

	// Observer, unless nil, receives accepted challenges and proofs, so that work on shards can begin while others are
	// being proven.
	Observer Observer

	Progress func(Event)    // may be nil
	Watch    func(Progress) // called when the progress changes; may be nil
}

// DefaultSticky is about the time that it takes to commit to a shard again.
const DefaultSticky = 20 * time.Second

// Event is an event of a job.
type Event struct {
	Shard   int // -1: the whole job
	What    string
	Worker  string // NAME/HOST/SEAT, if any
	Seconds float64
}

// Coordinator advances one job from state to state. It is not safe for concurrent use.
type Coordinator struct {
	space   *Space
	options CoordinatorOptions
	id      string
	work    *work
	began   bool // it wrote the job's first state

	updates chan *bus.Entry         // of watched buckets; nil marks the end of a bucket's initial entries
	results map[string]*shardResult // by key
	seats   map[seatName]seen
	out     map[string]bool // workers that are excluded

	examiners chan struct{} // holds one element for each running verification
	examined  map[examinedProof]*examination
	finished  chan finishedExamination

	clock *stopwatch

	committed, proven int      // shards
	observed          [32]byte // branch of the challenges that the observer knows

	sent    map[string]sentTask  // by tag and shard
	missing map[string]time.Time // since when a task is in no queue
}

// seen is the last presence of a seat, and when it was received.
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
		results: map[string]*shardResult{}, seats: map[seatName]seen{}, out: map[string]bool{},
		updates: make(chan *bus.Entry), sent: map[string]sentTask{}, missing: map[string]time.Time{},
		examiners: make(chan struct{}, parallel.New(o.Workers).Workers()),
		examined:  map[examinedProof]*examination{}, finished: make(chan finishedExamination), clock: clock,
	}
}

// check returns an error if the run's proof would be less secure than requested.
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

// ID returns the id of the job.
func (c *Coordinator) ID() string { return c.id }

// Program returns the program whose run is proven.
func (c *Coordinator) Program() run.Program { return c.work.program }

// Shards returns the number of shards of the run.
func (c *Coordinator) Shards() int { return c.work.count() }

// Key returns the key that the proof is verified against.
func (c *Coordinator) Key() *protocol.Key { return c.work.key }

// Prove completes the job, and returns a verified set. If the context ends, the job keeps its state, and another
// coordinator can continue it.
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
	maps.DeleteFunc(c.examined, func(_ examinedProof, known *examination) bool { return !known.done }) // earlier ones
	c.clock.metrics.Shards = make([]ShardMetrics, c.work.count())
	for {
		state, revision, err := c.space.state(ctx, c.id)
		if err != nil {
			return nil, err
		}
		if len(state.Shards) == 0 && state.Status == statusRunning { // the run had not ended when it was requested
			next := state.clone()
			next.Shards = make([]ShardState, c.work.count())
			if _, err := c.space.change(ctx, c.id, next, revision); err != nil {
				return nil, err
			}
			continue
		}
		if n := len(state.Shards); n != c.work.count() && state.Status != statusFailed && state.Status != statusCancelled {
			return nil, fmt.Errorf("job %s: its state has %d shards, and its run %d", c.id, n, c.work.count())
		}
		c.committed, c.proven = state.Counts()
		c.progress()
		switch state.Status {
		case statusFailed:
			return nil, fmt.Errorf("job %s failed: %s", c.id, state.Why)
		case statusCancelled:
			return nil, fmt.Errorf("job %s was cancelled", c.id)
		case statusDone:
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

// lieError is an error that no honest worker causes.
type lieError struct{ error }

func (e *lieError) Unwrap() error { return e.error }

func isLie(err error) bool { return errors.As(err, new(*lieError)) }
