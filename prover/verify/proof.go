package verify

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/fri"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Proof verifies a proof against a key. A nil error means that the statement holds, with the bits that package
// soundness computes. Any other result is a *RejectError, also for malformed proofs. Proof never panics.
func Proof(proof *protocol.Proof, key *protocol.Key) error { return unlimited().verify(proof, key) }

// ProofOn is Proof on a pool's workers; [parallel.NewBounded] bounds the total number of goroutines. If the context
// ends first, ProofOn returns the context's error.
func ProofOn(ctx context.Context, pool *parallel.Pool, proof *protocol.Proof, key *protocol.Key) error {
	return effort{ctx, pool}.verify(proof, key)
}

func (e effort) verify(proof *protocol.Proof, key *protocol.Key) error {
	v := &verification{proof: proof, key: key, effort: e}
	if err := v.statement(); err != nil {
		return err
	}
	messages := key.Machine.Messages(proof.Public)
	if err := busBounds(key.Machine, proof.Instances, messages); err != nil {
		return err
	}
	if err := v.form(); err != nil {
		return err
	}
	v.begin()
	if err := v.script.Refused(); err != nil {
		return reject(CheckChallenges, err)
	}
	if err := balance(messages, v.logUp, proof.Claimed); err != nil {
		return err
	}
	return v.argument()
}

// form checks that the proof has the form determined by its instances.
func (v *verification) form() error {
	v.shape = v.key.Shape(v.proof.Instances)
	return v.sizes()
}

// argument performs all checks after LogUp's challenges, except the balance.
func (v *verification) argument() error {
	for _, step := range []func() error{v.replay, v.rows, v.constraints, v.nonce, v.plan, v.points, v.trees,
		v.folds} {
		if err := v.effort.err(); err != nil {
			return err
		}
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// plan samples the queries and plans the openings.
func (v *verification) plan() (err error) {
	v.plans, err = protocol.NewPlans(v.shape, v.script.Positions(v.key.Params.Queries, v.shape.MaxLogSize()))
	return reject(CheckShape, err)
}

// verification is the state of verifying one proof.
type verification struct {
	proof  *protocol.Proof
	key    *protocol.Key
	effort effort
	shape  *protocol.Shape

	script *protocol.Script
	challenges
	plans *protocol.Plans
}

// challenges are the verifier's challenges.
type challenges struct {
	logUp        protocol.LogUpChallenges
	constraint   goldilocks.Extension
	z            goldilocks.Extension
	coefficients protocol.Openings
	betas        []goldilocks.Extension
	seed         [32]byte
}

// statement checks the proof's claims, which precede its commitments.
func (v *verification) statement() error {
	switch {
	case v.proof == nil:
		return rejectf(CheckMachine, "the proof is nil")
	case v.key == nil || v.key.Machine == nil:
		return rejectf(CheckMachine, "the key is nil or has no machine")
	}
	m := v.key.Machine
	switch {
	case v.proof.MachineName != m.Name:
		return rejectf(CheckMachine, "the proof belongs to machine %q, want %q", v.proof.MachineName, m.Name)
	case v.key.CheckDigest(v.proof.MachineDigest) != nil:
		return reject(CheckMachine, v.key.CheckDigest(v.proof.MachineDigest))
	case v.proof.Params != v.key.Params:
		return rejectf(CheckParams, "the proof has %v, want %v", v.proof.Params, v.key.Params)
	}
	if !v.proof.Program.Equal(v.key.Program) {
		return rejectf(CheckProgram, "the proof belongs to another program than the key")
	}
	if err := v.key.CheckInstances(v.proof.Instances); err != nil {
		return reject(CheckInstances, err)
	}
	if err := m.CheckStated(v.proof.Public); err != nil {
		return reject(CheckPublic, err)
	}
	return nil
}

// sizes checks that every part has the size determined by machine, parameters and instances.
func (v *verification) sizes() error {
	p := v.proof
	var s sizeCheck
	s.check(len(p.MainCap), v.capSize(protocol.Main), "nodes of the main cap")
	s.check(len(p.AuxiliaryCap), v.capSize(protocol.Auxiliary), "nodes of the auxiliary cap")
	s.check(len(p.QuotientCap), v.capSize(protocol.Quotient), "nodes of the quotient cap")
	s.check(len(p.Claimed), len(v.shape.Claiming()), "claimed sums")
	for phase := range protocol.Phase(protocol.PhaseCount) {
		s.check(len(p.Openings[phase]), v.shape.Entries(phase), "entries of %s openings", phase)
		if s.err != nil {
			return s.err
		}
		for i, opened := range p.Openings[phase] {
			current, next := v.shape.OpenedWidths(phase, i)
			s.check(len(opened.Current), current, "%s values at z of entry %d", phase, i)
			s.check(len(opened.Next), next, "%s values at gz of entry %d", phase, i)
		}
	}
	if !canonical(p) {
		return rejectf(CheckShape, "an opened value, claimed sum or coefficient is not below p, which no proof file can hold")
	}
	s.check(len(p.LayerCaps), len(v.shape.Schedule), "FRI caps")
	s.check(len(p.Layers), len(v.shape.Schedule), "opened FRI layers")
	if s.err != nil {
		return s.err
	}
	logSize := v.shape.MaxLogSize()
	for i, logArity := range v.shape.Schedule {
		s.check(len(p.LayerCaps[i]), 1<<v.shape.LayerShape(i).LogCap(), "nodes of FRI cap %d", i)
		logSize -= logArity
	}
	s.check(len(p.Final), 1<<(logSize-v.shape.Params.LogBlowup), "coefficients of the final polynomial")
	return s.err
}

// sizeCheck keeps the first size that is wrong.
type sizeCheck struct{ err error }

func (s *sizeCheck) check(have, want int, what string, args ...any) {
	if have != want && s.err == nil {
		s.err = rejectf(CheckShape, "%d %s, want %d", have, fmt.Sprintf(what, args...), want)
	}
}

// capSize returns the number of nodes in the cap of a phase.
func (v *verification) capSize(phase protocol.Phase) int {
	if !v.shape.Present(phase) {
		return 0
	}
	return 1 << v.shape.TreeShape(phase).LogCap()
}

// canonical reports whether all extension elements are below p, as in any decoded proof. Public values and opened rows
// are checked elsewhere.
func canonical(p *protocol.Proof) bool {
	lists := [][]goldilocks.Extension{p.Claimed, p.Final}
	for _, entries := range p.Openings {
		for _, opened := range entries {
			lists = append(lists, opened.Current, opened.Next)
		}
	}
	for _, list := range lists {
		for _, e := range list {
			if uint64(max(e[0], e[1], e[2])) >= goldilocks.Modulus {
				return false
			}
		}
	}
	return true
}

// begin runs the transcript up to LogUp's challenges.
func (v *verification) begin() {
	v.script = protocol.NewScript(protocol.NewTranscript(v.key.Params.ProofLabel()), v.key, v.proof.Instances,
		v.proof.Public, v.proof.Salt)
	v.script.Main(v.proof.MainCap)
	if v.shape.Present(protocol.Auxiliary) {
		v.logUp = v.script.LogUp()
	}
}

// replay runs the transcript after the main cap and samples all challenges up to the grinding seed. It fails if
// protocol 3 refuses a challenge.
func (v *verification) replay() error {
	p, s := v.proof, v.script
	if v.shape.Present(protocol.Auxiliary) {
		s.Auxiliary(p.AuxiliaryCap, p.Claimed)
	}
	v.constraint = s.Constraint()
	v.z = s.Quotient(p.QuotientCap)
	v.coefficients = s.Openings(p.Openings)
	for _, layerCap := range p.LayerCaps {
		v.betas = append(v.betas, s.Layer(layerCap))
	}
	v.seed = s.Final(p.Final)
	return reject(CheckChallenges, s.Refused())
}

// nonce checks the grinding nonce and absorbs it.
func (v *verification) nonce() error {
	bits := v.key.Params.GrindingBits
	if bits == 0 {
		return nil
	}
	if !protocol.GrindingOf(v.key.Params.Hash).Passes(v.seed, v.proof.Nonce, bits) {
		return rejectf(CheckNonce, "nonce %d does not show %d zero bits", v.proof.Nonce, bits)
	}
	v.script.Nonce(v.proof.Nonce)
	return nil
}

// chain returns the proof's FRI chain.
func (v *verification) chain() fri.Chain {
	return fri.Chain{
		LogSize:  v.shape.MaxLogSize(),
		Schedule: v.shape.Schedule,
		Betas:    v.betas,
		Final:    v.proof.Final,
	}
}
