package cluster

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// jobsEnv sets the number of jobs that are proven under kills; the default is sixty, and fifteen with -short.
const jobsEnv = "CHIASMUS_CLUSTER_JOBS"

// Many jobs, while workers die at random steps and others start: every proof is valid and belongs to its job, none is
// lost, and no shard is proven twice in one. Seeds are printed; CHIASMUS_CLUSTER_JOBS=1000 runs a thousand.
func TestManyJobsUnderKills(t *testing.T) {
	jobs := 60
	if testing.Short() {
		jobs = 15
	}
	if text := os.Getenv(jobsEnv); text != "" {
		n, err := strconv.Atoi(text)
		must(t, err)
		jobs = n
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d, %d jobs", seed, jobs)
	a := cluster(t)
	kills := &killer{random: rand.New(rand.NewPCG(seed, 0)), steps: map[string]int{}}
	ctx, stop := context.WithCancel(t.Context())
	var workers sync.WaitGroup
	for range 6 {
		workers.Go(func() {
			space := a.space(t, WorkerRole)
			for ctx.Err() == nil { // restarts after each kill
				w, err := NewWorker(space, WorkerOptions{
					Name: WorkerRole, Host: "mortal", Devices: []Device{device("cpu")}, Build: build, Workers: 1,
				})
				if err != nil {
					t.Error(err)
					return
				}
				w.at = kills.at
				if err := w.Run(ctx); err != nil && !errors.Is(err, errDead) {
					t.Error(err)
					return
				}
			}
		})
	}
	defer workers.Wait()
	defer stop()

	space := a.space(t, ClientRole)
	var taken atomic.Int64
	proofs := make([]*protocol.Set, jobs)
	var group errgroup.Group
	for range 6 {
		group.Go(func() error {
			for {
				i := int(taken.Add(1)) - 1
				if i >= jobs {
					return nil
				}
				options := coordination()
				options.Silent = 1000
				c, err := Submit(ctx, space, order(t, seed+uint64(i), 16, 2+i%2), options)
				if err == nil {
					proofs[i], err = c.Prove(ctx)
				}
				if err == nil {
					err = belongs(proofs[i], c)
				}
				if err != nil {
					return err
				}
			}
		})
	}
	must(t, group.Wait())
	list, err := space.Jobs(ctx)
	must(t, err)
	for _, job := range list {
		if _, proven := job.Counts(); job.Status != statusDone || proven != len(job.Shards) {
			t.Errorf("job %s is %s, with %d of %d proofs", job.ID, job.Status, proven, len(job.Shards))
		}
	}
	if len(list) != jobs {
		t.Errorf("%d jobs, want %d", len(list), jobs)
	}
	for _, step := range []string{"taken", "committed", "proven", "stored", "reported", "acknowledged"} {
		if kills.steps[step] == 0 && jobs >= 100 {
			t.Errorf("no worker was killed at step %q", step)
		}
	}
	t.Logf("killed: %v", kills.steps)
}

// belongs reports whether a set is a valid proof of a coordinator's job, with each shard at its index.
func belongs(set *protocol.Set, c *Coordinator) error {
	if err := verify.Set(set, c.Key()); err != nil {
		return err
	}
	for i, shard := range set.Shards {
		if string(shard.Public.Data) != string(c.work.public().Data) {
			return errors.New("a proof of another job")
		}
		for _, earlier := range set.Shards[:i] {
			if shard == earlier {
				return errors.New("a proof twice")
			}
		}
	}
	return nil
}

// killer kills a worker at one step of fifty.
type killer struct {
	mu     sync.Mutex
	random *rand.Rand
	steps  map[string]int
}

func (k *killer) at(step string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.random.IntN(50) > 0 {
		return false
	}
	k.steps[step]++
	return true
}
