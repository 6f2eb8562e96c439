package stark

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// open evaluates all columns at z and the next-row columns at g*z, and draws
// a DEEP coefficient for each value.
func (r *run) open(z goldilocks.Extension) (coefficients backend.Openings, err error) {
	err = r.stage(StageOpen, func() (err error) {
		r.proof.Openings, err = r.backend.Open(r.context, r.committed, z)
		return err
	})
	if err != nil {
		return coefficients, err
	}
	return r.script.openings(r.proof.Openings), nil
}
