package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
)

// Strangers are rejected, and a worker can use only its own name.
func TestStrangers(t *testing.T) {
	a := cluster(t, "north")
	_, err := bus.Dial(bus.Options{URL: a.URL()})
	refuses(t, err, "requires a credential")
	north, ctx := a.space(t, "north"), t.Context()
	must(t, north.report(ctx, resultKey("job", commitTag, 0, "north.host.seat"), &shardResult{}))
	for name, put := range map[string]func(context.Context) error{
		"a result of another's": func(ctx context.Context) error {
			_, err := north.results.Put(ctx, resultKey("job", commitTag, 0, "worker.host.seat"), nil)
			return err
		},
		"a state": func(ctx context.Context) error {
			_, err := north.jobs.Put(ctx, "job", nil)
			return err
		},
		"an exclusion": func(ctx context.Context) error {
			_, err := north.exclusions.Put(ctx, "worker.host", nil)
			return err
		},
		"a task": func(ctx context.Context) error {
			_, err := north.bus.JetStream.Publish(ctx, anySubject("job")+".commit.0.0", nil)
			return err
		},
		"a purge": func(ctx context.Context) error { return north.tasks.Purge(ctx) },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
			defer cancel()
			if put(ctx) == nil {
				t.Error("it is written")
			}
		})
	}
}

// Duplicated and lost messages change nothing.
func TestDuplicatedAndLostTasks(t *testing.T) {
	a := cluster(t)
	o := order(t, 21, 80, 3)
	c := a.submit(t, o, coordination())
	space := a.space(t, ClientRole)
	lost := make(chan struct{})
	go func() { // before any worker starts
		defer close(lost)
		for range 3 {
			for queued(t, space) == 0 {
				time.Sleep(time.Millisecond)
			}
			must(t, space.tasks.Purge(t.Context()))
		}
		for queued(t, space) < 3 {
			time.Sleep(time.Millisecond)
		}
		for shard := range 3 {
			task, err := json.Marshal(&shardTask{Job: c.ID(), Shard: shard})
			must(t, err)
			subject := fmt.Sprintf("%s.commit.%d.99", anySubject(c.ID()), shard)
			task, err = space.bus.Seal(subject, time.Now().Add(time.Hour), task)
			must(t, err)
			_, err = space.bus.JetStream.Publish(t.Context(), subject, task)
			must(t, err)
		}
		running(t, a.worker(t, WorkerRole, "one", device("left"), device("right")))
	}()
	proves(t, c, o)
	<-lost
}

func queued(t *testing.T, s *Space) uint64 {
	t.Helper()
	info, err := s.tasks.Info(t.Context())
	must(t, err)
	return info.State.Msgs
}

// Two coordinators of one job produce one proof, and repeat work only by chance.
func TestTwoCoordinators(t *testing.T) {
	a := cluster(t)
	running(t, a.worker(t, WorkerRole, "one"))
	o := order(t, 41, 100, 4)
	first := a.submit(t, o, coordination())
	second, err := Take(t.Context(), a.space(t, ClientRole), first.ID(), coordination())
	must(t, err)
	done := make(chan struct{})
	go func() { defer close(done); proves(t, second, o) }()
	proves(t, first, o)
	<-done
}

// An interrupted coordinator leaves the job, and another coordinator resumes it. A cancelled job stays cancelled
// until it is requested again.
func TestDetachAndCancel(t *testing.T) {
	a := cluster(t)
	running(t, a.worker(t, WorkerRole, "one"))
	o := order(t, 51, 100, 4)
	ctx, cancel := context.WithCancelCause(t.Context())
	options := coordination()
	options.Progress = func(e Event) { cancel(errors.New("enough")) }
	c := a.submit(t, o, options)
	_, err := c.Prove(ctx)
	refuses(t, err, "enough")
	taken, err := Take(t.Context(), a.space(t, ClientRole), c.ID(), coordination())
	must(t, err)
	proves(t, taken, o)

	other := order(t, 52, 100, 4)
	c = a.submit(t, other, coordination())
	space := a.space(t, ClientRole)
	must(t, space.Cancel(t.Context(), c.ID()))
	refuses(t, space.Cancel(t.Context(), c.ID()), "cancelled already")
	_, err = c.Prove(t.Context())
	refuses(t, err, "was cancelled")
	proves(t, a.submit(t, other, coordination()), other)
	_, err = Take(t.Context(), space, strings.Repeat("0", 20), coordination())
	refuses(t, err, "no job ")
}

// A full store is reported to whoever requests a proof, and by a worker that cannot store its proof.
func TestFullStore(t *testing.T) {
	limits := quick()
	limits.StoreBytes = 16 << 10 // a request and caps fit
	a := clusterOf(t, limits)
	running(t, a.worker(t, WorkerRole, "one"))
	c := a.submit(t, order(t, 61, 60, 2), coordination())
	_, err := c.Prove(t.Context())
	refuses(t, err, "the server's store is full")

	o := order(t, 62, 60, 2)
	o.File = make([]byte, 64<<10)
	_, err = Submit(t.Context(), a.space(t, ClientRole), o, coordination())
	if full := new(bus.FullError); !errors.As(err, &full) {
		t.Errorf("%v, want that the store is full", err)
	}
}

// liar answers every task of a kind with a lie, and leaves others alone.
func (a *arena) liar(t *testing.T, host string, lie func(*shardTask) *shardResult) {
	t.Helper()
	w, ctx := a.worker(t, WorkerRole, host), t.Context()
	space, liar := w.space, &seat{worker: w, name: seatName(WorkerRole + "." + host + ".cpu")}
	done := make(chan struct{})
	t.Cleanup(func() { <-done })
	go func() {
		defer close(done)
		for ctx.Err() == nil && space.excluded(ctx, liar.name.worker()) == nil {
			given, err := liar.ask(ctx)
			if given == nil || err != nil {
				time.Sleep(5 * time.Millisecond)
				continue
			}
			task, err := given.task()
			must(t, err)
			result := lie(task)
			if result == nil {
				must(t, given.back(ctx, 0))
				continue
			}
			must(t, space.report(ctx, resultKey(task.Job, task.tag(), task.Shard, liar.name), result))
			_ = given.done(ctx)
		}
	}()
}

// expectExcluded waits for a worker to be excluded, with a reason that contains why.
func (a *arena) expectExcluded(t *testing.T, worker, why string) {
	t.Helper()
	list, err := a.space(t, ClientRole).Exclusions(t.Context())
	must(t, err)
	if len(list) != 1 || list[0].Worker != worker || !strings.Contains(list[0].Why, why) {
		t.Errorf("excluded: %+v, want %s with words %q", list, worker, why)
	}
}

// A worker that answers as no honest worker would is named and excluded, and the proof comes from the others.
func TestLiars(t *testing.T) {
	wrongCap := make([]byte, 2*32)
	for name, tc := range map[string]struct {
		lie    func(a *arena, task *shardTask) *shardResult
		why    string
		proves bool // it lies in phase 2
	}{
		"an empty cap": {func(_ *arena, task *shardTask) *shardResult {
			return only(task.Common == nil, &shardResult{Cap: []byte{1}})
		}, "its cap has 1 bytes, want", false},
		"a cap of nothing": {func(_ *arena, task *shardTask) *shardResult {
			return only(task.Common == nil && task.Shard == 1, &shardResult{Cap: wrongCap})
		}, "its cap is not that of the run's columns", false},
		"another cap than it should": {func(_ *arena, task *shardTask) *shardResult {
			return only(task.Common != nil, &shardResult{Cap: wrongCap})
		}, "it commits to other columns than those of the run", true},
		"nothing": {func(_ *arena, task *shardTask) *shardResult {
			return only(task.Common != nil, &shardResult{})
		}, "neither a proof nor another cap", true},
		"a file that is no proof": {func(a *arena, task *shardTask) *shardResult {
			return only(task.Common != nil, a.stored([]byte("proof")))
		}, "its proof cannot be read", true},
		"a proof of another run": {func(a *arena, task *shardTask) *shardResult {
			return a.forged(task, 72, func(*protocol.Proof) {})
		}, "its proof has another cap", true},
		"a proof with another sum": {func(a *arena, task *shardTask) *shardResult {
			return a.forged(task, 71, func(p *protocol.Proof) { p.Claimed[0][0]++ })
		}, "its proof does not verify", true},
		"a proof of other instances": {func(a *arena, task *shardTask) *shardResult {
			return a.forged(task, 71, func(p *protocol.Proof) { p.Instances[0].LogHeight++ })
		}, "its proof has other instances than the run", true},
		"a proof that states something else": {func(a *arena, task *shardTask) *shardResult {
			return a.forged(task, 71, func(p *protocol.Proof) { p.Public.Values[0]++ })
		}, "its proof states something else than the run", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := cluster(t)
			a.t, a.objects = t, a.space(t, WorkerRole).objects
			lied := make(chan struct{})
			var once atomic.Bool
			a.liar(t, "liar", func(task *shardTask) *shardResult {
				result := tc.lie(a, task)
				if result != nil && once.CompareAndSwap(false, true) {
					close(lied)
				}
				return result
			})
			honest := a.worker(t, WorkerRole, "honest")
			honest.options.Devices[0].WaitingBytes = 0 // so that it keeps one shard, and any seat can prove the others
			taken := 0
			honest.at = func(step string) bool {
				if step == "taken" {
					if taken++; taken > 3 {
						afterwards(t, lied)
					}
				}
				return false
			}
			options := coordination()
			options.Sticky = 0
			o := order(t, 71, 60, 3)
			c := a.submit(t, o, options)
			if tc.proves {
				running(t, honest)
			} else { // an honest worker that held a task until the lie might hold the one that the liar lies about
				go func() {
					if afterwards(t, lied) {
						running(t, honest)
					}
				}()
			}
			proves(t, c, o)
			a.expectExcluded(t, "worker.liar", tc.why)
		})
	}
}

// afterwards waits for an event, and returns false if the test ends first.
func afterwards(t *testing.T, event <-chan struct{}) bool {
	select {
	case <-event:
		return true
	case <-t.Context().Done():
		return false
	}
}

func only(when bool, result *shardResult) *shardResult {
	if when {
		return result
	}
	return nil
}

// forged returns a result with a changed proof of the shard, in the run of a seed under the common challenges.
func (a *arena) forged(task *shardTask, seed uint64, change func(*protocol.Proof)) *shardResult {
	if task.Common == nil {
		return nil
	}
	proof, err := proofUnder(order(a.t, seed, 60, 3), task.Shard, *task.Common)
	if err != nil {
		panic(err)
	}
	change(proof)
	encoded, err := proof.MarshalBinary()
	if err != nil {
		panic(err)
	}
	return a.stored(encoded)
}

// proofUnder proves one shard under the given challenges, regardless of the other shards.
func proofUnder(o *Order, number int, common protocol.Common) (*protocol.Proof, error) {
	program, err := build(o.Machine, nil)
	if err != nil {
		return nil, err
	}
	w, err := newWork(program, o.Params)
	if err != nil {
		return nil, err
	}
	o.Input.MinLogHeight, o.Input.Pool = o.Params.MinLogHeight, parallel.New(1)
	if err := w.begin(context.Background(), evenly(o, o.Input)); err != nil {
		return nil, err
	}
	d := &desk{device: device("forge")}
	s, err := d.begin(context.Background(), "", w, number, nil)
	if err != nil {
		return nil, err
	}
	proof, _, err := s.prove(common)
	return proof, err
}

// stored returns a result with these bytes as its proof.
func (a *arena) stored(data []byte) *shardResult {
	digest, err := a.objects.Put(context.Background(), data)
	if err != nil {
		panic(err)
	}
	return &shardResult{Proof: &digest}
}

// A worker that proves another run, with shards that are valid one by one, is found because the sums do not cancel: the
// coordinator commits to every shard.
func TestAudit(t *testing.T) {
	a := cluster(t)
	other := a.worker(t, WorkerRole, "other")
	other.programs.build = func(name string, file []byte) (run.Program, error) {
		program, err := build(name, file)
		if err != nil {
			return nil, err
		}
		return &otherRun{program, program.Fillers().Mutable()}, nil
	}
	o := order(t, 81, 60, 2)
	c := a.submit(t, o, coordination())
	committed := make(chan struct{})
	var steps atomic.Int32
	other.at = func(step string) bool {
		if step == "acknowledged" && steps.Add(1) == 4 { // two shards in two phases
			close(committed)
		}
		return false
	}
	go func() {
		<-committed
		running(t, a.worker(t, WorkerRole, "honest"))
	}()
	running(t, other)
	proves(t, c, o)
	a.expectExcluded(t, "worker.other", "its cap is not that of the run's columns")
}

// otherRun runs another seed than the requested one, and claims the requested statement.
type otherRun struct {
	run.Program
	mutable *machine.Fillers
}

func (r *otherRun) Fillers() *machine.Fillers { return r.mutable }

func (r *otherRun) Run(ctx context.Context, in run.Input) (*run.Run, error) {
	truth, err := r.Program.Run(ctx, in)
	if err != nil {
		return nil, err
	}
	claim := truth.Public()
	in.Seed++
	list, err := run.Shards(ctx, r.Program, in, in.Cut)
	if err != nil {
		return nil, err
	}
	for i := range list {
		cheat := &machine.Mutated{Execution: list[i].Execution, Claim: &claim, Shape: truth.Instances[i]}
		list[i] = cheat.InPlaceOf(list[i])
	}
	return run.Known(claim, list...), nil
}

// Results of a worker that is excluded are ignored.
func TestWhoIsExcludedIsNotHeard(t *testing.T) {
	c := &Coordinator{id: "job", out: map[string]bool{"worker.liar": true}, results: map[string]*shardResult{
		resultKey("job", commitTag, 1, "worker.liar.cpu"):   {},
		resultKey("job", commitTag, 1, "worker.honest.cpu"): {},
		resultKey("job", commitTag, 11, "worker.other.cpu"): {},
	}}
	if heard := c.reports(commitTag, 1); len(heard) != 1 || heard[0].seat != "worker.honest.cpu" {
		t.Errorf("heard are %v, want the honest worker alone", heard)
	}
}

// A state can only be replaced by a coordinator that has read its current revision.
func TestStatesChangeFromWhatWasSeen(t *testing.T) {
	space := cluster(t).space(t, ClientRole)
	change := func(revision uint64, want bool) {
		t.Helper()
		done, err := space.change(t.Context(), "job", &State{Status: statusRunning}, revision)
		must(t, err)
		if done != want {
			t.Errorf("a change of revision %d: %v, want %v", revision, done, want)
		}
	}
	change(0, true)
	change(0, false)
	_, seen, err := space.state(t.Context(), "job")
	must(t, err)
	change(seen, true)
	change(seen, false)
}
