package stats

// Verdict is the answer of a comparison. Exactly one holds for any input.
type Verdict string

// The verdicts.
const (
	Improvement  Verdict = "improvement"  // both tests reject, head is better
	Regression   Verdict = "regression"   // both tests reject, head is worse
	Equivalent   Verdict = "equivalent"   // inside the margin
	Negligible   Verdict = "negligible"   // inside the margin, and yet both tests reject
	Borderline   Verdict = "borderline"   // one test rejects
	Inconclusive Verdict = "inconclusive" // none of these: not yet known
)

// Verdicts lists them all.
var Verdicts = []Verdict{Improvement, Regression, Equivalent, Negligible, Borderline, Inconclusive}

// Decide judges a run, symmetrically in direction, in this order: inside the margin it is negligible when both tests
// reject, else equivalent; inconclusive when the sign-flip test could not reject whatever the data; improvement or
// regression when both reject; borderline when one does; else inconclusive. A test rejects when its p is at or under
// the level. Both look at the mean, so they cannot differ in sign. The package's documentation derives the rule.
func Decide(t TTest, flips SignFlip, e TOST, level float64, higherIsBetter bool) Verdict {
	rejectsT := float64(t.P) <= level // false where p does not exist
	rejectsFlips := float64(flips.P) <= level
	switch both := rejectsT && rejectsFlips; {
	case e.Equivalent && both:
		return Negligible
	case e.Equivalent:
		return Equivalent
	case float64(flips.MinP) > level:
		return Inconclusive
	case both && (t.Mean > 0) != higherIsBetter:
		return Improvement
	case both:
		return Regression
	case rejectsT || rejectsFlips:
		return Borderline
	}
	return Inconclusive
}
