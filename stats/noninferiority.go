package stats

// NonInferior is the one-sided test that head is worse than base by less than a margin. Not finding it says nothing:
// it is no finding of inferiority.
type NonInferior struct {
	Margin Number `json:"margin"` // in units of d; does not exist when the test is off
	P      Number `json:"p"`      // one-sided, of being worse by the margin or more
	Shown  bool   `json:"shown"`
}

// NonInferiority tests "worse by the margin or more" and shows non-inferiority where that is rejected at the one-sided
// level alpha. With lower values better, worse is a negative d. It is one of the two tests of [Equivalence]. When all
// d are equal p is 0 inside the margin and else 1.
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
