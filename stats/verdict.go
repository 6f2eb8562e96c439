package stats

// Verdict is the outcome of a comparison. Every input has exactly one.
type Verdict string

// The verdicts.
const (
	Improvement  Verdict = "improvement"  // both tests reject, head is better
	Regression   Verdict = "regression"   // both tests reject, head is worse
	Equivalent   Verdict = "equivalent"   // inside the margin
	Negligible   Verdict = "negligible"   // inside the margin, but both tests reject
	Borderline   Verdict = "borderline"   // one test rejects
	Inconclusive Verdict = "inconclusive" // none of these: not yet known
)

// Verdicts lists all verdicts.
var Verdicts = []Verdict{Improvement, Regression, Equivalent, Negligible, Borderline, Inconclusive}

// Decide returns the verdict, symmetrically in direction. In this order: inside the margin it is Negligible if both
// tests reject, else Equivalent; Inconclusive if the sign-flip test could not reject whatever the data; Improvement or
// Regression if both reject; Borderline if one does; else Inconclusive. A test rejects if its p is at most the level.
// Both tests concern the mean, so they cannot differ in sign. The package documentation derives the rule.
func Decide(t TTest, flips SignFlip, e TOST, level float64, higherIsBetter bool) Verdict {
	rejectsT := float64(t.P) <= level // false if p does not exist
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
