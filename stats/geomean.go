package stats

import (
	"math"
	"slices"
)

// GeometricMean is the mean change over workloads on the log scale: the logarithm of the geometric mean of their
// ratios. It is descriptive: no verdict depends on it. [GeometricMeanOf] derives the interval.
type GeometricMean struct {
	Workloads int      `json:"workloads"`
	Mean      Number   `json:"mean"` // in units of d
	SE        Number   `json:"se"`
	DF        Number   `json:"df"`
	CI        Interval `json:"ci"`
	// NoInterval is the reason why there is no interval, or empty.
	NoInterval string `json:"no_interval,omitempty"`
	// EffectPercent and EffectCIPercent are in percent of base, as in Result.
	EffectPercent   Number   `json:"effect_percent"`
	EffectCIPercent Interval `json:"effect_ci_percent"`
}

// Measured is one workload of a geometric mean: its result and its pairs.
type Measured struct {
	Result *Result
	Pairs  []Pair
	// Sequential reports whether the number of pairs depended on the data.
	Sequential bool
}

// GeometricMeanOf averages d over workloads on the log scale with equal weights.
//
// Workloads measured in the same builds, or on the same hosts, share the builds' or hosts' effects. Their differences
// are averaged within each build or host first, and Student's interval is taken over these means, whatever the
// correlation of the workloads. Processes, blocks and pairs belong to one workload and are independent between
// workloads: the variance of the mean is the sum of the squared standard errors divided by the squared number of
// workloads, with Welch-Satterthwaite degrees of freedom. Otherwise there is no interval.
//
// The mean does not exist for fewer than two workloads, or if one is not on the log scale.
func GeometricMeanOf(list []Measured, alpha float64) (GeometricMean, bool) {
	g := GeometricMean{Workloads: len(list), Mean: missing, SE: missing, DF: missing, CI: noInterval,
		EffectPercent: missing, EffectCIPercent: noInterval}
	sum := 0.0
	for _, m := range list {
		if m.Result == nil || m.Result.Scale != ScaleLog || !m.Result.T.Mean.Exists() {
			return g, false
		}
		sum += float64(m.Result.T.Mean)
	}
	if len(list) < 2 {
		return g, false
	}
	g.Mean = Number(sum / float64(len(list)))
	switch unit := list[0].Result.Unit; {
	case slices.ContainsFunc(list, func(m Measured) bool { return m.Sequential }):
		g.NoInterval = "interim analyses may have ended a workload early"
	case slices.ContainsFunc(list, func(m Measured) bool { return m.Result.Phase == 1 }):
		g.NoInterval = "a baseline decided a workload, and all workloads share the shifts of the host"
	case slices.ContainsFunc(list, func(m Measured) bool { return m.Result.Unit != unit }):
		g.NoInterval = "the workloads have different sampling units"
	case unit == UnitBuild || unit == UnitHost:
		g.shared(list, unit, alpha)
	default:
		g.independent(list, alpha)
	}
	g.EffectPercent = Number(percent(float64(g.Mean), ScaleLog, 0))
	if g.CI.Exists() {
		g.EffectCIPercent = Interval{percent(g.CI.Low, ScaleLog, 0), percent(g.CI.High, ScaleLog, 0)}
	}
	return g, true
}

// shared computes the interval over units that all workloads have in common.
func (g *GeometricMean) shared(list []Measured, unit Unit, alpha float64) {
	var keys []int
	var means []float64
	for i, m := range list {
		d, err := UnitDifferences(m.Pairs, ScaleLog, unit)
		own := unitKeys(m.Pairs, unit)
		if i == 0 {
			keys, means = own, make([]float64, len(d))
		}
		if err != nil || len(d) != len(keys) {
			g.NoInterval = "not every workload was measured in every " + string(unit)
			return
		}
		for k, key := range own {
			at := slices.Index(keys, key)
			if at < 0 {
				g.NoInterval = "not every workload was measured in every " + string(unit)
				return
			}
			means[at] += d[k] / float64(len(list))
		}
	}
	t := PairedT(means, alpha)
	g.SE, g.DF, g.CI = t.SE, Number(t.DF), t.CI
	g.few()
}

// unitKeys returns the pairs' unit numbers, in the order of UnitDifferences.
func unitKeys(pairs []Pair, unit Unit) []int {
	var keys []int
	for _, group := range grouped(make([]float64, len(pairs)), pairs, unit) {
		keys = append(keys, pairs[group[0]].key(unit, group[0]))
	}
	return keys
}

// independent computes the interval from workloads that share no unit.
func (g *GeometricMean) independent(list []Measured, alpha float64) {
	variance, fourth := 0.0, 0.0
	for _, m := range list {
		se, df := m.Result.T.SE, m.Result.T.DF
		if !se.Exists() || df < 1 {
			g.few()
			return
		}
		square := float64(se) * float64(se)
		variance += square
		fourth += square * square / float64(df)
	}
	se, mean := math.Sqrt(variance)/float64(len(list)), float64(g.Mean)
	g.SE, g.CI = Number(se), Interval{mean, mean}
	if variance > 0 {
		df := variance * variance / fourth
		critical := studentCritical(alpha, df)
		g.DF, g.CI = Number(df), Interval{mean - critical*se, mean + critical*se}
	}
}

// few records a missing interval as too few units.
func (g *GeometricMean) few() {
	if !g.CI.Exists() {
		g.NoInterval = "fewer than two sampling units"
	}
}
