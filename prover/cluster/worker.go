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
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
)

// WorkerOptions configure a worker.
type WorkerOptions struct {
	Name    string // the name of its credential
	Host    string
	Devices []Device
	Build   Build
	Workers int // goroutines of an execution; 0 means one per processor

	// Stall is the time after which the seat gives up its lease if no stage begins: the device may hang. 0 means 30
	// minutes.
	Stall time.Duration

	Log func(line string) // may be nil
}

// defaultStall is longer than any stage of a proof that fits a device.
const defaultStall = 30 * time.Minute

// Worker offers the devices of a process to a cluster.
type Worker struct {
	space    *Space
	options  WorkerOptions
	programs *programs
	runs     runs

	// at, if not nil, is called at every step of a task in tests. If it returns true, the worker stops as if killed.
	at func(step string) (dead bool)
}

// NewWorker returns a worker that offers devices.
func NewWorker(space *Space, o WorkerOptions) (*Worker, error) {
	for _, word := range []string{o.Name, o.Host} {
		if err := CheckName(word); err != nil {
			return nil, fmt.Errorf("worker or host %w", err)
		}
	}
	if len(o.Devices) == 0 {
		return nil, errors.New("a worker needs at least one device")
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
		o.Stall = defaultStall
	}
	return &Worker{
		space: space, options: o, programs: &programs{build: o.Build}, at: func(string) bool { return false },
	}, nil
}

// ID identifies the worker for the cluster.
func (w *Worker) ID() string { return w.options.Name + "." + w.options.Host }

// errDead ends a worker that a test killed.
var errDead = errors.New("killed")

// Run does tasks until the context ends, in which case it returns nil; until the worker is excluded, with a
// [ExcludedError]; or until the server no longer accepts its credential. Other workers get its unfinished tasks.
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

// seat offers one device, and does its tasks.
type seat struct {
	worker *Worker
	desk   desk
	name   seatName
	alone  bool         // no dispatcher answered its last request for a task
	begun  time.Time    // of its task
	moved  atomic.Int64 // time of the last step of its task, in nanoseconds since 1970
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

// turn announces the seat, and does tasks while there are any.
func (s *seat) turn(ctx context.Context) error {
	for {
		if ctx.Err() != nil {
			return nil
		}
		refusal := new(ExcludedError)
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

// gone returns the error of a connection that was closed for good, or nil.
func (s *seat) gone() error {
	if !s.worker.space.bus.Conn.IsClosed() {
		return nil
	}
	return fmt.Errorf("worker %s: the server no longer accepts its credential: was it excluded (see prover jobs), "+
		"or does it belong to another server?", s.worker.ID())
}

// missed logs that no dispatcher answers, once until one does.
func (s *seat) missed(ctx context.Context, err error) {
	none := errors.Is(err, nats.ErrNoResponders)
	if none && !s.alone && ctx.Err() == nil {
		s.worker.options.Log(fmt.Sprintf("seat %s: no dispatcher hands out tasks: is prover serve running, and does it "+
			"know this credential?", s.name.shown()))
	}
	s.alone = none
}

// take does one task. An error ends the worker.
func (s *seat) take(ctx context.Context, given *lease) error {
	task, err := given.task()
	if err != nil {
		s.worker.options.Log(fmt.Sprintf("seat %s: %v", s.name.shown(), err))
		if errors.As(err, new(*bus.SealError)) { // another cluster's worker must not lose these tasks
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
	result := new(shardResult)
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
		return ignore(given.back(ctx, 0)) // the job may have been requested again
	} else if err != nil {
		s.worker.options.Log(fmt.Sprintf("seat %s: job %s, shard %d: %v", s.name.shown(), task.Job, task.Shard, err))
		result.Cap, result.Proof, result.Unable = nil, nil, err.Error()
		_, _ = errors.As(err, &result.Memory), errors.As(err, &result.Height)
	}
	result.Seconds = time.Since(s.begun).Seconds()
	err = s.worker.space.report(ctx, resultKey(task.Job, task.tag(), task.Shard, s.name), result)
	stop()
	if s.worker.at("reported") {
		return errDead
	}
	if err != nil { // the result is lost: the task must be repeated
		s.worker.options.Log(fmt.Sprintf("seat %s: %v", s.name.shown(), err))
		return ignore(given.back(ctx, s.worker.space.lease/perLease))
	}
	_ = given.done(ctx) // if this is lost, the task is given again, and its result exists
	if s.worker.at("acknowledged") {
		return errDead
	}
	return nil
}

// ignore drops errors of reports on a lease, which expires by itself.
func ignore(error) error { return nil }

// do commits to a shard, or proves it; or it proves a whole run.
func (s *seat) do(ctx context.Context, task *shardTask, run *sharedRun, result *shardResult) error {
	if task.Node != nil {
		return s.node(ctx, task.Node, run, result)
	}
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
			s.worker.runs.forget(run) // the next task of the job executes it again
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
	return s.store(ctx, proof, result, lap)
}

// store stores a finished proof.
func (s *seat) store(ctx context.Context, proof *protocol.Proof, result *shardResult, lap func() time.Duration) error {
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
	result.Took.Send, result.Proof = lap(), &digest
	return nil
}

// lapsFrom returns a function that returns the time since its previous call, or since last.
func lapsFrom(last time.Time) func() time.Duration {
	return func() time.Duration {
		now := time.Now()
		defer func() { last = now }()
		return now.Sub(last)
	}
}

// tail returns the end of a unique id, where consecutive ids differ.
func tail(id string) string { return id[max(len(id)-seatDigits, 0):] }

const seatDigits = 6
