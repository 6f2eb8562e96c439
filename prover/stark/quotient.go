package stark

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// commitQuotient divides the folded constraints of every table by its
// vanishing polynomial, commits to the quotients and draws the point z.
func (r *run) commitQuotient(challenges backend.LogUpChallenges) (z goldilocks.Extension, err error) {
	input := backend.QuotientInput{
		Public:     r.public(),
		LogUp:      challenges,
		Claimed:    r.claimed(),
		Constraint: r.script.constraint(),
	}
	var columns backend.Columns
	err = r.stage(StageQuotient, func() (err error) {
		columns, err = r.backend.Quotient(r.context, r.committed, input)
		return err
	})
	if err != nil {
		return z, err
	}
	r.proof.QuotientCap, err = r.commit(StageCommitQuotient, backend.Quotient, columns)
	if err != nil {
		return z, err
	}
	return r.script.quotient(r.proof.QuotientCap), nil
}
