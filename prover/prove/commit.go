package prove

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// commitMain fills the trace, counts its lookups and the lookups of the given messages, and commits to the main
// columns. It calls messages only after the trace is filled, because the execution may still be running before.
func (r *run) commitMain(execution machine.Execution, messages func() []circuit.Message) (main backend.Main,
	err error) {
	var traced backend.Traced
	err = r.stage(StageTrace, func() (err error) {
		traced, err = r.begun.Trace(execution)
		return err
	})
	if err == nil {
		err = r.revise(execution.Instances())
	}
	if err != nil {
		return nil, err
	}
	if !r.later {
		r.state(execution.Public)
	}
	if r.options.Release {
		execution.Release()
	} else {
		execution.Rest()
	}
	var columns backend.Columns[backend.Main]
	err = r.stage(StageCount, func() (err error) {
		columns, err = traced.Count(messages())
		return err
	})
	if err != nil {
		return nil, err
	}
	r.proof.MainCap, main, err = commit(r, StageCommitMain, columns)
	return main, err
}

// state records the run's statement. It must be known by now.
func (r *run) state(stated func() circuit.Public) {
	public := stated()
	r.proof.Public = circuit.Public{Values: slices.Clone(public.Values), Data: slices.Clone(public.Data)}
}

// commitAuxiliary computes the LogUp columns under the challenges that follow the main commitment, and commits to them.
// A proof without interactions has none.
func (r *run) commitAuxiliary(main backend.Main) (witness backend.Witness, err error) {
	if !r.shape.Present(protocol.Auxiliary) {
		_, columns, err := main.LogUp(r.logUp)
		if err != nil {
			return nil, err
		}
		_, witness, err = columns.Commit()
		return witness, err
	}
	var columns backend.Columns[backend.Witness]
	err = r.stage(StageLogUp, func() (err error) {
		r.proof.Claimed, columns, err = main.LogUp(r.logUp)
		return err
	})
	if err != nil {
		return nil, err
	}
	if r.proof.AuxiliaryCap, witness, err = commit(r, StageCommitAuxiliary, columns); err != nil {
		return nil, err
	}
	r.script.Auxiliary(r.proof.AuxiliaryCap, r.proof.Claimed)
	return witness, nil
}

// commitQuotient divides the folded constraints of every class by its vanishing polynomial, and commits to the
// quotients.
func (r *run) commitQuotient(witness backend.Witness) (committed backend.Committed, err error) {
	constraint := r.script.Constraint()
	var columns backend.Columns[backend.Committed]
	err = r.stage(StageQuotient, func() (err error) {
		columns, err = witness.Quotient(constraint)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.proof.QuotientCap, committed, err = commit(r, StageCommitQuotient, columns)
	return committed, err
}

// commit commits to the columns of a phase.
func commit[Next any](r *run, stage Stage, columns backend.Columns[Next]) (phaseCap []merkle.Digest, next Next,
	err error) {
	err = r.stage(stage, func() (err error) {
		phaseCap, next, err = columns.Commit()
		return err
	})
	return phaseCap, next, err
}
