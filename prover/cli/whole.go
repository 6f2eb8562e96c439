package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
)

// wholeProver proves runs that are not cut, on one backend: a [runProver].
type wholeProver struct {
	*prover.Prover
	backend  backend.Backend
	planned  []circuit.Instance // of the proof that the prover was prepared for
	predicts bool               // runs with other inputs begin with the instances of the previous run
	timeline *timeline          // of the process; nil if it is not reported
}

// newWholeProver returns a prover of the engine's workload, for a proof of the planned instances. On a device, runs may
// be speculative.
func (e *engine) newWholeProver(on backend.Backend, planned []circuit.Instance) (*wholeProver, error) {
	options := prover.Options{MinBits: e.work.minBits, Release: true, Encode: true}
	made, err := prover.NewOf(e.key, e.work.program.Fillers(), on, options)
	if err != nil {
		return nil, err
	}
	return &wholeProver{Prover: made, backend: on, planned: planned, predicts: on.OnDevice()}, nil
}

func (w *wholeProver) begin(input *run.Input, speculate bool) {
	input.Speculate = speculate && w.predicts
}

func (w *wholeProver) speculates() bool { return w.predicts }

func (w *wholeProver) prove(ctx context.Context, r *run.Run, salt uint64,
	progress func(prove.Stage)) (product, error) {
	proof, metrics, err := w.ProveUnder(ctx, r, salt, progress)
	if err != nil {
		return nil, err
	}
	return &wholeProof{w, proof, metrics}, nil
}

func (w *wholeProver) bits() int { return w.Bits() }

func (w *wholeProver) peak() (uint64, error) { return w.Peak(w.planned) }

func (w *wholeProver) plan() string {
	peak, err := w.peak()
	if err != nil {
		return ""
	}
	return fmt.Sprintf("predicted peak %s on %s", bytesText(peak), w.backend.Name())
}

func (w *wholeProver) summary(result *proven, written string) string {
	return fmt.Sprintf("proved in %.3f s on %s (%s): %d proven bits%s\n", result.Metrics["prove_seconds"],
		result.on.Name(), result.on.Device(), w.Bits(), written)
}

func (w *wholeProver) describe(file *metricsFile) {
	if w.timeline != nil {
		file.Timeline = w.timeline.list()
	}
}

func (w *wholeProver) close() error { return w.Close() }

// wholeProof is the proof of a whole run.
type wholeProof struct {
	prover  *wholeProver
	proof   *protocol.Proof
	metrics *prove.Metrics
}

func (w *wholeProof) shards() []*protocol.Proof { return []*protocol.Proof{w.proof} }

func (w *wholeProof) encode(pool *parallel.Pool, buffer *[]byte) (encoded []byte, err error) {
	if encoded := w.proof.Written(); encoded != nil {
		return encoded, nil
	}
	*buffer, err = w.proof.AppendOn(pool, (*buffer)[:0])
	return *buffer, err
}

// standIn proves on the CPU what a device failed to prove.
type standIn struct {
	open   func() (*wholeProver, error)
	prover *wholeProver // nil until it is needed
}

// newStandIn returns an engine's stand-in, for proofs of the planned instances.
func (p *program) newStandIn(e *engine, options BackendOptions, planned []circuit.Instance) *standIn {
	return &standIn{open: func() (*wholeProver, error) {
		cpu, err := p.named("cpu")
		if err != nil {
			return nil, fmt.Errorf("--on-device-error cpu: %w", err)
		}
		opened, err := cpu.Open(options)
		if err != nil {
			return nil, err
		}
		return e.newWholeProver(opened, planned)
	}}
}

// ready opens the stand-in when it is first needed.
func (s *standIn) ready() (_ *wholeProver, err error) {
	if s.prover == nil {
		s.prover, err = s.open()
	}
	return s.prover, err
}

func (s *standIn) close() error {
	if s.prover == nil {
		return nil
	}
	return errors.Join(s.prover.close(), s.prover.backend.Shutdown())
}
