package stark

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// deep combines all columns and openings into one codeword a height class.
// It is low-degree only if every opening is right.
func (r *run) deep(z goldilocks.Extension, coefficients backend.Openings) (codewords backend.Codewords, err error) {
	err = r.stage(StageDeep, func() (err error) {
		codewords, err = r.backend.Deep(r.context, r.committed, z, r.proof.Openings, coefficients)
		return err
	})
	if err == nil {
		r.hold(codewords)
	}
	return codewords, err
}
