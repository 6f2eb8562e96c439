package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/roster"
	"github.com/chiasmus/chiasmus/internal/bus/server"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/shard"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refuses fails the test unless err contains words.
func refuses(t testing.TB, err error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("%v, want words with %q", err, words)
	}
}

// testParams have no security.
func testParams(t testing.TB) protocol.Params {
	t.Helper()
	preset, err := protocol.PresetByName("test")
	must(t, err)
	return preset.Params
}

// build makes the machine of these tests, a tour, which no command offers.
func build(name string, _ []byte) (run.Program, error) {
	if name != "tour" {
		return nil, fmt.Errorf("no machine %s here", name)
	}
	program, err := tour.New(tour.Sample())
	return plannedTour{program}, err
}

// plannedTour keeps only the public values and the instances of a planned run.
type plannedTour struct{ run.Program }

func (p plannedTour) Run(ctx context.Context, in run.Input) (*run.Run, error) {
	if len(in.Data) > 0 { // of a node: its seed
		in.Size, in.Seed, in.Data = 60, uint64(in.Data[0]), nil
	}
	r, err := p.Program.Run(ctx, in)
	if err != nil || !in.Plan {
		return r, err
	}
	list, err := r.List()
	for i, shard := range list {
		kept := *shard
		kept.Execution = planned{public: shard.Public(), instances: shard.Instances()}
		list[i] = &kept
	}
	return run.Known(r.Expected, list...), err
}

// planned is an execution that fills nothing.
type planned struct {
	machine.OnHost
	public    circuit.Public
	instances []circuit.Instance
}

func (p planned) Public() circuit.Public        { return p.public }
func (p planned) Instances() []circuit.Instance { return p.instances }
func (planned) Records() [][]uint64             { return nil }

// order returns an order for the walk of a seed.
func order(t testing.TB, seed uint64, steps, shards int) *Order {
	t.Helper()
	return &Order{
		Machine: "tour", Input: run.Input{Size: steps, Seed: seed}, Params: testParams(t),
		Cut: func(int) int { return shards },
	}
}

// evenly sets an input to be cut evenly once the size of its run is known.
func evenly(o *Order, input run.Input) run.Input {
	input.Plan = false
	input.Cut = run.Parts(func(size int) []int {
		if o.Shards > 0 {
			return run.EvenParts(o.Shards)
		}
		return run.EvenParts(o.Cut(size))
	})
	return input
}

// alone returns the proof of an order that one process makes.
func alone(t testing.TB, o *Order) []byte {
	t.Helper()
	program, err := build(o.Machine, nil)
	must(t, err)
	w, err := newWork(program, o.Params)
	must(t, err)
	input := o.Input
	input.MinLogHeight, input.Pool = o.Params.MinLogHeight, parallel.New(1)
	must(t, w.begin(t.Context(), evenly(o, input)))
	p := shard.New(w.key, program.Fillers(), []backend.Backend{cpu.New(parallel.New(1))},
		shard.Options{WaitingBytes: math.MaxUint64})
	set, _, err := p.Prove(t.Context(), run.Known(w.public(), w.shards.known()...))
	must(t, err)
	must(t, p.Close())
	encoded, err := set.MarshalBinary()
	must(t, err)
	return encoded
}

// generous bounds what happens sooner even on a busy host: it only ends tests that fail.
const generous = 5 * time.Minute

// quick returns limits with short leases.
func quick() Limits {
	return Limits{StoreBytes: 256 << 20, Expiry: time.Hour, Lease: 200 * time.Millisecond}
}

// patient returns limits with leases that do not expire within a test.
func patient() Limits {
	limits := quick()
	limits.Lease = generous
	return limits
}

// arena is a server with a cluster.
type arena struct {
	*server.Server // nil if it is another process
	url, folder    string

	t       testing.TB   // of liars, with what they store
	objects *bus.Objects // of one worker
}

// URL returns the server's URL.
func (a *arena) URL() string {
	if a.Server == nil {
		return a.url
	}
	return a.Server.URL()
}

// Credential returns the path of a role's credential.
func (a *arena) Credential(role string) string {
	if a.Server == nil {
		return roster.File(filepath.Join(a.folder, "credentials"), role)
	}
	return a.Server.Credential(role)
}

func serve(t testing.TB, listen, folder string, workers ...string) *arena {
	t.Helper()
	s, err := server.Start(serverOptions(listen, folder, workers...))
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return &arena{Server: s}
}

func serverOptions(listen, folder string, workers ...string) server.Options {
	return server.Options{
		Listen: listen, Folder: folder, Kinds: Kinds(), Ordering: Ordering(), Members: Members(workers...),
		StoreBytes: 1 << 30,
	}
}

// prepared makes a cluster in a server, and gives out its tasks until the test or the server ends.
func (a *arena) prepared(t testing.TB, limits Limits) *Space {
	t.Helper()
	b, err := a.Inside()
	must(t, err)
	t.Cleanup(b.Close)
	space, err := Make(t.Context(), b, limits)
	must(t, err)
	go func() { _ = space.Dispatch(t.Context()) }()
	for _, subject := range []string{askSubjects, answerSubjects} { // a request before Dispatch listens is lost
		for {
			_, err := b.Conn.Request(subject+"nobody", nil, generous)
			if err == nil {
				break
			}
			if !errors.Is(err, nats.ErrNoResponders) && !errors.Is(err, nats.ErrTimeout) || t.Context().Err() != nil {
				t.Fatalf("%s: %v", subject, err)
			}
			time.Sleep(time.Millisecond)
		}
	}
	return space
}

// cluster starts a server with a cluster of short leases.
func cluster(t testing.TB, workers ...string) *arena {
	t.Helper()
	return clusterOf(t, quick(), workers...)
}

func clusterOf(t testing.TB, limits Limits, workers ...string) *arena {
	t.Helper()
	a := serve(t, "127.0.0.1:0", t.TempDir(), workers...)
	a.prepared(t, limits)
	return a
}

func (a *arena) dial(t testing.TB, role string) *bus.Bus {
	t.Helper()
	b, err := a.dialAs(role, role)
	must(t, err)
	t.Cleanup(b.Close)
	return b
}

// dialAs connects under a name.
func (a *arena) dialAs(role, name string) (*bus.Bus, error) {
	return bus.Dial(bus.Options{URL: a.URL(), Credential: a.Credential(role), Name: name})
}

func (a *arena) space(t testing.TB, role string) *Space {
	t.Helper()
	s, err := Open(t.Context(), a.dial(t, role))
	must(t, err)
	return s
}

// device returns a CPU device with memory for a number of tours.
func device(name string) Device {
	return Device{Name: name, Backend: cpu.New(parallel.New(1)), WaitingBytes: 1 << 30}
}

// worker returns a worker that has not started.
func (a *arena) worker(t testing.TB, role, host string, devices ...Device) *Worker {
	t.Helper()
	if len(devices) == 0 {
		devices = []Device{device("cpu")}
	}
	w, err := NewWorker(a.space(t, role), WorkerOptions{
		Name: role, Host: host, Devices: devices, Build: build, Workers: 1,
		Log: func(line string) { t.Log(line) },
	})
	must(t, err)
	return w
}

// running runs a worker until the test or the worker ends; the channel then delivers its error.
func running(t testing.TB, w *Worker) <-chan error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	done := make(chan struct{})
	go func() { defer close(done); ended <- w.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return ended
}

// taken returns a seat's next task. The server gives out a task only a moment after the queue has it.
func taken(t testing.TB, s *seat) *lease {
	t.Helper()
	for end := time.Now().Add(generous); ; time.Sleep(time.Millisecond) {
		given, err := s.ask(t.Context())
		if given != nil {
			return given
		}
		if time.Now().After(end) {
			t.Fatalf("seat %s gets no task: %v", s.name, err)
		}
	}
}

func coordination() CoordinatorOptions {
	return CoordinatorOptions{
		Build: build, Workers: 1, Judge: cpu.New(parallel.New(1)), Sticky: time.Second, Poll: 50 * time.Millisecond,
	}
}

// submit requests a proof.
func (a *arena) submit(t testing.TB, o *Order, options CoordinatorOptions) *Coordinator {
	t.Helper()
	c, err := Submit(t.Context(), a.space(t, ClientRole), o, options)
	must(t, err)
	return c
}

// proves fails the test unless the coordinator's proof equals that of one process.
func proves(t testing.TB, c *Coordinator, o *Order) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), generous)
	defer cancel()
	set, err := c.Prove(ctx)
	must(t, err)
	encoded, err := set.MarshalBinary()
	must(t, err)
	if !bytes.Equal(encoded, alone(t, o)) {
		t.Error("the proof is another than that of one process")
	}
}

// One job, on workers with several devices: the proof equals that of one process, byte for byte. A second request
// gets the same job, which is done.
func TestProof(t *testing.T) {
	a := cluster(t)
	running(t, a.worker(t, WorkerRole, "one", device("left"), device("right")))
	running(t, a.worker(t, WorkerRole, "two"))
	o := order(t, 7, 100, 5)
	options := coordination()
	options.Progress = func(e Event) { t.Logf("%+v", e) }
	first := a.submit(t, o, options)
	proves(t, first, o)

	again := a.submit(t, order(t, 7, 100, 5), options)
	if again.ID() != first.ID() {
		t.Error("the same request is another job")
	}
	proves(t, again, o)
	jobs, err := a.space(t, ClientRole).Jobs(t.Context())
	must(t, err)
	if len(jobs) != 1 || jobs[0].ID != first.ID() || jobs[0].Status != statusDone {
		t.Errorf("jobs %+v", jobs)
	}
	if other := a.submit(t, order(t, 8, 100, 5), options); other.ID() == first.ID() {
		t.Error("another request is the same job")
	}
}

// waiting is a program whose runs wait for something.
type waiting struct {
	run.Program
	until func() error
}

func (w *waiting) Run(ctx context.Context, input run.Input) (*run.Run, error) {
	if err := w.until(); err != nil {
		return nil, err
	}
	return w.Program.Run(ctx, input)
}

// If the order states the number of shards, workers begin before the coordinator has run the program. If the
// coordinator then rejects the run, the job fails, unless another process requested it too.
func TestAnnouncedJobs(t *testing.T) {
	a := cluster(t)
	w := a.worker(t, WorkerRole, "one")
	committed, over := make(chan struct{}, 1), make(chan struct{}) // workers report commitments until the end
	w.at = func(step string) bool {
		if step == "committed" {
			select {
			case committed <- struct{}{}:
			default:
			}
		}
		return false
	}
	running(t, w)
	o := order(t, 9, 100, 3)
	o.Shards = 3
	options := coordination()
	refusal := error(nil)
	options.Build = func(name string, file []byte) (run.Program, error) {
		program, err := build(name, file)
		return &waiting{program, func() error {
			select {
			case <-committed:
				return refusal
			case <-over:
				return refusal
			case <-time.After(generous):
				return errors.New("no worker committed")
			}
		}}, err
	}
	first := a.submit(t, o, options)
	proves(t, first, o)

	space := a.space(t, ClientRole)
	refusal = errors.New("it ends with another exit code")
	again := order(t, 10, 100, 3)
	again.Shards = 3
	_, err := Submit(t.Context(), space, again, options)
	refuses(t, err, "another exit code")
	jobs, err := space.Jobs(t.Context())
	must(t, err)
	if len(jobs) != 2 || jobs[0].Status != statusFailed || jobs[0].Why != refusal.Error() || jobs[1].Status != statusDone {
		t.Errorf("jobs %+v", jobs)
	}
	close(over)
	o.Check = func(circuit.Public) error { return refusal }
	options.Build = build
	if _, err := Submit(t.Context(), space, o, options); err == nil || err.Error() != refusal.Error() {
		t.Errorf("a job that is done is refused by %v", err)
	}
	if state, _, err := space.state(t.Context(), first.ID()); err != nil || state.Status != statusDone {
		t.Errorf("the first job is %s, %v", state.Status, err)
	}
	o.Shards = 1
	_, err = Submit(t.Context(), space, o, options)
	refuses(t, err, "1 shards, want 2 to 256")
}

func TestWorkersThatAreNone(t *testing.T) {
	for name, tc := range map[string]struct {
		options WorkerOptions
		want    string
	}{
		"a name of two words": {WorkerOptions{Name: "a.b", Host: "h"}, `"a.b": want 1 to 64`},
		"no host":             {WorkerOptions{Name: "a"}, `"": want 1 to 64`},
		"no device":           {WorkerOptions{Name: "a", Host: "h"}, "at least one device"},
		"a device's name":     {WorkerOptions{Name: "a", Host: "h", Devices: []Device{device("*")}}, `device "*"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := NewWorker(nil, tc.options)
			refuses(t, err, tc.want)
		})
	}
}
