package prove

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// commitMain fills the trace, counts its lookups and those of the given messages, and commits to the main columns. It
// calls messages only after the trace is filled, because the execution may run until then.
func (r *run) commitMain(execution machine.Execution, messages func() []circuit.Message) (err error) {
	if err := r.stage(StageTrace, func() error { return r.backend.Trace(execution) }); err != nil {
		return err
	}
	if !r.later {
		r.state(execution.Public)
	}
	if r.options.Release {
		execution.Release()
	}
	if err := r.stage(StageCount, func() error { return r.backend.Count(messages()) }); err != nil {
		return err
	}
	r.proof.MainCap, err = r.commit(StageCommitMain, protocol.Main)
	return err
}

// state records the run's statement, which may have become known only now.
func (r *run) state(stated func() circuit.Public) {
	public := stated()
	r.proof.Public = circuit.Public{Values: slices.Clone(public.Values), Data: slices.Clone(public.Data)}
}

// commitAuxiliary computes the LogUp columns under the challenges that follow the main commitment, and commits to them.
// A proof without interactions has none.
func (r *run) commitAuxiliary() error {
	if !r.shape.Present(protocol.Auxiliary) {
		return nil
	}
	err := r.stage(StageLogUp, func() (err error) {
		r.proof.Claimed, err = r.backend.LogUp(r.logUp)
		return err
	})
	if err != nil {
		return err
	}
	if r.proof.AuxiliaryCap, err = r.commit(StageCommitAuxiliary, protocol.Auxiliary); err != nil {
		return err
	}
	r.script.Auxiliary(r.proof.AuxiliaryCap, r.proof.Claimed)
	return nil
}

// commitQuotient divides the folded constraints of every class by its vanishing polynomial, and commits to the
// quotients.
func (r *run) commitQuotient() error {
	constraint := r.script.Constraint()
	err := r.stage(StageQuotient, func() error { return r.backend.Quotient(constraint) })
	if err != nil {
		return err
	}
	r.proof.QuotientCap, err = r.commit(StageCommitQuotient, protocol.Quotient)
	return err
}

// commit commits to the columns of a phase.
func (r *run) commit(stage Stage, phase protocol.Phase) (phaseCap []merkle.Digest, err error) {
	err = r.stage(stage, func() (err error) {
		phaseCap, err = r.backend.Commit(phase)
		return err
	})
	return phaseCap, err
}
