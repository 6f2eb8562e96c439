package prover

import (
	"context"
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/soundness"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// AnyBits as VerifyOptions.MinBits accepts proofs of any strength.
const AnyBits = -1

// VerifyOptions say what a verifier demands. The zero value is what to use.
type VerifyOptions struct {
	// MinBits is the least number of proven bits; 0 means 128.
	MinBits int

	// Exit is the exit code that the program must have ended with, unless AnyExit accepts all of them: a proof that a
	// program failed is as valid as one that it succeeded. The machines that are made for no program end with none,
	// and a proof of one is refused where Exit demands another than 0.
	Exit    uint64
	AnyExit bool

	// Workers is the most goroutines that verify at any time, the caller's among them; 0 means one for each processor
	// that Go may use.
	Workers int

	// Program is the one that the proof must be of. Nil means the one with the ProgramID or, without that, the known one
	// that the proof names, which must not be a machine of programs.
	Program machine.Program

	// ProgramID names the program of a machine of programs by the digest that [stark.Key.ProgramID] gives. A Program
	// beside it is one that was made without its file.
	ProgramID *[32]byte
}

// Result is a valid proof and what it proves.
type Result struct {
	Proof   *Proof     // of a run in shards the first
	Set     *stark.Set // all shards; nil for a proof that is whole
	Program machine.Program
	Bits    int // proven
	Size    int // in the machine's units

	ProgramID [32]byte // that the proof is of; zero for a machine that is not made for programs

	// The digests of the statement, with the public values and of its class.
	ExactStatement, ClassStatement [32]byte
}

// Verify checks the bytes of a proof: their form, the proven bits, and all of
// the protocol. An error means that the proof is not to be believed and says
// which check it fails; where that is one of package stark's it is a
// *stark.RejectError. No input makes it panic. Where the context ends before the
// proof has passed or failed, the error is the context's, after milliseconds.
func Verify(ctx context.Context, data []byte, options VerifyOptions) (*Result, error) {
	result, pool := &Result{Program: options.Program}, parallel.NewBounded(options.Workers)
	var err error
	if result.Proof, result.Set, err = decode(ctx, data); err != nil {
		return nil, rejected(ctx, stark.CheckDecoding, err)
	}
	if err := result.findProgram(options.ProgramID); err != nil {
		return nil, err
	}
	key, err := result.key(ctx, pool, options.ProgramID)
	if err != nil {
		return nil, err
	}
	if err := result.checkSecurity(key, options.MinBits); err != nil {
		return nil, err
	}
	if result.Set != nil {
		err = stark.VerifySetOn(ctx, pool, result.Set, key)
	} else {
		err = stark.VerifyOn(ctx, pool, result.Proof, key)
	}
	if err != nil {
		return nil, err
	}
	result.ProgramID = key.ProgramID()
	if err := result.checkExit(options); err != nil {
		return nil, err
	}
	if err := result.setStatement(); err != nil {
		return nil, err
	}
	return result, nil
}

// rejected is an error of one of the checks, or the context's where that has ended.
func rejected(ctx context.Context, check stark.Check, err error) error {
	if stopped := ctx.Err(); stopped != nil && errors.Is(err, stopped) {
		return stopped
	}
	return &stark.RejectError{Check: check, Err: err}
}

// decode decodes a proof, or a run in shards and the first of them.
func decode(ctx context.Context, data []byte) (*Proof, *stark.Set, error) {
	if !stark.InShards(data) {
		proof := new(Proof)
		return proof, nil, proof.UnmarshalBinary(data)
	}
	set := new(stark.Set)
	if err := set.UnmarshalContext(ctx, data); err != nil {
		return nil, nil, err
	}
	return set.Shards[0], set, nil
}

// shards are the proof, or all shards of a run.
func (r *Result) shards() []*Proof {
	if r.Set == nil {
		return []*Proof{r.Proof}
	}
	return r.Set.Shards
}

// findProgram checks that the proof is of the machine of the wanted program, or finds the one that it names.
func (r *Result) findProgram(id *[32]byte) (err error) {
	name, check := r.Proof.MachineName, stark.CheckUnknown
	switch {
	case r.Program != nil:
		check = stark.CheckMachine
		if want := r.Program.Machine().Name; name != want {
			err = fmt.Errorf("the proof is of machine %q, want %q", name, want)
		}
	case id != nil:
		check = stark.CheckProgram
		r.Program, err = KnownProgram(r.Proof)
	default:
		r.Program, err = all.Lookup(name)
	}
	if err != nil {
		return &stark.RejectError{Check: check, Err: err}
	}
	return nil
}

// KnownProgram is the program that a proof says it is of, for a machine that is made for programs. Nothing of it is to
// be believed before the proof's key hashes to an id that is.
func KnownProgram(proof *Proof) (machine.Program, error) {
	if proof.Program == nil {
		return nil, fmt.Errorf("the proof is of machine %q and of no program", proof.MachineName)
	}
	return all.Known(proof.MachineName, circuit.Image{
		Entry:  proof.Program.Entry,
		Digest: proof.Program.Image,
	}, proof.Program.LogHeights)
}

// key is the verifier's own: derived from the program, or the proof's where that has the id.
func (r *Result) key(ctx context.Context, pool *parallel.Pool, id *[32]byte) (*stark.Key, error) {
	m := r.Program.Machine()
	if id != nil {
		key, err := stark.NewKeyOfOn(ctx, pool, m, r.Proof.Params, *id, r.Proof.Program)
		if err != nil {
			return nil, rejected(ctx, stark.CheckProgram, err)
		}
		return key, nil
	}
	key, err := stark.NewKeyOn(ctx, pool, m, r.Proof.Params)
	if err != nil {
		return nil, rejected(ctx, stark.CheckParams, err)
	}
	if m.HasProgram() && !r.Proof.Program.Equal(key.Program) {
		theirs := *key
		theirs.Program = r.Proof.Program
		err := fmt.Errorf("machine %s: the proof is of program %x, want %x", m.Name, theirs.ProgramID(), key.ProgramID())
		return nil, &stark.RejectError{Check: stark.CheckProgram, Err: err}
	}
	return key, nil
}

// checkSecurity comes first: it costs little, and bounds what the rest costs.
func (r *Result) checkSecurity(key *stark.Key, minBits int) error {
	var lists [][]circuit.Instance
	for _, shard := range r.shards() {
		if err := key.CheckInstances(shard.Instances); err != nil {
			return &stark.RejectError{Check: stark.CheckInstances, Err: err}
		}
		lists = append(lists, shard.Instances)
	}
	if err := key.Machine.CheckStated(r.Proof.Public); err != nil {
		return &stark.RejectError{Check: stark.CheckPublic, Err: err}
	}
	report, err := key.SecurityOfShards(lists, r.Proof.Public)
	if err != nil {
		return &stark.RejectError{Check: stark.CheckSecurity, Err: err}
	}
	r.Bits = report.Bits()
	switch minBits {
	case 0:
		minBits = soundness.HashBits
	case AnyBits:
		return nil
	}
	if err := report.Require(minBits); err != nil {
		return &stark.RejectError{Check: stark.CheckSecurity, Err: err}
	}
	return nil
}

// checkExit holds the exit code that a valid proof states against the one that is wanted.
func (r *Result) checkExit(options VerifyOptions) error {
	if options.AnyExit {
		return nil
	}
	name := r.Program.Machine().Name
	code, ends, err := all.Exit(name, r.Proof.Public)
	switch {
	case err != nil:
		return &stark.RejectError{Check: stark.CheckPublic, Err: err}
	case !ends && options.Exit != 0:
		err = fmt.Errorf("the proof is of machine %s, which runs no programs: it has no exit code, want %d", name,
			options.Exit)
	case code != options.Exit:
		err = fmt.Errorf("the proof is about exit code %d, want %d", code, options.Exit)
	}
	if err != nil {
		return &stark.RejectError{Check: stark.CheckStatement, Err: err}
	}
	return nil
}

func (r *Result) setStatement() error {
	var all []circuit.Instance
	for _, shard := range r.shards() {
		all = append(all, shard.Instances...)
	}
	size, err := r.Program.Size(r.Proof.Public, all)
	if err != nil {
		return &stark.RejectError{Check: stark.CheckStatement, Err: err}
	}
	r.Size = size
	r.ExactStatement = circuit.ExactStatement(r.Program, r.Proof.Public, size)
	r.ClassStatement = circuit.ClassStatement(r.Program, size)
	return nil
}

// Inspection is what a proof says of itself, unchecked.
type Inspection struct {
	Proof    *Proof          // of a run in shards the first
	Set      *stark.Set      // all shards; nil for a proof that is whole
	Sections []stark.Section // sizes, adding up to the proof's
}

// Inspect decodes a proof without checking it.
func Inspect(data []byte) (*Inspection, error) {
	proof, set, err := decode(context.Background(), data)
	if err != nil {
		return nil, err
	}
	if set != nil {
		return &Inspection{proof, set, set.Sections()}, nil
	}
	return &Inspection{proof, nil, proof.Sections()}, nil
}
