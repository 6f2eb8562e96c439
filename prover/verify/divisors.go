package verify

import (
	"github.com/chiasmus/chiasmus/prover/fri"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Protocol 3 takes z as sampled, and rejects a proof with a zero denominator. Protocol 2 samples z until it is outside
// the base field, where no denominator can be zero.

// rows checks that z is not the first or last point of a trace domain: these are the poles of the selectors.
func (v *verification) rows() error {
	one := goldilocks.Extension{1}
	for _, class := range v.shape.Classes {
		last := goldilocks.FromBase(goldilocks.RootOfUnity(class.LogHeight).Inverse())
		if v.z == one || v.z == last {
			return rejectf(CheckChallenges, "z is the first or last point of the domain of 2^%d rows: prove again with "+
				"another salt", class.LogHeight)
		}
	}
	return nil
}

// points checks that no query's point is z or g*z.
func (v *verification) points() error {
	if !v.z.IsBase() {
		return nil // the points are in the base field
	}
	for _, class := range v.shape.Classes {
		logSize := class.LogHeight + v.shape.Params.LogBlowup
		next := v.z.MulBase(goldilocks.RootOfUnity(class.LogHeight))
		for i, position := range v.plans.Positions {
			x := goldilocks.FromBase(goldilocks.Generator.Mul(fri.Point(logSize, position>>(v.shape.MaxLogSize()-logSize))))
			if x == v.z || x == next {
				return rejectf(CheckChallenges, "query %d is at z or g*z: prove again with another salt", i)
			}
		}
	}
	return nil
}
