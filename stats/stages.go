package stats

// A Contribution is what a change of one stage adds to the whole: how much longer head takes in that stage, as a part
// of what base takes in all. It is simultaneous with those of all other stages of the run: see [StageLevel].
type Contribution struct {
	// Mean is head minus base, in the unit of the stage, positive where head takes longer.
	Mean Number   `json:"mean"`
	CI   Interval `json:"ci"`
	// Percent is the same in percent of the whole of base.
	Percent   Number   `json:"percent"`
	PercentCI Interval `json:"percent_ci"`
	// Level is the two-sided error rate of this interval alone.
	Level float64 `json:"level"`
	// Changed says that the interval excludes 0.
	Changed bool `json:"changed"`
	// Regression says that the interval lies beyond the margin, on the side where head takes longer.
	Regression bool `json:"regression"`
}

// stageShare is the part of alpha that stages may spend.
const stageShare = 0.2

// SplitAlpha divides the error rate of a run in which stages are judged: whole is left for the primary metric, stages
// is for all stages of all workloads together.
//
// The whole and the stages are tests of one family. By Bonferroni's inequality the probability of any false call is at
// most the sum of the parts, however the whole depends on its stages, of which it is made. Four fifths stay with the
// whole, which costs it 7 % more pairs at 5 %; of the rest every stage gets its equal part, which costs a stage little
// where its times repeat, and those are the stages for which this is done.
func SplitAlpha(alpha float64) (whole, stages float64) {
	return (1 - stageShare) * alpha, stageShare * alpha
}

// StageLevel is the two-sided level of one stage: the stages' part of alpha over all tests that there could be, which
// are those of so many stages in so many workloads at so many looks. Stages are looked at once, when their workload
// ends; but it is the whole, not independent of them, that decides at which look it does, and so each look counts.
//
// A false call of any stage has at most the probability of the sum of the levels, which is that part of alpha. A call
// of a regression needs more than an interval that excludes 0: one that lies beyond the margin. So it is false with at
// most that probability not only where nothing has changed, but where every stage adds the margin or less.
func StageLevel(alpha float64, stages, workloads, looks int) float64 {
	_, part := SplitAlpha(alpha)
	return part / float64(max(1, stages)*max(1, workloads)*max(1, looks))
}

// Contribute gives the contribution of a stage, from its times in pairs, to a whole that takes base so long on average.
// margin is a fraction of the whole; 0 never finds a regression. It fails on times that are not finite.
//
// The interval is Student's, of the differences themselves, so that a stage that takes no time in some proof has its
// place and the contributions of all stages add up to that of the whole. The mean of the whole is taken as known: its
// relative error, below a hundredth, is that of the contribution's size and cannot move it across 0.
func Contribute(pairs []Pair, whole, margin, level float64) (Contribution, error) {
	r, err := Analyze(pairs, Options{Scale: ScaleDifference, Alpha: level, Unit: UnitOf(pairs, DefaultAlpha)})
	if err != nil {
		return Contribution{}, err
	}
	c := Contribution{Mean: -r.T.Mean, CI: noInterval, Percent: missing, PercentCI: noInterval, Level: level}
	if r.T.CI.Exists() {
		c.CI = Interval{-r.T.CI.High, -r.T.CI.Low}
		c.Changed = c.CI.Low > 0 || c.CI.High < 0
	}
	if !(whole > 0) {
		return c, nil
	}
	c.Percent = 100 * c.Mean / Number(whole)
	if c.CI.Exists() {
		c.PercentCI = Interval{100 * c.CI.Low / whole, 100 * c.CI.High / whole}
		c.Regression = margin > 0 && c.CI.Low > margin*whole
	}
	return c, nil
}
