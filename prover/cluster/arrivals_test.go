package cluster

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol/soundness"
	"github.com/chiasmus/chiasmus/prover/run"
)

// streamedTour is a tour whose shards arrive one by one if it is cut while it is running. Each but the first waits
// for a gate, unless that is nil.
type streamedTour struct {
	run.Program
	gate chan struct{}
	ends error // replaces the last shard
}

func (s *streamedTour) Run(ctx context.Context, in run.Input) (*run.Run, error) {
	whole, err := s.Program.Run(ctx, in)
	if err != nil || in.Cut.WhileRunning() == nil {
		return whole, err
	}
	streamed := *whole
	streamed.Instances = nil
	streamed.Shards = func(yield func(*machine.Shard, error) bool) {
		first := true
		for shard := range whole.Shards {
			if s.gate != nil && !first {
				select {
				case <-s.gate:
				case <-ctx.Done():
					yield(nil, ctx.Err())
					return
				}
			}
			if s.ends != nil && shard.Last {
				yield(nil, s.ends)
				return
			}
			if first = false; !yield(shard, nil) {
				return
			}
		}
	}
	return &streamed, nil
}

// streams builds tours that are cut while they are running.
func streams(gate chan struct{}, ends error) Build {
	return func(name string, file []byte) (run.Program, error) {
		program, err := build(name, file)
		if err != nil {
			return nil, err
		}
		return &streamedTour{program, gate, ends}, nil
	}
}

// byCycles orders a walk that is cut every each steps.
func byCycles(t testing.TB, seed uint64, steps, each int) *Order {
	o := order(t, seed, steps, (steps+each-1)/each)
	o.ShardCycles = each
	return o
}

// Shards of a run that is cut while it is running are committed to before the coordinator's run has ended, and the
// proof equals that of the same shards made by one process.
func TestComingShards(t *testing.T) {
	a := cluster(t)
	w := a.worker(t, WorkerRole, "one", device("left"), device("right"))
	w.programs.build = streams(nil, nil)
	gate := make(chan struct{}, 3)
	var told atomic.Int32
	w.at = func(step string) bool { // the coordinator's run waits for two caps, the second from a task that was sent late
		if step != "reported" {
			return false
		}
		switch told.Add(1) {
		case 1:
			gate <- struct{}{}
			gate <- struct{}{}
		case 3:
			gate <- struct{}{}
		}
		return false
	}
	running(t, w)
	o := byCycles(t, 71, 80, 20)
	options := coordination()
	options.Build = streams(gate, nil)
	c := a.submit(t, o, options)
	if c.Shards() != 4 {
		t.Errorf("%d shards, want 4", c.Shards())
	}
	proves(t, c, o)
	options.Build = streams(nil, nil)
	again, err := Take(t.Context(), a.space(t, ClientRole), c.ID(), options)
	must(t, err)
	proves(t, again, o)
}

// Tasks for shards that the run turns out not to have, because one was sent for each seat, are withdrawn.
func TestWithdrawnTasks(t *testing.T) {
	a := clusterOf(t, patient()) // the seats count as present for two leases
	space := a.space(t, WorkerRole)
	for _, seat := range []string{"a", "b", "c", "d"} {
		_, err := space.workers.Put(t.Context(), "worker.one."+seat, []byte("{}"))
		must(t, err)
	}
	options := coordination()
	gate := make(chan struct{})
	options.Build = streams(gate, nil)
	client := a.space(t, ClientRole)
	go func() {
		for queued(t, client) < 4 {
			time.Sleep(time.Millisecond)
		}
		close(gate)
	}()
	a.submit(t, byCycles(t, 77, 60, 30), options)
	if n := queued(t, client); n != 2 {
		t.Errorf("%d tasks are left of two shards", n)
	}
}

// Seats that are asked for shards which the run does not have do no harm.
func TestMoreSeatsThanComingShards(t *testing.T) {
	a := cluster(t)
	w := a.worker(t, WorkerRole, "one", device("a"), device("b"), device("c"), device("d"))
	w.programs.build = streams(nil, nil)
	refused := make(chan string, 64)
	w.options.Log = func(line string) {
		select {
		case refused <- line:
		default:
		}
	}
	running(t, w)
	client := a.space(t, ClientRole)
	for seats := 0; seats < 4; {
		list, err := client.Workers(t.Context())
		must(t, err)
		seats = len(list)
	}
	o := byCycles(t, 72, 60, 30)
	options := coordination()
	options.Build = streams(nil, nil)
	proves(t, a.submit(t, o, options), o)
	for len(refused) > 0 {
		if line := <-refused; !strings.Contains(line, "ready") && !strings.Contains(line, "there are 2 shards") {
			t.Error(line)
		}
	}
}

// A run that would be one shard is proven in two.
func TestOneComingShard(t *testing.T) {
	a := cluster(t)
	w := a.worker(t, WorkerRole, "one")
	w.programs.build = streams(nil, nil)
	running(t, w)
	o := byCycles(t, 73, 60, 100)
	o.Cut = func(int) int { return 2 }
	options := coordination()
	options.Build = streams(nil, nil)
	proves(t, a.submit(t, o, options), o)
	listed, err := a.space(t, ClientRole).Jobs(t.Context())
	must(t, err)
	if len(listed) != 2 || listed[1].Status != statusFailed || !strings.Contains(listed[1].Why, "its run fits one shard") {
		t.Errorf("%+v", listed)
	}
}

// A run that is cut while it is running is rejected once its shards are known, if its proof would have fewer bits
// than requested.
func TestComingBits(t *testing.T) {
	a := cluster(t)
	options := coordination()
	options.Build, options.MinBits = streams(nil, nil), soundness.HashBits
	_, err := Submit(t.Context(), a.space(t, ClientRole), byCycles(t, 77, 60, 20), options)
	refuses(t, err, "in 3 shards")
	listed, err := a.space(t, ClientRole).Jobs(t.Context())
	must(t, err)
	if len(listed) != 1 || listed[0].Status != statusFailed {
		t.Errorf("%+v", listed)
	}
}

// If the run of a coordinator ends early, the job fails; if the run of a worker ends early, the worker reports that
// it cannot do the task.
func TestComingShardsThatFail(t *testing.T) {
	a := cluster(t)
	trap := errors.New("the program divides by zero")
	options := coordination()
	options.Build = streams(nil, trap)
	_, err := Submit(t.Context(), a.space(t, ClientRole), byCycles(t, 74, 60, 20), options)
	refuses(t, err, trap.Error())
	listed, err := a.space(t, ClientRole).Jobs(t.Context())
	must(t, err)
	if len(listed) != 1 || listed[0].Status != statusFailed || !strings.Contains(listed[0].Why, trap.Error()) {
		t.Errorf("%+v", listed)
	}
	w := a.worker(t, WorkerRole, "one")
	w.programs.build = streams(nil, trap)
	running(t, w)
	options.Build = streams(nil, nil)
	c := a.submit(t, byCycles(t, 75, 60, 20), options)
	_, err = c.Prove(t.Context())
	refuses(t, err, trap.Error())
	_, err = Submit(t.Context(), a.space(t, ClientRole), byCycles(t, 76, 60*300, 60), options)
	refuses(t, err, "more than 256 shards")
}
