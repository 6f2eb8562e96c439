package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// engine proves a workload on a backend. From one proof to the next it keeps what depends on
// the shape alone.
type engine struct {
	work    *workload
	backend backend.Backend
	session *stark.Session // nil until a shape is known
	bits    int            // proven, for the session's shape
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
	if err := e.prepare(witness.LogHeights()); err != nil {
		return nil, err
	}
	return e.proveWitness(ctx, witness, start, memory, progress)
}

func (e *engine) proveWitness(ctx context.Context, witness machine.Witness, start time.Time, memory hostMemory, progress func(stark.Stage)) (*proven, error) {
	proof, metrics, err := e.session.Prove(ctx, witness, stark.Options{Progress: progress})
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

// prepare makes the session ready for the heights, unless it is. It refuses shapes that prove
// too few bits.
func (e *engine) prepare(logHeights []int) error {
	if e.session != nil && slices.Equal(e.session.LogHeights(), logHeights) {
		return nil
	}
	if err := e.close(); err != nil {
		return err
	}
	bits, err := e.work.security(logHeights)
	if err != nil {
		return err
	}
	session, err := stark.NewSession(e.work.key, e.backend, logHeights)
	if err != nil {
		return err
	}
	e.session, e.bits = session, bits
	return nil
}

func (e *engine) close() error {
	if e.session == nil {
		return nil
	}
	session := e.session
	e.session = nil
	return session.Close()
}
