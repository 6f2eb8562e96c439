package stats

// NonInferior is the one-sided test that head is worse than base by less than a margin. A test that does not show this
// does not show inferiority.
type NonInferior struct {
	Margin Number `json:"margin"` // in units of d; does not exist if the test is off
	P      Number `json:"p"`      // one-sided, for worse by at least the margin
	Shown  bool   `json:"shown"`
}

// NonInferiority tests "worse by at least the margin", and shows non-inferiority if that is rejected at the one-sided
// level alpha. If lower values are better, worse is a negative d. It is one of the two tests of [Equivalence]. If all d
// are equal, p is 0 inside the margin, else 1.
func NonInferiority(t TTest, margin Number, alpha float64, higherIsBetter bool) NonInferior {
	r := NonInferior{Margin: margin, P: missing}
	if !margin.Exists() || !t.SE.Exists() {
		return r
	}
	better := t.Mean
	if higherIsBetter {
		better = -better
	}
	if t.constant() {
		r.P = certain(float64(better) <= -float64(margin))
	} else {
		r.P = Number(studentUpper(float64((better+margin)/t.SE), float64(t.DF)))
	}
	r.Shown = float64(r.P) <= alpha
	return r
}
