package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
)

// engine proves a workload on a backend. Between proofs its prover keeps everything that does not depend on the input.
type engine struct {
	work      *workload
	backend   backend.Backend
	key       *protocol.Key
	prover    *prover.Prover
	ready     *prover.Prover     // the prover opened at the start: prover, or the stand-in
	instances []circuit.Instance // of the proof that the prover was prepared for
	log       io.Writer
	traceOut  string
	encoded   []byte // the buffer of the last proof encoded here, which the next proof overwrites

	// Of the last proof: the numbers of times that its run was executed again and recorded again because speculation
	// failed.
	begunAgain, recordedAgain uint64

	// openStandIn opens the backend that repeats proofs for which a device failed; if it is nil, such proofs fail.
	openStandIn func() (backend.Backend, error)
	standIn     *prover.Prover // nil until it is needed
	standInOn   backend.Backend
}

// proven is one finished proof.
type proven struct {
	proof     *protocol.Proof // of a run in shards, the first shard's
	set       *protocol.Set   // all shards; nil for a whole proof
	encoded   []byte          // valid until the engine's next proof
	statement [32]byte        // the digest of the claim, public values included
	on        backend.Backend // the backend that made it
	measurements
}

// prove executes the input of the seed, proves the run and encodes the proof. Times count from start, and the host's
// peak memory from the last call of watchHostMemory. Unless deliver is nil, prove calls it with the encoded proof, and
// measures the proof concurrently.
func (e *engine) prove(ctx context.Context, seed uint64, start time.Time, progress func(prove.Stage),
	deliver func(encoded []byte)) (*proven, error) {
	trace, err := e.startTrace(start)
	if err != nil {
		return nil, err
	}
	result := &proven{on: e.backend}
	var metrics *prove.Metrics
	fallbacks := uint64(0)
	e.begunAgain, e.recordedAgain = 0, 0
	err = e.lost()
	if err == nil {
		result.proof, metrics, err = e.attempt(ctx, e.prover, seed, trace, progress)
	}
	if err != nil && e.openStandIn != nil && e.failed(err) {
		fmt.Fprintf(e.log, "device: %v; proving again on the CPU, from the input\n", err)
		fallbacks++
		var standIn *prover.Prover
		if standIn, err = e.readyStandIn(); err == nil {
			result.on = e.standInOn
			result.proof, metrics, err = e.attempt(ctx, standIn, seed, trace, progress)
		}
	}
	if err != nil {
		return nil, errors.Join(err, trace.drop())
	}
	if err := trace.span("encode", func() (err error) {
		if result.encoded = result.proof.Written(); result.encoded == nil {
			e.encoded, err = result.proof.AppendOn(e.work.pool, e.encoded[:0])
			result.encoded = e.encoded
		}
		return err
	}); err != nil {
		return nil, errors.Join(err, trace.drop())
	}
	total := time.Since(start)
	if err := trace.write(total); err != nil {
		return nil, err
	}
	measured := make(chan error, 1)
	go func() { measured <- e.measure(result, metrics, total, fallbacks) }()
	if deliver != nil {
		deliver(result.encoded)
	}
	if err := <-measured; err != nil {
		return nil, err
	}
	return result, nil
}

// measure adds to a proof its measurements and the digest of its claim.
func (e *engine) measure(result *proven, metrics *prove.Metrics, total time.Duration, fallbacks uint64) error {
	result.measurements = measure(result.on, metrics, total, hostMemory{}.peak(), fallbacks)
	if e.onDevice() {
		result.Counters["begun_again"] = e.begunAgain
		result.Counters["recorded_again"] = e.recordedAgain
	}
	program := e.work.program
	size, err := program.Size(result.proof.Public, result.proof.Instances)
	if err != nil {
		return err
	}
	result.countWork(e.prover.Key().Shape(result.proof.Instances), program.Machine().Unit, size)
	result.statement = circuit.ExactStatement(program, result.proof.Public, size)
	return nil
}

// attempt executes the program and proves its run with one prover, again if speculation fails.
func (e *engine) attempt(ctx context.Context, p *prover.Prover, seed uint64, trace *trace,
	progress func(prove.Stage)) (proof *protocol.Proof, metrics *prove.Metrics, err error) {
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
		proof, metrics, err = e.once(ctx, p, seed, salt, trace, begin)
		if errors.Is(err, run.ErrSpeculation) {
			e.begunAgain++
			proof, metrics, err = e.once(ctx, p, seed, salt, trace, begin) // the run is known now
		}
		return err
	})
	return proof, metrics, err
}

// once executes and proves once. On a device, the run may be speculative.
func (e *engine) once(ctx context.Context, p *prover.Prover, seed, salt uint64, trace *trace,
	begin func(prove.Stage)) (proof *protocol.Proof, metrics *prove.Metrics, err error) {
	var r *run.Run
	if err := trace.span("execute", func() (err error) {
		r, err = e.work.begin(ctx, seed, p == e.prover && e.onDevice())
		return err
	}); err != nil {
		return nil, nil, err
	}
	err = trace.span("prove", func() error {
		proof, metrics, err = p.ProveUnder(ctx, r, salt, begin)
		return err
	})
	trace.endStage()
	if err == nil || errors.Is(err, run.ErrSpeculation) { // after other errors the run may still be executing
		e.recordedAgain += r.Report().RecordedAgain
	}
	if err == nil && r.Speculative {
		err = e.work.check(func() circuit.Public { return proof.Public })
	}
	return proof, metrics, err
}

// failed reports whether an error comes from the device rather than from the statement.
func (e *engine) failed(err error) bool {
	return e.backend.Failed(err)
}

// lost returns the failure that made the device unusable in this process, or nil.
func (e *engine) lost() error {
	return e.backend.Lost()
}

// ended returns why no further proof can be made, or nil.
func (e *engine) ended() error {
	if e.openStandIn != nil {
		return nil
	}
	return e.lost()
}

// readyStandIn opens the stand-in when it is first needed.
func (e *engine) readyStandIn() (*prover.Prover, error) {
	if e.standIn != nil {
		return e.standIn, nil
	}
	opened, err := e.openStandIn()
	if err != nil {
		return nil, err
	}
	e.standInOn = opened
	e.standIn, err = e.newProver(opened)
	return e.standIn, err
}

// onDevice reports whether the backend is a device.
func (e *engine) onDevice() bool {
	return e.backend.OnDevice()
}

// close frees the provers' memory and closes the backend.
func (e *engine) close() error {
	var err error
	for _, p := range []*prover.Prover{e.prover, e.standIn} {
		if p != nil {
			err = errors.Join(err, p.Close())
		}
	}
	return errors.Join(err, e.backend.Shutdown())
}
