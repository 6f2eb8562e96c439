package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/protocol/soundness"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// start makes an engine ready for the workload: for whole proofs, or for runs in shards. once reports that the process
// makes one proof.
func (p *program) start(ctx context.Context, work *workload, f *backendFlags, once bool) (*engine, error) {
	if work.shards.given() {
		e, _, err := p.startShards(ctx, work, f)
		return e, err
	}
	return p.startWhole(ctx, work, f, once)
}

// startWhole opens the backend that the flags name, and makes it ready for whole proofs of the workload. once reports
// that the process makes one proof. With auto, startWhole takes the first backend of the binary that opens and has
// enough memory, and prints its choice and why earlier ones failed; if a flag names a device, startWhole takes that
// device's backend. Canceling the context ends a program's planning run.
func (p *program) startWhole(ctx context.Context, work *workload, f *backendFlags, once bool) (*engine, error) {
	options, err := p.check(f)
	if err != nil {
		return nil, err
	}
	options.Once, options.Span, options.Fillers = once, p.timeline.span, work.program.Fillers()
	work.pool = options.Pool
	ctx, cancel := context.WithCancel(ctx)
	derived := p.derive(ctx, work)
	defer func() {
		cancel()
		_, _ = derived() // wait for it; where its error matters, it is returned below
	}()
	b, because, err := p.required(f, "")
	if err != nil {
		return nil, err
	}
	if b != nil {
		e, err := p.startOn(b, work, f, options, f.onDeviceError == "cpu", derived)
		var workload *workloadError
		if errors.As(err, &workload) {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", because, err)
		}
		return e, nil
	}
	var failures []error
	for i := range p.backends {
		b := &p.backends[i]
		e, err := p.startOn(b, work, f, options, false, derived)
		var workload *workloadError
		if errors.As(err, &workload) {
			return nil, err
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", b.Name, err))
			continue
		}
		if len(failures) == 0 {
			fmt.Fprintf(p.stderr, "backend: auto chose %s\n", b.Name)
		} else {
			fmt.Fprintf(p.stderr, "backend: auto chose %s (%s)\n", b.Name, inShort(failures))
		}
		return e, nil
	}
	return nil, fmt.Errorf("--backend auto: no backend can run here: %w", errors.Join(failures...))
}

// inShort returns the first sentence of each failure. The rest, with advice and paths searched, is for users who name
// the backend.
func inShort(failures []error) string {
	lines := make([]string, len(failures))
	for i, err := range failures {
		line, _, _ := strings.Cut(err.Error(), "\n")
		line, _, _ = strings.Cut(line, ". ")
		lines[i] = strings.TrimSuffix(line, ".")
	}
	return strings.Join(lines, "; ")
}

// workloadError is a failure that no other backend would avoid.
type workloadError struct{ error }

func (e *workloadError) Unwrap() error { return e.error }

// startOn opens one backend while derive runs concurrently, and makes the backend ready. With forgive, a device that
// fails meanwhile is not an error: the CPU makes proofs until the device succeeds.
func (p *program) startOn(b *Backend, work *workload, f *backendFlags, options BackendOptions, forgive bool,
	derive func() (*derived, error)) (_ *engine, err error) {
	opened, err := b.Open(options)
	if err != nil {
		return nil, err
	}
	e := &engine{work: work, devices: []backend.Backend{opened}, log: p.stderr, traceOut: f.traceOut}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.close())
		}
	}()
	known, err := derive()
	if err != nil {
		return nil, &workloadError{err}
	}
	e.statement, e.key = known.statement, known.key
	if f.onDeviceError == "cpu" && b.Name != "cpu" {
		e.standIn = p.newStandIn(e, options, known.instances)
	}
	instances, public := known.instances, known.public
	w, err := e.newWholeProver(opened, instances)
	if err != nil {
		return nil, err
	}
	w.timeline = &p.timeline
	e.prover, e.ready = w, w
	if err = w.Check(instances, public); err != nil {
		return nil, &workloadError{weakerAllowed(withRoom(err, b, e.key, work, instances, public))}
	}
	err = fits(b, e.work.program.Fillers(), e.key, instances)
	if err = withRoom(err, b, e.key, work, instances, public); err != nil {
		return nil, err
	}
	end := p.timeline.span("open_prover")
	err = withRoom(w.Open(instances), b, e.key, work, instances, public)
	end()
	switch {
	case err == nil:
		return e, nil
	case !e.failed(err):
		return nil, &workloadError{err}
	case !forgive:
		return nil, err
	}
	fmt.Fprintf(p.stderr, "backend: %s cannot get ready (%v); the CPU proves instead until it can\n", b.Name, err)
	instead, err := e.standIn.ready()
	if err != nil {
		return nil, err
	}
	if err = errors.Join(instead.Check(instances, public), instead.Open(instances)); err != nil {
		return nil, err
	}
	e.ready = instead
	return e, nil
}

// derived is the information about a workload before its first proof.
type derived struct {
	key       *protocol.Key
	statement [32]byte
	instances []circuit.Instance
	public    circuit.Public
}

// derive starts to derive the key and, concurrently, the workload's statement and shape, which may require a run. The
// function that it returns waits for both.
func (p *program) derive(ctx context.Context, work *workload) func() (*derived, error) {
	ctx, cancel := context.WithCancel(ctx)
	known := new(derived)
	var failed, unshaped error
	var both sync.WaitGroup
	both.Go(func() {
		defer p.timeline.span("plan")()
		known.statement, known.instances, known.public, unshaped = work.shape(ctx)
	})
	both.Go(func() {
		defer p.timeline.span("key")()
		if known.key, failed = setup.NewKey(work.program.Machine(), work.params); failed != nil {
			cancel()
		}
	})
	return sync.OnceValues(func() (*derived, error) {
		both.Wait()
		cancel()
		return known, cmp.Or(failed, unshaped)
	})
}

// fits checks whether a proof on the CPU fits the host's available memory. Devices check their own memory.
func fits(b *Backend, fillers *machine.Fillers, key *protocol.Key, instances []circuit.Instance) error {
	have := availableMemory()
	if b.Name != "cpu" || b.Predict == nil || have == 0 || key.CheckInstances(instances) != nil {
		return nil
	}
	peak, err := b.Predict(fillers, key.Shape(instances))
	if err == nil && peak > have {
		return &tooLarge{backend.MemoryError{NeedBytes: peak, HaveBytes: have}}
	}
	return err
}

// tooLarge reports that a proof does not fit the host's memory.
type tooLarge struct{ memory backend.MemoryError }

func (e *tooLarge) Error() string {
	return fmt.Sprintf("a proof of this size takes %s of memory, and %s are available", bytesText(e.memory.NeedBytes),
		bytesText(e.memory.HaveBytes))
}

func (e *tooLarge) Unwrap() error { return &e.memory }

// weakerAllowed adds the flag that would allow the proof to an error about too few bits.
func weakerAllowed(err error) error {
	var short *soundness.ShortError
	if errors.As(err, &short) && short.Why == "" {
		return fmt.Errorf("%w (--min-bits %d would allow it; other --params may prove more)", err, short.Have)
	}
	return err
}

// shape returns the workload's statement, in its class form if inputs are synthetic and exact for a file, the
// instances, and the public values of the statement. A program that cannot derive its instances from a size is run
// once.
func (w *workload) shape(ctx context.Context) (statement [32]byte, instances []circuit.Instance, public circuit.Public,
	err error) {
	if w.sized() {
		public.Values = make([]goldilocks.Element, len(w.program.Machine().PublicNames))
		instances, err = estimate(w.program, w.size, w.params.MinLogHeight)
		return circuit.ClassStatement(w.program, w.size), instances, public, err
	}
	r, err := w.planned(ctx, run.Cut{})
	if err != nil {
		return statement, nil, public, err
	}
	instances, public = r.Instances[0], r.Public()
	size, err := w.program.Size(public, instances)
	return w.statement(public, size), instances, public, err
}

// statement returns the statement of a run of a size: exact, or in its class form if inputs are synthetic.
func (w *workload) statement(public circuit.Public, size int) [32]byte {
	if w.synthetic() {
		return circuit.ClassStatement(w.program, size)
	}
	return circuit.ExactStatement(w.program, public, size)
}
