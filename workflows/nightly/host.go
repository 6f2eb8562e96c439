package nightly

import (
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/stats"
)

// A Scatter is an estimate of the host's variances from several rounds of a comparison, in squared percent.
type Scatter struct {
	Pair    float64 `json:"pair"` // within the rounds
	PairDF  int     `json:"pair_df"`
	Round   float64 `json:"round"` // of the rounds' means
	RoundDF int     `json:"round_df"`
	Pairs   int     `json:"pairs"` // per round
}

// A Host has the variances of a workload on its measuring host, in squared percent.
type Host struct {
	Pair    float64 `json:"pair"`    // of one pair's difference; 0 before the first night
	Process float64 `json:"process"` // common to all pairs of a round, from its two processes
	Build   float64 `json:"build"`   // common to all comparisons of a commit, from its build
	DF      int     `json:"df"`      // degrees of freedom of Pair
	Nights  int     `json:"nights"`  // number of nights for Process and Build
}

// The prior for unknown variances: half the margin, with a weight in degrees of freedom.
const (
	unknownShare  = 0.5
	unknownWeight = 4
	hostMemory    = 120 // number of records from which variances are estimated
)

// hostOf estimates the variances of a workload's host from its newest records and its chart, by the method of moments.
func hostOf(history History, workload string, chart *Chart, margin float64) Host {
	var host Host
	unknown := math.Pow(unknownShare*margin, 2)
	var pairs, rounds float64
	var roundDF, seen int
	for i := len(history) - 1; i >= 0 && seen < hostMemory; i-- {
		record := &history[i]
		if record.Workload != workload || record.Scatter == nil {
			continue
		}
		seen++
		pairs += record.Scatter.Pair * float64(record.Scatter.PairDF)
		host.DF += record.Scatter.PairDF
	}
	if host.DF > 0 {
		host.Pair = pairs / float64(host.DF)
	}
	for i, left := len(history)-1, seen; i >= 0 && left > 0; i-- {
		record := &history[i]
		if record.Workload != workload || record.Scatter == nil {
			continue
		}
		left--
		scatter := record.Scatter
		if scatter.RoundDF > 0 {
			rounds += float64(scatter.RoundDF) * (scatter.Round - host.Pair/float64(scatter.Pairs))
			roundDF += scatter.RoundDF
		}
	}
	host.Process = shrunk(rounds, roundDF, unknown)
	reference := &chart.Reference
	host.Build = buildVariance(reference, margin)
	host.Nights = reference.Weight
	return host
}

// newestPair returns the variance of a pair in the newest comparison.
func (history History) newestPair(workload string) float64 {
	for i := len(history) - 1; i >= 0; i-- {
		if history[i].Workload == workload && history[i].Scatter != nil {
			return history[i].Scatter.Pair
		}
	}
	return 0
}

// shrunk is a variance estimated from a sum of squares, which may be negative, shrunk towards the unknown variance.
func shrunk(squares float64, df int, unknown float64) float64 {
	return (unknownWeight*unknown + math.Max(0, squares)) / float64(unknownWeight+df)
}

// within is the variance of a mean over rounds.
func (host *Host) within(rounds, pairs int) float64 {
	return (host.Process + host.Pair/float64(pairs)) / float64(rounds)
}

// apart is the variance that two builds add to every comparison of two commits.
func (host *Host) apart() float64 { return 2 * host.Build }

// String formats the standard deviations.
func (host *Host) String() string {
	return fmt.Sprintf("sd of a pair %.2g %%, of processes %.2g %%, of a build %.2g %%, over %d nights",
		math.Sqrt(host.Pair), math.Sqrt(host.Process), math.Sqrt(host.Build), host.Nights)
}

// FalseAlarms is the expected number of false alarms per year of nights on these hosts: the rates of the charts and of
// the pairwise test, with the measured variances. A night without a new commit adds nothing.
func FalseAlarms(plan Plan) float64 {
	total := 0.0
	for i := range plan.Workloads {
		one := &plan.Workloads[i]
		total += nightsAYear * (one.chartRate() + one.pairwiseRate())
		if plan.Baseline != "" {
			total += nightsAYear * one.pairwiseRate()
		}
	}
	return total
}

const (
	nightsAYear = 365
	// Scores relative to a reference that is frozen while a sum is high are dependent. In simulation this makes false
	// signals up to holdingBack times as frequent as the run lengths imply.
	holdingBack = 1.9
)

// chartRate is the probability that a healthy night signals. If the scatter floor exceeds the host's scatter, scores
// are smaller than standard normal.
func (plan *WorkloadPlan) chartRate() float64 {
	deviation := math.Sqrt(plan.Host.Build + plan.Host.within(plan.Rounds, plan.Pairs))
	share := deviation / math.Max(deviation, scatterFloor*plan.Margin)
	rate := 0.0
	for _, chart := range []stats.CUSUM{stepChart, creepChart} {
		scaled := stats.CUSUM{K: chart.K / share, H: chart.H / share}
		if length, err := scaled.RunLength(0); err == nil { // else it is practically infinite
			rate += holdingBack / length
		}
	}
	return rate
}

// pairwiseRate is the probability that a healthy night exceeds the pairwise limit.
func (plan *WorkloadPlan) pairwiseRate() float64 {
	within := plan.Host.within(plan.Rounds, plan.Pairs)
	deviation := math.Sqrt(within + plan.Host.apart())
	limit := math.Max(plan.Margin, pairwiseLimit*deviation)
	return math.Erfc(limit/deviation/math.Sqrt2) / 2 // 0 for a noiseless host
}
