package verify

import (
	"context"
	"errors"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/protocol/soundness"
)

// AnyBits as Options.MinBits accepts proofs of any strength.
const AnyBits = -1

// Options say what a verifier demands.
type Options struct {
	// MinBits is the least number of proven bits; 0 means 128.
	MinBits int

	// Workers limits the number of goroutines that verify at any time, the caller included; 0 means one for each
	// processor that Go may use.
	Workers int

	// Find returns the claims and the key that the proof must be of. It is called with a decoded proof that nothing has
	// checked, and with the first shard of a set. Its error is Verify's: a *RejectError where the proof is at fault.
	Find func(ctx context.Context, pool *parallel.Pool, proof *protocol.Proof) (circuit.Claims, *protocol.Key, error)
}

// Result is a valid proof and what it proves.
type Result struct {
	Proof  *protocol.Proof // the first shard of a set
	Set    *protocol.Set   // nil for a proof that is whole
	Claims circuit.Claims
	Key    *protocol.Key
	Bits   int // proven
	Size   int // in the machine's units

	// The digests of the statement, with the public values and of its class.
	ExactStatement, ClassStatement [32]byte
}

// Verify checks the bytes of a proof, or of a run in shards: their form, the proven bits, and all of the protocol. An
// error means that the proof is not to be believed; a *RejectError names the check that failed. No input makes Verify
// panic. If the context ends before the proof has passed or failed, Verify returns the context's error after
// milliseconds.
func Verify(ctx context.Context, data []byte, options Options) (*Result, error) {
	result, pool := new(Result), parallel.NewBounded(options.Workers)
	var err error
	if result.Proof, result.Set, err = Decode(ctx, data); err != nil {
		return nil, Rejected(ctx, CheckDecoding, err)
	}
	if result.Claims, result.Key, err = options.Find(ctx, pool, result.Proof); err != nil {
		return nil, err
	}
	if err := result.checkSecurity(options.MinBits); err != nil {
		return nil, err
	}
	if result.Set != nil {
		err = SetOn(ctx, pool, result.Set, result.Key)
	} else {
		err = ProofOn(ctx, pool, result.Proof, result.Key)
	}
	if err != nil {
		return nil, err
	}
	if err := result.setStatement(); err != nil {
		return nil, err
	}
	return result, nil
}

// Rejected is the rejection by a check, or the context's error if that is why the check failed.
func Rejected(ctx context.Context, check Check, err error) error {
	if stopped := ctx.Err(); stopped != nil && errors.Is(err, stopped) {
		return stopped
	}
	return &RejectError{Check: check, Err: err}
}

// Decode decodes a proof, or a set and its first shard.
func Decode(ctx context.Context, data []byte) (*protocol.Proof, *protocol.Set, error) {
	if !protocol.InShards(data) {
		proof := new(protocol.Proof)
		return proof, nil, proof.UnmarshalBinary(data)
	}
	set := new(protocol.Set)
	if err := set.UnmarshalContext(ctx, data); err != nil {
		return nil, nil, err
	}
	return set.Shards[0], set, nil
}

// shards are the proof, or all shards of a run.
func (r *Result) shards() []*protocol.Proof {
	if r.Set == nil {
		return []*protocol.Proof{r.Proof}
	}
	return r.Set.Shards
}

// checkSecurity comes first: it costs little, and bounds what the rest costs.
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
