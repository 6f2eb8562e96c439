package verify

import (
	"context"
	"errors"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/protocol/soundness"
)

// AnyBits as Options.MinBits accepts proofs with any number of bits.
const AnyBits = -1

// Options are a verifier's requirements.
type Options struct {
	// MinBits is the minimum number of proven bits; 0 means 128.
	MinBits int

	// Workers is the maximum number of concurrent goroutines, including the caller's; 0 means GOMAXPROCS.
	Workers int

	// Find returns the claims and the key that the proof must match. It receives a decoded but unverified proof, or the
	// first shard of a set. Verify returns the error of Find, which should be a *RejectError if the proof is invalid.
	Find func(pool *parallel.Pool, proof *protocol.Proof) (circuit.Claims, *protocol.Key, error)
}

// Result is a valid proof and its statement.
type Result struct {
	Proof  *protocol.Proof // the first shard of a set
	Set    *protocol.Set   // nil for a single proof
	Claims circuit.Claims
	Key    *protocol.Key
	Bits   int // proven
	Size   int // in the machine's units

	// The digests of the statement: with its public values, and of its class.
	ExactStatement, ClassStatement [32]byte
}

// Verify verifies the bytes of a proof or of a run in shards: their form, the proven bits, and the protocol. If it
// returns an error, the proof must not be trusted. A *RejectError names the failed check. No input makes Verify panic.
// If the context ends first, Verify returns the context's error within milliseconds.
func Verify(ctx context.Context, data []byte, options Options) (*Result, error) {
	return effort{ctx: ctx}.verifyBytes(data, options)
}

// Uncancellable is Verify without a context. A program without contexts does not link the formatting of dates, 90 KB as
// WebAssembly.
func Uncancellable(data []byte, options Options) (*Result, error) {
	return effort{}.verifyBytes(data, options)
}

func (e effort) verifyBytes(data []byte, options Options) (*Result, error) {
	if options.Find == nil {
		return nil, errors.New("verify: Options.Find is nil: known.Find finds the machine that a proof names")
	}
	e.pool = parallel.NewBounded(options.Workers)
	result := new(Result)
	var err error
	if result.Proof, result.Set, err = e.decode(data); err != nil {
		return nil, e.rejected(CheckDecoding, err)
	}
	if result.Claims, result.Key, err = options.Find(e.pool, result.Proof); err != nil {
		return nil, err
	}
	if err := result.checkSecurity(options.MinBits); err != nil {
		return nil, err
	}
	if result.Set != nil {
		err = e.verifySet(result.Set, result.Key)
	} else {
		err = e.verify(result.Proof, result.Key)
	}
	if err != nil {
		return nil, err
	}
	if err := result.setStatement(); err != nil {
		return nil, err
	}
	return result, nil
}

// Rejected returns a rejection by a check, or the context's error if that caused the failure.
func Rejected(ctx context.Context, check Check, err error) error {
	return effort{ctx: ctx}.rejected(check, err)
}

func (e effort) rejected(check Check, err error) error {
	if stopped := e.err(); stopped != nil && errors.Is(err, stopped) {
		return stopped
	}
	return &RejectError{Check: check, Err: err}
}

// Decode decodes a proof, or a set and its first shard.
func Decode(data []byte) (*protocol.Proof, *protocol.Set, error) { return effort{}.decode(data) }

func (e effort) decode(data []byte) (*protocol.Proof, *protocol.Set, error) {
	if !protocol.InShards(data) {
		proof := new(protocol.Proof)
		return proof, nil, proof.UnmarshalBinary(data)
	}
	set := new(protocol.Set)
	if err := set.UnmarshalUntil(e.err, data); err != nil {
		return nil, nil, err
	}
	return set.Shards[0], set, nil
}

// shards returns the proof, or all shards of a run.
func (r *Result) shards() []*protocol.Proof {
	if r.Set == nil {
		return []*protocol.Proof{r.Proof}
	}
	return r.Set.Shards
}

// checkSecurity checks the number of proven bits. It precedes the other checks because it is cheap and bounds their
// cost.
func (r *Result) checkSecurity(minBits int) error {
	var lists [][]circuit.Instance
	for _, shard := range r.shards() {
		if err := r.Key.CheckInstances(shard.Instances); err != nil {
			return reject(CheckInstances, err)
		}
		lists = append(lists, shard.Instances)
	}
	if err := r.Key.Machine.CheckStated(r.Proof.Public); err != nil {
		return reject(CheckPublic, err)
	}
	report, err := r.Key.SecurityOfShards(lists, r.Proof.Public)
	if err != nil {
		return reject(CheckSecurity, err)
	}
	r.Bits = report.Bits()
	switch minBits {
	case 0:
		minBits = soundness.HashBits
	case AnyBits:
		return nil
	}
	return reject(CheckSecurity, report.Require(minBits))
}

func (r *Result) setStatement() error {
	var all []circuit.Instance
	for _, shard := range r.shards() {
		all = append(all, shard.Instances...)
	}
	size, err := r.Claims.Size(r.Proof.Public, all)
	if err != nil {
		return reject(CheckStatement, err)
	}
	r.Size = size
	r.ExactStatement = circuit.ExactStatement(r.Claims, r.Proof.Public, size)
	r.ClassStatement = circuit.ClassStatement(r.Claims, size)
	return nil
}
