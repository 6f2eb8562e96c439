package nightly

import (
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/stats"
)

// A figure is what one comparison of a night gave, over all of its rounds. Better is in percent, positive where head
// is better: on the log scale 100 d, stretched so that the margin of plan.equivalence is itself.
type figure struct {
	better float64
	within float64 // its variance, from pairs and processes
	first  sum     // of the rounds that were planned
	again  sum     // of those that were measured again
	d      float64 // the mean difference in units of the metric's scale
}

// A sum is over rounds.
type sum struct {
	mean, variance float64 // of the mean, within
	rounds         int
}

// figureOf puts the rounds of a comparison together, each with the weight that the host's variances give it.
func figureOf(first, again []*harness.Report, host Host, margin float64) figure {
	host = host.with(scatterOf(first, margin), scatterOf(again, margin))
	all := make([]*harness.Report, 0, len(first)+len(again))
	all = append(append(all, first...), again...)
	whole := sumOf(all, host, margin)
	result := figure{better: whole.mean, within: whole.variance}
	result.first, result.again = sumOf(first, host, margin), sumOf(again, host, margin)
	if len(all) > 0 {
		result.d = whole.mean / unit(all[0], margin)
	}
	return result
}

// with is the host as tonight's rounds show it: a night may be noisier than those before, and is believed then; one
// that seems quieter is not.
func (host Host) with(scatters ...*Scatter) Host {
	var tonight float64
	var df int
	for _, scatter := range scatters {
		if scatter != nil {
			tonight += scatter.Pair * float64(scatter.PairDF)
			df += scatter.PairDF
		}
	}
	if df > 0 && tonight/float64(df) >= host.Pair {
		host.Pair, host.DF = tonight/float64(df), df
	}
	return host
}

// unit turns differences of a report into percent, positive for better.
func unit(report *harness.Report, margin float64) float64 {
	workload := &report.Workloads[0]
	size := stats.Margin(margin/100, workload.Stats.Scale, workload.Stats.MeanA.Float())
	sign := 1.0
	if workload.Metric.Better == "higher" {
		sign = -1
	}
	return sign * margin / size.Float()
}

// sumOf is the mean over rounds, weighted by their variances.
func sumOf(rounds []*harness.Report, host Host, margin float64) sum {
	var total, weights float64
	for _, report := range rounds {
		pairs := report.Workloads[0].Stats.Pairs
		weight := float64(pairs)
		if variance := host.within(1, pairs); variance > 0 {
			weight = 1 / variance
		}
		total += weight * unit(report, margin) * report.Workloads[0].Stats.T.Mean.Float()
		weights += weight
	}
	result := sum{rounds: len(rounds)}
	if weights > 0 {
		result.mean, result.variance = total/weights, 1/weights
	}
	return result
}

// scatterOf is what rounds of as many pairs each say of the host; nil without rounds.
func scatterOf(rounds []*harness.Report, margin float64) *Scatter {
	var scatter Scatter
	var means stats.Sample
	for _, report := range rounds {
		result := report.Workloads[0].Stats
		scale := unit(report, margin)
		if result.T.SD.Exists() {
			// The tests count units: what a pair's share of their variance is gives the error of the mean.
			pairs := float64(result.Pairs) / float64(result.Units)
			scatter.Pair += float64(result.T.DF) * pairs * math.Pow(scale*result.T.SD.Float(), 2)
			scatter.PairDF += result.T.DF
		}
		scatter.Pairs = result.Pairs
		means = means.With(scale * result.T.Mean.Float())
	}
	if scatter.PairDF == 0 {
		return nil
	}
	scatter.Pair /= float64(scatter.PairDF)
	if means.DF > 0 {
		scatter.Round, scatter.RoundDF = means.Variance(), means.DF
	}
	return &scatter
}

// looks is how often a comparison is tested in a night at most: after the planned rounds, and after those again.
const looks = 2

// Of the pairwise test.
const (
	pairwiseLimit = 3.5 // in standard deviations of pairs, processes and builds
	eachSet       = 1.96
)

// test is the mean with its own error, as a t test with the host's degrees of freedom.
func (figure *figure) test(df int) stats.TTest {
	nothing := stats.Number(math.NaN())
	return stats.TTest{
		Mean: stats.Number(figure.better),
		SE:   stats.Number(math.Sqrt(figure.within)),
		SD:   nothing,
		DF:   max(1, df),
	}
}

// nonInferior reports whether head is shown to be worse by less than the margin.
func (figure *figure) nonInferior(df int, margin, alpha float64) bool {
	return stats.NonInferiority(figure.test(df), stats.Number(margin), alpha/looks, false).Shown
}

// equivalent reports whether it is also shown to be better by less than the margin.
func (figure *figure) equivalent(df int, margin, alpha float64) bool {
	notBetter := stats.NonInferiority(figure.test(df), stats.Number(margin), alpha/looks, true).Shown
	return notBetter && figure.nonInferior(df, margin, alpha)
}

// beyond reports whether head is slower than the margin and than what the host explains.
func (figure *figure) beyond(host *Host, margin float64) bool {
	return figure.better <= -math.Max(margin, pairwiseLimit*math.Sqrt(figure.within+host.apart()))
}

// confirmed reports whether both sets of rounds say so, each by itself.
func (figure *figure) confirmed(host *Host, margin float64) bool {
	for _, set := range []sum{figure.first, figure.again} {
		if set.rounds == 0 || set.mean > -eachSet*math.Sqrt(set.variance) {
			return false
		}
	}
	return figure.beyond(host, margin)
}

// verdict is the figure in the words of a comparison.
func (figure *figure) verdict(host *Host, margin, alpha float64, confirmed bool) stats.Verdict {
	reach := eachSet * math.Sqrt(figure.within)
	differs := math.Abs(figure.better) > reach
	switch {
	case confirmed, figure.beyond(host, margin) && differs:
		return stats.Regression
	case figure.equivalent(host.DF, margin, alpha) && differs:
		return stats.Negligible
	case figure.equivalent(host.DF, margin, alpha):
		return stats.Equivalent
	case differs && figure.better > 0:
		return stats.Improvement
	case differs:
		return stats.Borderline
	}
	return stats.Inconclusive
}

// effect is the figure as a change in percent with its interval, positive where values are lower, as reports have it.
func (figure *figure) effect(report *harness.Report, margin float64) (stats.Number, stats.Interval) {
	result := report.Workloads[0].Stats
	scale := unit(report, margin)
	reach := eachSet * math.Sqrt(figure.within) / math.Abs(scale)
	interval := stats.Interval{Low: result.Percent(figure.d - reach), High: result.Percent(figure.d + reach)}
	return stats.Number(result.Percent(figure.d)), interval
}

// usable says why a complete report gives no figure; empty where it does.
func usable(report *harness.Report) string {
	result := report.Workloads[0].Stats
	if !result.T.Mean.Exists() || !result.T.SD.Exists() {
		return fmt.Sprintf("%d pairs have no scatter", result.Pairs)
	}
	return ""
}
