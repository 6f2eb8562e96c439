package stark

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// commitMain fills the trace, counts lookups and commits to the main columns.
func (r *run) commitMain(witness machine.Witness) error {
	var columns backend.Columns
	err := r.stage(StageTrace, func() (err error) {
		columns, err = r.backend.Trace(r.context, witness)
		return err
	})
	if err != nil {
		return err
	}
	err = r.stage(StageCount, func() error {
		return r.backend.Count(r.context, columns, r.preprocessed, r.public())
	})
	if err != nil {
		r.hold(columns)
		return err
	}
	r.proof.MainCap, err = r.commit(StageCommitMain, backend.Main, columns)
	if err != nil {
		return err
	}
	r.script.main(r.proof.MainCap)
	return nil
}

// commitAuxiliary computes the LogUp columns under challenges drawn after the
// main commitment, and commits to them. A machine without interactions has
// none.
func (r *run) commitAuxiliary() (challenges backend.LogUpChallenges, err error) {
	if !backend.Present(r.key.Machine, backend.Auxiliary) {
		return challenges, nil
	}
	challenges = r.script.logUp()
	var columns backend.Columns
	err = r.stage(StageLogUp, func() (err error) {
		columns, r.proof.Claimed, err = r.backend.LogUp(r.context, r.committed, r.public(), challenges)
		return err
	})
	if err != nil {
		return challenges, err
	}
	r.proof.AuxiliaryCap, err = r.commit(StageCommitAuxiliary, backend.Auxiliary, columns)
	if err != nil {
		return challenges, err
	}
	r.script.auxiliary(r.proof.AuxiliaryCap, r.proof.Claimed)
	return challenges, nil
}

// commit commits to the columns of a phase, which it consumes.
func (r *run) commit(stage Stage, phase backend.Phase, columns backend.Columns) (phaseCap []merkle.Digest, err error) {
	kept := make([][]int, len(r.key.Machine.Tables))
	for i, table := range r.key.Machine.Tables {
		kept[i] = backend.KeptColumns(table, phase)
	}
	err = r.stage(stage, func() (err error) {
		r.committed[phase], phaseCap, err = r.backend.Commit(r.context, phase, columns, kept)
		return err
	})
	if err != nil {
		r.hold(columns)
		return nil, err
	}
	r.hold(r.committed[phase])
	return phaseCap, nil
}

// claimed are the claimed sums, which a machine without interactions does not
// send.
func (r *run) claimed() []goldilocks.Extension {
	if r.proof.Claimed == nil {
		return make([]goldilocks.Extension, len(r.key.Machine.Tables))
	}
	return r.proof.Claimed
}
