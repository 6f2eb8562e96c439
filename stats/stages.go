package stats

// A Contribution is what the change of one stage adds to the total time: how much longer head takes in that stage, as a
// fraction of base's total time. It is simultaneous with the contributions of all other stages of the run (see
// [StageLevel]).
type Contribution struct {
	// Mean is head minus base, in the unit of the stage, positive where head takes longer.
	Mean Number   `json:"mean"`
	CI   Interval `json:"ci"`
	// Percent is Mean in percent of base's total time.
	Percent   Number   `json:"percent"`
	PercentCI Interval `json:"percent_ci"`
	// Level is the two-sided error rate of this interval alone.
	Level float64 `json:"level"`
	// Changed reports whether the interval excludes 0.
	Changed bool `json:"changed"`
	// Regression reports whether the interval lies beyond the margin, on the side where head takes longer.
	Regression bool `json:"regression"`
}

// stageShare is the fraction of alpha that stages spend.
const stageShare = 0.2

// SplitAlpha divides the error rate of a run that judges stages: total is for the primary metric, stages for all stages
// of all workloads together.
//
// The total and the stages are one family of tests. By Bonferroni's inequality the probability of any false call is at
// most the sum of the parts, although the total is the sum of its stages. The total keeps four fifths, which requires 7
// % more pairs at 5 %. The stages share the rest equally, which costs little for stages with repeatable times.
func SplitAlpha(alpha float64) (total, stages float64) {
	return (1 - stageShare) * alpha, stageShare * alpha
}

// StageLevel is the two-sided level of one stage: the stages' part of alpha, divided by the number of stages, workloads
// and interim analyses. Stages are tested once, when their workload ends; but the total, which depends on them,
// determines at which analysis it ends, so each analysis counts.
//
// The probability of any false call of a stage is at most the sum of the levels. A regression requires an interval
// beyond the margin, not just one that excludes 0. So the bound holds not only if nothing has changed, but also if
// every stage adds at most the margin.
func StageLevel(alpha float64, stages, workloads, analyses int) float64 {
	_, part := SplitAlpha(alpha)
	return part / float64(max(1, stages)*max(1, workloads)*max(1, analyses))
}

// Contribute returns the contribution of a stage, given its times in pairs and base's mean total time. margin is a
// fraction of the total; 0 never finds a regression. Contribute fails on times that are not finite.
//
// The interval is Student's over plain differences, so that a stage may take no time in some proofs, and the
// contributions of all stages sum to the change of the total. The mean total is treated as known: its relative error,
// below 1 %, scales the contribution and cannot change its sign.
func Contribute(pairs []Pair, total, margin, level float64) (Contribution, error) {
	r, err := Analyze(pairs, Options{Scale: ScaleDifference, Alpha: level, Unit: UnitOf(pairs, DefaultAlpha)})
	if err != nil {
		return Contribution{}, err
	}
	c := Contribution{Mean: -r.T.Mean, CI: noInterval, Percent: missing, PercentCI: noInterval, Level: level}
	if r.T.CI.Exists() {
		c.CI = Interval{-r.T.CI.High, -r.T.CI.Low}
		c.Changed = c.CI.Low > 0 || c.CI.High < 0
	}
	if !(total > 0) {
		return c, nil
	}
	c.Percent = 100 * c.Mean / Number(total)
	if c.CI.Exists() {
		c.PercentCI = Interval{100 * c.CI.Low / total, 100 * c.CI.High / total}
		c.Regression = margin > 0 && c.CI.Low > margin*total
	}
	return c, nil
}
