package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/protocol/soundness"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// start opens the backend that the flags name, makes it ready for the workload, and returns the workload's statement.
// once reports that the process makes one proof. With auto, start takes the first backend of the binary that opens and
// has enough memory, and prints its choice and why earlier ones failed; if a flag names a device, start takes that
// device's backend. Canceling the context ends a program's planning run.
func (p *program) start(ctx context.Context, work *workload, f *backendFlags,
	once bool) (e *engine, statement [32]byte, err error) {
	options, err := p.check(f)
	if err != nil {
		return nil, statement, err
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
		return nil, statement, err
	}
	if b != nil {
		e, statement, err := p.startOn(b, work, f, options, f.onDeviceError == "cpu", derived)
		var workload *workloadError
		if errors.As(err, &workload) {
			return nil, statement, err
		}
		if err != nil {
			return nil, statement, fmt.Errorf("%s: %w", because, err)
		}
		return e, statement, nil
	}
	var failures []error
	for i := range p.backends {
		b := &p.backends[i]
		e, statement, err = p.startOn(b, work, f, options, false, derived)
		var workload *workloadError
		if errors.As(err, &workload) {
			return nil, statement, err
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
		return e, statement, nil
	}
	return nil, statement, fmt.Errorf("--backend auto: no backend can run here: %w", errors.Join(failures...))
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
func (p *program) startOn(
	b *Backend, work *workload, f *backendFlags, options BackendOptions, forgive bool, derive func() (*derived, error),
) (_ *engine, statement [32]byte, err error) {
	opened, err := b.Open(options)
	if err != nil {
		return nil, statement, err
	}
	e := &engine{work: work, backend: opened, log: p.stderr, traceOut: f.traceOut}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.close())
		}
	}()
	if f.onDeviceError == "cpu" && b.Name != "cpu" {
		e.openStandIn = func() (backend.Backend, error) {
			cpu, err := p.named("cpu")
			if err != nil {
				return nil, fmt.Errorf("--on-device-error cpu: %w", err)
			}
			return cpu.Open(options)
		}
	}
	known, err := derive()
	if err != nil {
		return nil, statement, &workloadError{err}
	}
	statement, e.key, e.instances = known.statement, known.key, known.instances
	if e.prover, err = e.newProver(opened); err != nil {
		return nil, statement, err
	}
	public := known.public
	if err = e.prover.Check(e.instances, public); err != nil {
		return nil, statement, &workloadError{weakerAllowed(err)}
	}
	err = fits(b, e.work.program.Fillers(), e.prover.Key(), e.instances)
	if err = withRoom(err, b, e.prover.Key(), work, e.instances, public); err != nil {
		return nil, statement, err
	}
	e.ready = e.prover
	end := p.timeline.span("open_prover")
	err = withRoom(e.prover.Open(e.instances), b, e.prover.Key(), work, e.instances, public)
	end()
	switch {
	case err == nil:
		return e, statement, nil
	case !e.failed(err):
		return nil, statement, &workloadError{err}
	case !forgive:
		return nil, statement, err
	}
	fmt.Fprintf(p.stderr, "backend: %s cannot get ready (%v); the CPU proves instead until it can\n", b.Name, err)
	if e.ready, err = e.readyStandIn(); err != nil {
		return nil, statement, err
	}
	if err = errors.Join(e.ready.Check(e.instances, public), e.ready.Open(e.instances)); err != nil {
		return nil, statement, err
	}
	return e, statement, nil
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

func (e *engine) newProver(opened backend.Backend) (*prover.Prover, error) {
	options := prover.Options{MinBits: e.work.minBits, Release: true, Encode: true}
	return prover.NewOf(e.key, e.work.program.Fillers(), opened, options)
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
	if instances, public, err = w.planned(ctx, 0); err != nil {
		return statement, nil, public, err
	}
	size, err := w.program.Size(public, instances)
	if w.synthetic() {
		return circuit.ClassStatement(w.program, size), instances, public, err
	}
	return circuit.ExactStatement(w.program, public, size), instances, public, err
}
