package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// engine proves a workload on a backend. From one proof to the next its prover keeps what
// depends on the shape alone.
type engine struct {
	work    *workload
	backend backend.Backend
	prover  *prover.Prover
}

func newEngine(work *workload, opened backend.Backend) (*engine, error) {
	p, err := prover.New(work.program.Machine(), work.params, opened, prover.Options{MinBits: work.minBits})
	return &engine{work, opened, p}, err
}

// proven is one finished proof.
type proven struct {
	proof   *stark.Proof
	encoded []byte
	sha256  string
	measurements
}

// prove makes the witness for the seed, proves it and encodes the proof. Times count from start.
func (e *engine) prove(ctx context.Context, seed uint64, start time.Time, progress func(stark.Stage)) (*proven, error) {
	memory := watchHostMemory()
	witness, err := e.work.witness(seed)
	if err != nil {
		return nil, err
	}
	proof, metrics, err := e.prover.Prove(ctx, witness, progress)
	if err != nil {
		return nil, err
	}
	encoded, err := proof.MarshalBinary()
	if err != nil {
		return nil, err
	}
	total := time.Since(start)
	sum := sha256.Sum256(encoded)
	return &proven{
		proof: proof, encoded: encoded, sha256: hex.EncodeToString(sum[:]),
		measurements: e.measure(metrics, total, memory.peak()),
	}, nil
}
