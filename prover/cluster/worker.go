package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"
	"golang.org/x/sync/errgroup"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/prove"
)

// WorkerOptions are a worker's.
type WorkerOptions struct {
	Name    string // that of its credential
	Host    string
	Devices []Device
	Build   Build
	Workers int // goroutines of an execution; 0 means one for each processor

	// Stall is how long a stage may take until the seat gives up its lease: the device may hang.
	Stall time.Duration

	Log func(line string) // nil tells nobody
}

// DefaultStall is longer than any stage of a proof that fits a device takes.
const DefaultStall = 30 * time.Minute

// Worker is a process's devices, offered to a cluster.
type Worker struct {
	space    *Space
	options  WorkerOptions
	programs *programs
	runs     runs

	// at, in tests, is asked at every step of a task: true and the worker is dead from there on.
	at func(step string) (dead bool)
}

// NewWorker offers devices.
func NewWorker(space *Space, o WorkerOptions) (*Worker, error) {
	for _, word := range []string{o.Name, o.Host} {
		if err := CheckName(word); err != nil {
			return nil, fmt.Errorf("worker or host %w", err)
		}
	}
	if len(o.Devices) == 0 {
		return nil, errors.New("a worker without a device")
	}
	for _, device := range o.Devices {
		if err := CheckName(device.Name); err != nil {
			return nil, fmt.Errorf("device %w", err)
		}
	}
	if o.Log == nil {
		o.Log = func(string) {}
	}
	if o.Stall == 0 {
		o.Stall = DefaultStall
	}
	return &Worker{
		space: space, options: o, programs: &programs{build: o.Build}, at: func(string) bool { return false },
	}, nil
}

// ID is what the worker is known and shut out by.
func (w *Worker) ID() string { return w.options.Name + "." + w.options.Host }

// errDead ends a worker that a test killed.
var errDead = errors.New("killed")

// Run takes tasks until the context ends, which is no error, the worker is shut out, which is a [ShutOutError], or the
// server does not know it any more. What it has begun then goes to others.
func (w *Worker) Run(ctx context.Context) error {
	if err := w.space.bus.CanUnseal(); err != nil {
		return err
	}
	if err := w.space.excluded(ctx, w.ID()); err != nil {
		return err
	}
	group, within := errgroup.WithContext(ctx)
	for _, device := range w.options.Devices {
		s := &seat{
			worker: w, desk: desk{device: device},
			name: seatName(w.ID() + "." + device.Name + "-" + tail(nuid.Next())),
		}
		group.Go(func() error { return s.run(within) })
	}
	err := group.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// seat is one device at work.
type seat struct {
	worker *Worker
	desk   desk
	name   seatName
	alone  bool         // the last time that it asked for a task, nobody was there
	begun  time.Time    // of its task
	moved  atomic.Int64 // when its task last made a step, in nanoseconds since 1970
	stage  atomic.Pointer[prove.Stage]
}

func (s *seat) run(ctx context.Context) (err error) {
	space := s.worker.space
	defer func() { err = errors.Join(err, s.desk.close()) }()
	defer func() {
		if !errors.Is(err, errDead) {
			s.leave()
		}
	}()
	wake := make(chan *nats.Msg, 1)
	for _, subject := range []string{taskSubjects + "any.>", taskSubjects + "on." + string(s.name) + ".>"} {
		heard, err := space.bus.Conn.Subscribe(subject, func(m *nats.Msg) {
			select {
			case wake <- m:
			default:
			}
		})
		if err != nil {
			return err
		}
		defer func() { _ = heard.Unsubscribe() }()
	}
	s.worker.options.Log(fmt.Sprintf("seat %s: ready", s.name.shown()))
	for {
		if err := s.turn(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-wake:
		case <-time.After(space.lease / perLease):
		}
	}
}

// turn says that the seat is there, and does tasks for as long as there are any.
func (s *seat) turn(ctx context.Context) error {
	for {
		if ctx.Err() != nil {
			return nil
		}
		refusal := new(ShutOutError)
		if err := s.worker.space.excluded(ctx, s.worker.ID()); errors.As(err, &refusal) {
			return err
		}
		s.present(ctx, nil)
		given, err := s.ask(ctx)
		if given == nil {
			s.missed(ctx, err)
			return s.gone()
		}
		if err := s.take(ctx, given); err != nil {
			return err
		}
	}
}

// gone is the error of a connection that will not come back, or nil.
func (s *seat) gone() error {
	if !s.worker.space.bus.Conn.IsClosed() {
		return nil
	}
	return fmt.Errorf("worker %s: the server lets it in no more: it was shut out, which prover jobs says, "+
		"or its credential is another server's", s.worker.ID())
}

// missed says, once in a row, that nobody gives tasks.
func (s *seat) missed(ctx context.Context, err error) {
	none := errors.Is(err, nats.ErrNoResponders)
	if none && !s.alone && ctx.Err() == nil {
		s.worker.options.Log(fmt.Sprintf("seat %s: nobody gives out tasks: prover serve does, and is not running or was "+
			"not told of this credential", s.name.shown()))
	}
	s.alone = none
}

// take does one task. Its error ends the worker.
func (s *seat) take(ctx context.Context, given *lease) error {
	task, err := given.task()
	if err != nil {
		s.worker.options.Log(fmt.Sprintf("seat %s: %v", s.name.shown(), err))
		if errors.As(err, new(*bus.SealError)) { // a worker of another cluster's credential must not lose this one's tasks
			return ignore(given.back(ctx, s.worker.space.lease/perLease))
		}
		return ignore(given.drop(ctx))
	}
	if s.worker.at("taken") {
		return errDead
	}
	for _, not := range task.Not {
		if not == s.name {
			return ignore(given.back(ctx, s.worker.space.lease/perLease))
		}
	}
	if s.worker.space.over(ctx, task.Job) {
		return ignore(given.drop(ctx))
	}
	run := s.worker.runs.of(task.Job)
	interrupted := context.AfterFunc(ctx, func() { run.end(context.Cause(ctx)) })
	defer interrupted()
	stop := s.hold(ctx, given, task, run)
	result := new(Result)
	if err := s.do(ctx, task, run, result); errors.Is(err, errDead) {
		stop()
		return err
	} else if ctx.Err() != nil {
		stop()
		return ignore(given.back(ctx, 0))
	} else if err != nil && errors.Is(context.Cause(run.ctx), errOver) {
		stop()
		s.worker.options.Log(fmt.Sprintf("seat %s: job %s, shard %d: %v", s.name.shown(), task.Job, task.Shard, errOver))
		s.desk.forget(task.Job)
		return ignore(given.back(ctx, 0)) // where it was asked for again since
	} else if err != nil {
		s.worker.options.Log(fmt.Sprintf("seat %s: job %s, shard %d: %v", s.name.shown(), task.Job, task.Shard, err))
		result.Cap, result.Proof, result.Unable = nil, nil, err.Error()
	}
	result.Seconds = time.Since(s.begun).Seconds()
	err = s.worker.space.tell(ctx, resultKey(task.Job, task.tag(), task.Shard, s.name), result)
	stop()
	if s.worker.at("told") {
		return errDead
	}
	if err != nil { // nobody knows of it: it is to be done again
		s.worker.options.Log(fmt.Sprintf("seat %s: %v", s.name.shown(), err))
		return ignore(given.back(ctx, s.worker.space.lease/perLease))
	}
	_ = given.done(ctx) // unheard, the task comes again, and its result is there
	if s.worker.at("acknowledged") {
		return errDead
	}
	return nil
}

// ignore is for answers about a lease that ends by itself.
func ignore(error) error { return nil }

// do commits to a shard, or proves it.
func (s *seat) do(ctx context.Context, task *Task, run *sharedRun, result *Result) error {
	work, err := s.worker.runs.get(run, func(ctx context.Context) (*work, error) {
		request, err := s.worker.space.request(ctx, task.Job)
		if err != nil {
			return nil, err
		}
		return s.worker.space.execute(ctx, request, s.worker.programs, parallel.New(s.worker.options.Workers), false)
	})
	if err != nil {
		return err
	}
	if _, err := work.shards.shard(run.ctx, task.Shard); err != nil {
		if work.shards.failed() {
			s.worker.runs.forget(run) // who asks for the job again has it run again
		}
		return err
	}
	took, lap := &result.Took, lapsFrom(s.begun)
	took.Run = lap()
	slot := s.desk.waiting(task.Job, task.Shard)
	if slot == nil {
		slot, err = s.desk.begin(run.ctx, task.Job, work, task.Shard, s.enters)
		if err != nil {
			return s.desk.deviceError(err)
		}
		took.Commit = lap()
	}
	if s.worker.at("committed") {
		return errDead
	}
	mainCap := capBytes(slot.shard.Commitment().MainCap)
	if task.Common == nil || task.Cap == nil || bus.DigestOf(mainCap) != *task.Cap {
		result.Cap = mainCap
		return nil
	}
	proof, metrics, err := slot.prove(*task.Common)
	if err != nil {
		return s.desk.deviceError(err)
	}
	took.Prove, took.Stages, took.GrindHashes = lap(), metrics.Stages, metrics.GrindHashes
	encoded, err := proof.MarshalBinary()
	if err != nil {
		return err
	}
	if s.worker.at("proven") {
		return errDead
	}
	digest, err := s.worker.space.objects.Put(ctx, encoded)
	if err != nil {
		return err
	}
	if s.worker.at("stored") {
		return errDead
	}
	took.Send, result.Proof = lap(), &digest
	return nil
}

// lapsFrom returns the time since the last call, of the first since a moment.
func lapsFrom(last time.Time) func() time.Duration {
	return func() time.Duration {
		now := time.Now()
		defer func() { last = now }()
		return now.Sub(last)
	}
}

// tail is the end of a unique id, in which ids that are made one after the other differ.
func tail(id string) string { return id[max(len(id)-seatDigits, 0):] }

const seatDigits = 6
