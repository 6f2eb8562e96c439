package nightly

import (
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/stats"
)

// A figure is the result of one comparison of a night, over all of its rounds. better is in percent, positive if head
// is better: on the log scale 100 d, scaled so that the margin equals plan.equivalence.
type figure struct {
	better float64
	within float64 // its variance, from pairs and processes
	first  sum     // of the planned rounds
	again  sum     // of the repeated rounds
	d      float64 // the mean difference in units of the metric's scale
}

// A sum is a mean over rounds.
type sum struct {
	mean, variance float64 // of the mean, within
	rounds         int
}

// figureOf combines the rounds of a comparison, weighted by the host's variances.
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

// with returns the host with the variance of tonight's rounds if it is larger than the earlier nights': tonight may be
// noisier, but a quieter night is not trusted.
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

// unit returns the factor from a report's differences to percent, positive for better.
func unit(report *harness.Report, margin float64) float64 {
	workload := &report.Workloads[0]
	size := stats.Margin(margin/100, workload.Stats.Scale, workload.Stats.MeanA.Float())
	sign := 1.0
	if workload.Metric.Better == "higher" {
		sign = -1
	}
	return sign * margin / size.Float()
}

// sumOf returns the mean over rounds, weighted by their variances.
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

// scatterOf estimates the host's scatter from rounds with equal numbers of pairs; nil without rounds.
func scatterOf(rounds []*harness.Report, margin float64) *Scatter {
	var scatter Scatter
	var means stats.Sample
	for _, report := range rounds {
		result := report.Workloads[0].Stats
		scale := unit(report, margin)
		if result.T.SD.Exists() {
			// The tests are over units: a pair's share of the units' variance gives the error of the mean.
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

// analyses is the maximum number of analyses of a comparison per night: after the planned rounds, and after repeating
// them.
const analyses = 2

// Thresholds of the pairwise test.
const (
	pairwiseLimit = 3.5 // in standard deviations of pairs, processes and builds
	eachSet       = 1.96
)

// test returns the mean as a t test with its own error and the host's degrees of freedom.
func (figure *figure) test(df int) stats.TTest {
	return stats.TTest{
		Mean: stats.Number(figure.better),
		SE:   stats.Number(math.Sqrt(figure.within)),
		SD:   stats.Number(math.NaN()),
		DF:   max(1, df),
	}
}

// nonInferior reports whether head is shown to be worse by less than the margin.
func (figure *figure) nonInferior(df int, margin, alpha float64) bool {
	return stats.NonInferiority(figure.test(df), stats.Number(margin), alpha/analyses, false).Shown
}

// equivalent reports whether head is also shown to be better by less than the margin.
func (figure *figure) equivalent(df int, margin, alpha float64) bool {
	notBetter := stats.NonInferiority(figure.test(df), stats.Number(margin), alpha/analyses, true).Shown
	return notBetter && figure.nonInferior(df, margin, alpha)
}

// beyond reports whether head is slower by more than the margin and more than the host's scatter explains.
func (figure *figure) beyond(host *Host, margin float64) bool {
	return figure.better <= -math.Max(margin, pairwiseLimit*math.Sqrt(figure.within+host.apart()))
}

// confirmed reports whether each set of rounds alone shows head to be slower.
func (figure *figure) confirmed(host *Host, margin float64) bool {
	for _, set := range []sum{figure.first, figure.again} {
		if set.rounds == 0 || set.mean > -eachSet*math.Sqrt(set.variance) {
			return false
		}
	}
	return figure.beyond(host, margin)
}

// verdict expresses the figure as a comparison's verdict.
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

// effect converts the figure to a change in percent with its interval, positive for lower values, as in reports.
func (figure *figure) effect(report *harness.Report, margin float64) (stats.Number, stats.Interval) {
	result := report.Workloads[0].Stats
	scale := unit(report, margin)
	reach := eachSet * math.Sqrt(figure.within) / math.Abs(scale)
	interval := stats.Interval{Low: result.Percent(figure.d - reach), High: result.Percent(figure.d + reach)}
	return stats.Number(result.Percent(figure.d)), interval
}

// usable returns the reason why a complete report gives no figure, or empty.
func usable(report *harness.Report) string {
	result := report.Workloads[0].Stats
	if !result.T.Mean.Exists() || !result.T.SD.Exists() {
		return fmt.Sprintf("%d pairs have no scatter", result.Pairs)
	}
	return ""
}
