package verify

import (
	"github.com/chiasmus/chiasmus/prover/fri"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Protocol 3 takes z as sampled, and rejects a proof with a zero denominator. Protocol 2 samples z until it is outside
// of the base field, where no denominator can be zero.

// rows checks that z is not in the first or last row of any instance, where selectors have poles.
func (v *verification) rows() error {
	one := goldilocks.Extension{1}
	for _, class := range v.shape.Classes {
		last := goldilocks.FromBase(goldilocks.RootOfUnity(class.LogHeight).Inverse())
		if v.z == one || v.z == last {
			return rejectf(CheckChallenges, "z is in a first or last row of 2^%d: prove again with another salt",
				class.LogHeight)
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
				return rejectf(CheckChallenges, "query %d is at a point that is opened: prove again with another salt", i)
			}
		}
	}
	return nil
}
