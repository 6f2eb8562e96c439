package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/prove"
)

// perLease is the number of times per lease that a seat reports its presence.
const perLease = 4

// present writes the seat's presence. It only logs a failure to reach the server.
func (s *seat) present(ctx context.Context, task *shardTask) {
	p := Presence{Device: s.desk.device.Backend.Device(), Since: time.Now()}
	if task != nil {
		p.Job, p.Tag, p.Shard, p.Since = task.Job, task.tag(), task.Shard, s.begun
		if stage := s.stage.Load(); stage != nil {
			p.Stage = *stage
		}
	}
	encoded, err := json.Marshal(p)
	if err == nil {
		_, err = s.worker.space.workers.Put(ctx, string(s.name), encoded)
	}
	if err != nil && ctx.Err() == nil {
		s.worker.options.Log(fmt.Sprintf("seat %s: %v", s.name.shown(), bus.Full(err)))
	}
}

// leave removes the seat's presence, so that coordinators do not wait for it.
func (s *seat) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = s.worker.space.workers.Delete(ctx, string(s.name)) // otherwise the presence expires
}

// watchEvery is the interval at which a seat checks that its job is still running, and reports its stage.
const watchEvery = time.Second

// hold renews a lease until it is stopped, while the task makes progress and the job is running.
func (s *seat) hold(ctx context.Context, given *lease, task *shardTask, run *sharedRun) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	s.begun = time.Now()
	s.stage.Store(nil)
	s.step()
	s.present(ctx, task)
	go func() {
		defer close(done)
		beat := s.worker.space.lease / perLease
		tick := time.NewTicker(min(beat, watchEvery))
		defer tick.Stop()
		reported, stage := time.Now(), s.stage.Load()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if time.Since(time.Unix(0, s.moved.Load())) > s.worker.options.Stall {
				s.worker.options.Log(fmt.Sprintf("seat %s: job %s, shard %d: no step for %v: others may have it",
					s.name.shown(), task.Job, task.Shard, s.worker.options.Stall))
				return
			}
			if now := s.stage.Load(); now != stage || time.Since(reported) >= beat {
				_ = given.hold(ctx) // if the server does not receive it, another seat gets the task
				s.present(ctx, task)
				reported, stage = time.Now(), now
				_ = s.worker.at("renewed")
			}
			if s.worker.space.over(ctx, task.Job) {
				s.worker.runs.over(run)
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}

func (s *seat) step() { s.moved.Store(time.Now().UnixNano()) }

func (s *seat) enters(stage prove.Stage) {
	s.step()
	s.stage.Store(&stage)
}
