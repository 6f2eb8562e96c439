package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// nodeProof is the proof that one process makes of the node with this seed.
func nodeProof(t testing.TB, seed byte) []byte {
	t.Helper()
	w := nodeWork(t)
	r, err := w.program.Run(t.Context(), run.Input{Data: []byte{seed}, MinLogHeight: w.key.Params.MinLogHeight,
		Pool: parallel.New(1)})
	must(t, err)
	execution, err := r.Execution()
	must(t, err)
	p, err := prove.NewProver(w.key, w.program.Fillers(), cpu.New(parallel.New(1)), backend.Budget{})
	must(t, err)
	defer p.Close()
	proof, _, err := p.Prove(t.Context(), execution, prove.Options{})
	must(t, err)
	encoded, err := proof.MarshalBinary()
	must(t, err)
	return encoded
}

func nodeWork(t testing.TB) *work {
	t.Helper()
	program, err := build("tour", nil)
	must(t, err)
	w, err := newWork(program, testParams(t))
	must(t, err)
	return w
}

// nodeOf is the node with this seed. Its proof is verified, and compared with that of one process.
func nodeOf(t testing.TB, seed byte) NodeRun {
	t.Helper()
	w, want := nodeWork(t), nodeProof(t, seed)
	return NodeRun{Key: w.key, Input: []byte{seed}, Check: func(proof []byte) error {
		decoded := new(protocol.Proof)
		if err := decoded.UnmarshalBinary(proof); err != nil {
			return err
		}
		if err := verify.Proof(decoded, w.key); err != nil {
			return err
		}
		if !bytes.Equal(proof, want) {
			return errors.New("it states something else")
		}
		return nil
	}}
}

// nodes starts the job of an aggregation.
func (a *arena) nodes(t testing.TB, of string) *Nodes {
	t.Helper()
	options := coordination()
	options.Progress = func(e Event) { t.Logf("%+v", e) }
	n, err := StartNodes(t.Context(), a.space(t, ClientRole), NodesOrder{Machine: "tour", Of: of, Title: "nodes"}, options)
	must(t, err)
	return n
}

// provesNodes asks for nodes at once.
func provesNodes(t testing.TB, n *Nodes, seeds ...byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), generous)
	defer cancel()
	var asked sync.WaitGroup
	for _, seed := range seeds {
		r := nodeOf(t, seed)
		asked.Go(func() {
			proof, err := n.Prove(ctx, r)
			if err == nil {
				err = r.Check(proof)
			}
			if err != nil {
				t.Errorf("node %d: %v", seed, err)
			}
		})
	}
	asked.Wait()
}

// Nodes are proven by several seats, beside shards. The same order finds them again without a worker.
func TestNodes(t *testing.T) {
	a := cluster(t)
	ctx, cancel := context.WithCancel(t.Context())
	one := a.worker(t, WorkerRole, "one", device("left"), device("right"))
	ended := make(chan error, 1)
	go func() { ended <- one.Run(ctx) }()
	n := a.nodes(t, "sample")
	must(t, n.Try(t.Context(), nodeOf(t, 1)))
	o := order(t, 7, 100, 3)
	shards := make(chan struct{})
	c := a.submit(t, o, coordination())
	go func() { defer close(shards); proves(t, c, o) }()
	provesNodes(t, n, 1, 2, 3, 4)
	<-shards
	must(t, n.End(t.Context(), nil))
	jobs, err := a.space(t, ClientRole).Jobs(t.Context())
	must(t, err)
	if len(jobs) != 2 || jobs[1].ID != n.ID() || jobs[1].Title != "nodes" || jobs[1].Status != statusDone {
		t.Errorf("jobs %+v", jobs)
	}
	cancel()
	must(t, <-ended)
	again := a.nodes(t, "sample")
	if again.ID() != n.ID() || a.nodes(t, "other").ID() == n.ID() {
		t.Error("jobs of equal orders differ, or those of others do not")
	}
	provesNodes(t, again, 3, 1)
	// The job that was done runs again, so that workers prove further nodes.
	jobs, err = a.space(t, ClientRole).Jobs(t.Context())
	must(t, err)
	for _, job := range jobs {
		if job.ID == again.ID() && job.Status != statusRunning {
			t.Errorf("started again, the job is %s, want %s", job.Status, statusRunning)
		}
	}
	running(t, a.worker(t, WorkerRole, "two"))
	provesNodes(t, again, 5)
}

// If a worker process is killed, at any step of a node, another worker gets the node.
func TestKilledWorkersOfNodes(t *testing.T) {
	for _, step := range []string{"taken", "ran", "proven", "stored", "reported", "acknowledged"} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			a := cluster(t)
			killed, lines := process(t, "worker", a.URL(), a.Credential(WorkerRole), step)
			until(t, lines, "ready")
			died := make(chan error, 1)
			go func() {
				for lines.Scan() {
				}
				died <- killed.Wait()
			}()
			heir := make(chan struct{})
			go func() {
				defer close(heir)
				err := <-died
				if state := killed.ProcessState; err == nil || state.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
					t.Errorf("the worker ended otherwise than by the kill: %v", state)
				}
				running(t, a.worker(t, WorkerRole, "heir"))
			}()
			provesNodes(t, a.nodes(t, step), 1, 2)
			<-heir
		})
	}
}

// A worker that answers for a node as no honest worker would is excluded, and the proof comes from another.
func TestLiarsOfNodes(t *testing.T) {
	for name, tc := range map[string]struct {
		lie func(a *arena) *shardResult
		why string
	}{
		"nothing":                 {func(*arena) *shardResult { return &shardResult{} }, "it returned no proof of a node"},
		"a file that is no proof": {func(a *arena) *shardResult { return a.stored([]byte("proof")) }, "is not valid"},
		"a proof of another node": {func(a *arena) *shardResult { return a.stored(nodeProof(t, 9)) },
			"it states something else"},
		"a changed proof": {func(a *arena) *shardResult {
			proof := nodeProof(t, 1)
			proof[len(proof)-100] ^= 1
			return a.stored(proof)
		}, "is not valid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := cluster(t)
			a.t, a.objects = t, a.space(t, WorkerRole).objects
			lied := make(chan struct{})
			var once atomic.Bool
			result := tc.lie(a)
			a.liar(t, "liar", func(task *shardTask) *shardResult {
				if task.Node == nil {
					t.Errorf("a task %+v", task)
				}
				if once.CompareAndSwap(false, true) {
					close(lied)
				}
				return result
			})
			go func() {
				<-lied
				running(t, a.worker(t, WorkerRole, "honest"))
			}()
			provesNodes(t, a.nodes(t, name), 1)
			a.expectExcluded(t, "worker.liar", tc.why)
		})
	}
}

// Duplicated and lost tasks of nodes change nothing.
func TestDuplicatedAndLostNodes(t *testing.T) {
	a := cluster(t)
	n, space := a.nodes(t, "lost"), a.space(t, ClientRole)
	go func() {
		for range 3 {
			for queued(t, space) == 0 {
				time.Sleep(time.Millisecond)
			}
			must(t, space.tasks.Purge(t.Context()))
		}
		input, err := space.objects.Put(t.Context(), []byte{1})
		must(t, err)
		w := nodeWork(t)
		task := &shardTask{Job: n.ID(), Node: &wholeRun{Machine: "tour", Program: n.program, Key: keyText(w.key),
			Input: input, Params: w.key.Params}}
		for attempt := range 2 {
			encoded, err := json.Marshal(task)
			must(t, err)
			subject := fmt.Sprintf("%s.%s.0.%d", anySubject(n.ID()), task.tag(), 90+attempt)
			encoded, err = space.bus.Seal(subject, time.Now().Add(time.Hour), encoded)
			must(t, err)
			_, err = space.bus.JetStream.Publish(t.Context(), subject, encoded)
			must(t, err)
		}
		running(t, a.worker(t, WorkerRole, "one", device("left"), device("right")))
	}()
	provesNodes(t, n, 1)
}

// A node that fits no device is an error that says so, whether it is tried or proven. A node drops shards that wait
// where memory does not suffice for both.
func TestMemoryOfNodes(t *testing.T) {
	a := cluster(t)
	w := nodeWork(t)
	p, err := prove.NewProver(w.key, w.program.Fillers(), cpu.New(parallel.New(1)), backend.Budget{})
	must(t, err)
	r, err := w.program.Run(t.Context(), run.Input{Data: []byte{1}, MinLogHeight: w.key.Params.MinLogHeight})
	must(t, err)
	peak, err := p.Peak(r.Instances[0])
	must(t, errors.Join(err, p.Close()))
	small := device("small")
	small.WaitingBytes = peak - 1
	stop, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	tight := a.worker(t, WorkerRole, "small", small)
	go func() { ended <- tight.Run(stop) }()
	n := a.nodes(t, "memory")
	err = n.Try(t.Context(), nodeOf(t, 1))
	_, other := n.Prove(t.Context(), nodeOf(t, 1))
	for _, err := range []error{err, other} {
		memory := new(backend.MemoryError)
		if !errors.As(err, &memory) || memory.NeedBytes != peak || memory.HaveBytes != peak-1 {
			t.Errorf("%v, want a memory error of %d bytes", err, peak)
		}
	}
	cancel()
	must(t, <-ended)

	enough := device("enough")
	enough.WaitingBytes = peak
	d := &desk{device: enough}
	o := order(t, 5, 60, 2)
	shards := nodeWork(t)
	input := o.Input
	input.MinLogHeight, input.Pool = o.Params.MinLogHeight, parallel.New(1)
	must(t, shards.begin(t.Context(), evenly(o, input)))
	_, err = d.begin(t.Context(), "job", shards, 0, nil)
	must(t, err)
	if _, err := d.whole(w, r.Instances[0]); err != nil || len(d.slots) != 0 || d.waiting("job", 0) != nil {
		t.Errorf("%v with %d slots, want the node in place of the shard", err, len(d.slots))
	}
	if _, err := d.begin(t.Context(), "job", shards, 0, nil); err != nil || d.node != nil {
		t.Errorf("%v, want the shard in place of the node", err)
	}
	must(t, d.close())
}

// A job of nodes that is cancelled ends, and starts again.
func TestCancelledNodes(t *testing.T) {
	a := cluster(t)
	n, space := a.nodes(t, "cancelled"), a.space(t, ClientRole)
	r := nodeOf(t, 1)
	asked := make(chan error, 1)
	go func() {
		_, err := n.Prove(t.Context(), r)
		asked <- err
	}()
	for queued(t, space) == 0 {
		time.Sleep(time.Millisecond)
	}
	must(t, space.Cancel(t.Context(), n.ID()))
	refuses(t, <-asked, "was cancelled")
	_, err := n.Prove(t.Context(), r)
	refuses(t, err, "was cancelled")
	running(t, a.worker(t, WorkerRole, "one"))
	provesNodes(t, a.nodes(t, "cancelled"), 1)
}
