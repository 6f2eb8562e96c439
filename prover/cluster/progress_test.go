package cluster

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/prover/run"
)

// While a job runs, its coordinator knows what each seat does and how many shards have caps and proofs. Lists show
// the same.
func TestProgress(t *testing.T) {
	a := cluster(t)
	w := a.worker(t, WorkerRole, "one")
	client := a.space(t, ClientRole)
	waits := map[string]chan struct{}{"committed": make(chan struct{}), "proven": make(chan struct{})}
	w.at = func(step string) bool { // until the progress was seen
		if seen := waits[step]; seen != nil {
			<-seen
		}
		return false
	}
	var last Progress
	seen := map[int]func(){} // by phase: the seat waits at the phase's end until then
	for phase, step := range map[int]string{1: "committed", 2: "proven"} {
		seen[phase] = sync.OnceFunc(func() {
			listed, err := client.Workers(t.Context())
			must(t, err)
			if len(listed) != 1 || listed[0].Phase() != phase || listed[0].Stage == "" || listed[0].Since.IsZero() {
				t.Errorf("in phase %d listed are %+v", phase, listed)
			}
			close(waits[step])
		})
	}
	options := coordination()
	options.Watch = func(p Progress) {
		last = p
		for _, seat := range p.Seats {
			if !strings.HasPrefix(seat.Seat, "worker/one/cpu-") {
				t.Errorf("seat %q has a task", seat.Seat)
			}
			if seat.Stage != "" {
				seen[seat.Phase()]()
			}
		}
	}
	running(t, w)
	o := order(t, 91, 60, 2)
	proves(t, a.submit(t, o, options), o)
	if last.Shards != 2 || last.Committed != 2 || last.Proven != 2 {
		t.Errorf("in the end %+v", last)
	}
}

// endless is a tour whose runs of one seed end on a worker only with their context.
type endless struct {
	run.Program
	seed  uint64
	begun chan<- struct{}
}

func (e *endless) Run(ctx context.Context, in run.Input) (*run.Run, error) {
	if in.Seed != e.seed {
		return e.Program.Run(ctx, in)
	}
	e.begun <- struct{}{}
	<-ctx.Done()
	return nil, fmt.Errorf("the run was ended: %w", ctx.Err())
}

// Workers stop working on a cancelled job, even in the middle of a step, and do the next job. A worker that is ended
// stops everything.
func TestCancelledJobsStop(t *testing.T) {
	a := cluster(t)
	w := a.worker(t, WorkerRole, "one", device("left"), device("right"))
	begun, said := make(chan struct{}, 8), make(chan string, 64)
	w.options.Log = func(line string) { said <- line }
	w.programs.build = func(name string, file []byte) (run.Program, error) {
		program, err := build(name, file)
		if err != nil {
			return nil, err
		}
		return &endless{program, 92, begun}, nil
	}
	running(t, w)
	stuck := order(t, 92, 60, 2)
	c := a.submit(t, stuck, coordination())
	ended := make(chan error, 1)
	go func() { _, err := c.Prove(t.Context()); ended <- err }()
	<-begun
	must(t, c.space.Cancel(t.Context(), c.ID()))
	for overs, deadline := 0, time.After(generous); overs == 0; {
		select {
		case line := <-said:
			if strings.Contains(line, errOver.Error()) {
				overs++
			}
		case <-deadline:
			t.Fatal("the seats go on with a cancelled job")
		}
	}
	refuses(t, <-ended, "was cancelled")
	o := order(t, 93, 60, 2)
	proves(t, a.submit(t, o, coordination()), o)

	again := a.submit(t, stuck, coordination())
	go func() { _, _ = again.Prove(t.Context()) }()
	<-begun // and the test's end waits for the worker's
}
