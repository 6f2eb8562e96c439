package stats

import "cmp"

// Verdict is the answer of a comparison. Exactly one holds for any input.
type Verdict string

// The verdicts.
const (
	Improvement  Verdict = "improvement"  // both tests reject, head is better
	Regression   Verdict = "regression"   // both tests reject, head is worse
	Equivalent   Verdict = "equivalent"   // inside the margin
	Negligible   Verdict = "negligible"   // inside the margin, and yet both tests reject
	Borderline   Verdict = "borderline"   // one test rejects, or they disagree in direction
	Inconclusive Verdict = "inconclusive" // none of these: not yet known
)

// Verdicts lists them all.
var Verdicts = []Verdict{Improvement, Regression, Equivalent, Negligible, Borderline, Inconclusive}

// Decide judges a run, symmetrically in direction, in this order: inside the margin it is negligible when both tests
// reject with the same sign, else equivalent; inconclusive when the signed-rank test could not reject whatever the
// data; improvement or regression when both reject with the same sign; borderline when one rejects or their signs
// differ; else inconclusive. A test rejects when its p is at or under the level.
func Decide(t TTest, w SignedRank, e TOST, level float64, higherIsBetter bool) Verdict {
	rejectsT := float64(t.P) <= level // false where p does not exist
	rejectsW := float64(w.P) <= level
	sign := cmp.Compare(float64(t.Mean), 0)
	agree := rejectsT && rejectsW && sign == w.sign()
	switch {
	case e.Equivalent && agree:
		return Negligible
	case e.Equivalent:
		return Equivalent
	case float64(w.MinP) > level:
		return Inconclusive
	case agree && (sign > 0) != higherIsBetter:
		return Improvement
	case agree:
		return Regression
	case rejectsT || rejectsW:
		return Borderline
	}
	return Inconclusive
}
