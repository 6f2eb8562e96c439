package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
)

// engine proves a workload on devices. Between proofs its prover keeps everything that does not depend on the input.
type engine struct {
	work      *workload
	devices   []backend.Backend
	key       *protocol.Key
	statement [32]byte // of the workload, in its class form if inputs are synthetic
	prover    runProver
	ready     runProver // the prover opened at the start: prover, or the stand-in
	standIn   *standIn  // nil: proofs for which a device failed fail
	log       io.Writer
	traceOut  string
	encoded   []byte // the buffer of the last proof encoded here, which the next proof overwrites

	// Of the last proof: the numbers of times that its run was executed again and recorded again because speculation
	// failed.
	begunAgain, recordedAgain uint64
}

// runProver proves runs: a [wholeProver] whole runs, a [shardProver] runs in shards.
type runProver interface {
	// begin completes the input of the next run. With speculate, it may request a run that it predicts from the previous
	// run. Proving that run fails with [run.ErrSpeculation] if the prediction was wrong.
	begin(input *run.Input, speculate bool)

	// prove proves a run. Unless progress is nil, prove calls it at the start of each stage.
	prove(ctx context.Context, r *run.Run, salt uint64, progress func(prove.Stage)) (product, error)

	// speculates reports whether begin may predict runs.
	speculates() bool

	// bits returns the number of proven bits of the last proof or, before the first proof, of the planned one.
	bits() int

	// peak predicts the memory of the planned proof or of its largest shard, in bytes.
	peak() (uint64, error)

	// plan describes the planned proof to the user. It is empty if nothing is known.
	plan() string

	// summary describes a proof that was made, and where it was written.
	summary(result *proven, written string) string

	// describe adds to a metrics file what only proofs of whole runs, or of runs in shards, have.
	describe(file *metricsFile)

	// close frees the memory of proofs. The devices stay open.
	close() error
}

// product is what a [runProver] makes of a run.
type product interface {
	// shards returns the proofs of the run's shards, in order: one for a whole run.
	shards() []*protocol.Proof

	// encode returns the encoded proof: in memory of the device that has written it, or else in the buffer. It returns
	// nil if somebody else takes the shards.
	encode(pool *parallel.Pool, buffer *[]byte) ([]byte, error)

	// measure adds the metrics and counters of the proof, which took a total time on a backend.
	measure(out *measurements, on backend.Backend, total time.Duration)
}

// proven is one finished proof.
type proven struct {
	product
	encoded   []byte          // valid until the engine's next proof
	statement [32]byte        // the digest of the claim, public values included
	on        backend.Backend // the backend that made it
	measurements
}

// public returns the public values that the proof states.
func public(p product) circuit.Public { return p.shards()[0].Public }

// prove executes the input of the seed, proves the run and encodes the proof. Times count from start, and the host's
// peak memory from the last call of watchHostMemory. Unless deliver is nil, prove calls it with the encoded proof, and
// measures the proof concurrently.
func (e *engine) prove(ctx context.Context, seed uint64, start time.Time, progress func(prove.Stage),
	deliver func(encoded []byte)) (*proven, error) {
	trace, err := e.startTrace(start)
	if err != nil {
		return nil, err
	}
	result := &proven{on: e.devices[0]}
	fallbacks := uint64(0)
	e.begunAgain, e.recordedAgain = 0, 0
	if err = e.lost(); err == nil {
		result.product, err = e.attempt(ctx, e.prover, seed, trace, progress)
	}
	if err != nil && e.standIn != nil && e.failed(err) {
		fmt.Fprintf(e.log, "device: %v; proving again on the CPU, from the input\n", err)
		fallbacks++
		var instead *wholeProver
		if instead, err = e.standIn.ready(); err == nil {
			result.on = instead.backend
			result.product, err = e.attempt(ctx, instead, seed, trace, progress)
		}
	}
	if err == nil {
		err = trace.span("encode", func() (err error) {
			result.encoded, err = result.encode(e.work.pool, &e.encoded)
			return err
		})
	}
	if err != nil {
		return nil, errors.Join(err, trace.drop())
	}
	total := time.Since(start)
	if err := trace.write(total); err != nil {
		return nil, err
	}
	measured := make(chan error, 1)
	go func() { measured <- e.measure(result, total, fallbacks) }()
	if deliver != nil {
		deliver(result.encoded)
	}
	if err := <-measured; err != nil {
		return nil, err
	}
	return result, nil
}

// measure adds to a proof its measurements and the digest of its claim.
func (e *engine) measure(result *proven, total time.Duration, fallbacks uint64) error {
	result.measurements = measurements{
		Metrics:  map[string]float64{"prove_seconds": total.Seconds()},
		Counters: map[string]uint64{"fallbacks": fallbacks},
	}
	if peak := (hostMemory{}).peak(); peak > 0 {
		result.Metrics["peak_host_bytes"] = float64(peak)
	}
	result.measure(&result.measurements, result.on, total)
	if e.prover.speculates() {
		result.Counters["begun_again"] = e.begunAgain
		result.Counters["recorded_again"] = e.recordedAgain
	}
	var instances []circuit.Instance
	for _, shard := range result.shards() {
		instances = append(instances, shard.Instances...)
	}
	program, stated := e.work.program, public(result)
	size, err := program.Size(stated, instances)
	if err != nil {
		return err
	}
	result.Counters[program.Machine().Unit+"s"] = uint64(size)
	result.statement = circuit.ExactStatement(program, stated, size)
	return nil
}

// attempt executes the program and proves its run with one prover, again if speculation fails.
func (e *engine) attempt(ctx context.Context, on runProver, seed uint64, trace *trace,
	progress func(prove.Stage)) (made product, err error) {
	var begin func(prove.Stage)
	if progress != nil || trace != nil {
		begin = func(stage prove.Stage) {
			if progress != nil {
				progress(stage)
			}
			trace.stage(stage)
		}
	}
	err = underSalts(func(salt uint64) (err error) {
		made, err = e.once(ctx, on, seed, salt, true, trace, begin)
		if errors.Is(err, run.ErrSpeculation) {
			e.begunAgain++
			made, err = e.once(ctx, on, seed, salt, false, trace, begin)
		}
		return err
	})
	return made, err
}

// once executes and proves once.
func (e *engine) once(ctx context.Context, on runProver, seed, salt uint64, speculate bool, trace *trace,
	begin func(prove.Stage)) (made product, err error) {
	input := e.work.inputOf(seed)
	on.begin(&input, speculate)
	var r *run.Run
	if err := trace.span("execute", func() (err error) {
		r, err = e.work.begin(ctx, input)
		return err
	}); err != nil {
		return nil, err
	}
	err = trace.span("prove", func() (err error) {
		made, err = on.prove(ctx, r, salt, begin)
		return err
	})
	trace.endStage()
	var memory *backend.MemoryError
	if r.Speculative && errors.As(err, &memory) { // the run may have smaller instances than predicted
		err = fmt.Errorf("%w: %w", run.ErrSpeculation, err)
	}
	if err == nil || r.Speculative && errors.Is(err, run.ErrSpeculation) { // else the run may still be executing
		e.recordedAgain += r.Report().RecordedAgain
	}
	if err == nil {
		err = e.work.check(func() circuit.Public { return public(made) })
	}
	return made, err
}

// failed reports whether an error comes from a device rather than from the statement.
func (e *engine) failed(err error) bool {
	return slices.ContainsFunc(e.devices, func(d backend.Backend) bool { return d.Failed(err) })
}

// lost returns the failures that made devices unusable in this process, or nil.
func (e *engine) lost() (err error) {
	for _, d := range e.devices {
		err = errors.Join(err, d.Lost())
	}
	return err
}

// ended returns why no further proof can be made, or nil.
func (e *engine) ended() error {
	if e.standIn != nil {
		return nil
	}
	return e.lost()
}

// onDevice reports whether the backends are devices.
func (e *engine) onDevice() bool { return e.devices[0].OnDevice() }

// name returns the name of the backend.
func (e *engine) name() string { return e.devices[0].Name() }

// close frees the provers' memory and closes the devices.
func (e *engine) close() (err error) {
	if e.prover != nil {
		err = e.prover.close()
	}
	if e.standIn != nil {
		err = errors.Join(err, e.standIn.close())
	}
	return errors.Join(err, shutdown(e.devices))
}
