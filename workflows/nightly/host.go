package nightly

import (
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/stats"
)

// A Scatter is what a comparison of several rounds says of the host's variances, in squared percent.
type Scatter struct {
	Pair    float64 `json:"pair"` // within the rounds
	PairDF  int     `json:"pair_df"`
	Round   float64 `json:"round"` // of the rounds' means
	RoundDF int     `json:"round_df"`
	Pairs   int     `json:"pairs"` // of a round
}

// A Host has the variances of a workload on the host that measures it, in squared percent.
type Host struct {
	Pair    float64 `json:"pair"`    // of one pair's difference; 0 before the first night
	Process float64 `json:"process"` // what the two processes of a round add to each of its pairs
	Build   float64 `json:"build"`   // what a commit's build adds to each of its comparisons
	DF      int     `json:"df"`      // degrees of freedom of Pair
	Nights  int     `json:"nights"`  // that Process and Build were measured in
}

// What is not known yet counts as half the margin, with the weight of so many degrees of freedom.
const (
	unknownShare  = 0.5
	unknownWeight = 4
	hostMemory    = 120 // records that the variances are estimated from
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

// newestPair is the variance of a pair in the newest comparison.
func (history History) newestPair(workload string) float64 {
	for i := len(history) - 1; i >= 0; i-- {
		if history[i].Workload == workload && history[i].Scatter != nil {
			return history[i].Scatter.Pair
		}
	}
	return 0
}

// shrunk is a variance from a sum of squares that may be negative, drawn to the unknown one.
func shrunk(squares float64, df int, unknown float64) float64 {
	return (unknownWeight*unknown + math.Max(0, squares)) / float64(unknownWeight+df)
}

// within is the variance of a mean over rounds.
func (host *Host) within(rounds, pairs int) float64 {
	return (host.Process + host.Pair/float64(pairs)) / float64(rounds)
}

// apart is the variance that two builds add to every comparison of two commits.
func (host *Host) apart() float64 { return 2 * host.Build }

// String gives the standard deviations.
func (host *Host) String() string {
	return fmt.Sprintf("sd of a pair %.2g %%, of processes %.2g %%, of a build %.2g %%, over %d nights",
		math.Sqrt(host.Pair), math.Sqrt(host.Process), math.Sqrt(host.Build), host.Nights)
}

// FalseAlarms is how many alarms a year of nights brings on these hosts although nothing changes: the charts' rates and
// that of the pairwise test, with the variances as they are measured. A night without a new commit adds nothing.
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
	// Scores from a reference that is held fixed while a sum is high are not independent of each other. By the simulation
	// that makes false signals at most so many times as frequent as the run lengths say.
	holdingBack = 1.9
)

// chartRate is the probability that a healthy night signals. Where the floor of the scatter is above the host's, scores
// are smaller than standard normal ones.
func (plan *WorkloadPlan) chartRate() float64 {
	deviation := math.Sqrt(plan.Host.Build + plan.Host.within(plan.Rounds, plan.Pairs))
	share := deviation / math.Max(deviation, scatterFloor*plan.Margin)
	rate := 0.0
	for _, chart := range []stats.CUSUM{stepChart, creepChart} {
		scaled := stats.CUSUM{K: chart.K / share, H: chart.H / share}
		if length, err := scaled.RunLength(0); err == nil { // else it is longer than anybody waits
			rate += holdingBack / length
		}
	}
	return rate
}

// pairwiseRate is the probability that a healthy night is beyond the pairwise limit.
func (plan *WorkloadPlan) pairwiseRate() float64 {
	within := plan.Host.within(plan.Rounds, plan.Pairs)
	deviation := math.Sqrt(within + plan.Host.apart())
	limit := math.Max(plan.Margin, pairwiseLimit*deviation)
	return math.Erfc(limit/deviation/math.Sqrt2) / 2 // 0 for a host without noise
}
