package nightly

import (
	"math"

	"github.com/chiasmus/chiasmus/stats"
)

// The rule's numbers; doc.go says where they come from.
var (
	stepChart  = stats.CUSUM{K: 0.5, H: 5.5}
	creepChart = stats.CUSUM{K: 0.25, H: 11}
	gainChart  = stats.CUSUM{K: 0.5, H: 10}
)

const (
	startUp      = 12 // points before the chart may signal
	largestScore = 4  // of one night
	suspectedAt  = 3  // of a sum: above it the reference is frozen
	scatterFloor = 0.5
)

// A Chart is what the nights so far say of a workload against its anchor. It is a value: a step gives the next one.
type Chart struct {
	Anchor string `json:"anchor"`
	Metric string `json:"metric"`
	// Reference has the points that are believed healthy, and Held those since a sum is above suspectedAt.
	Reference Points `json:"reference"`
	Held      Points `json:"held"`
	// Score is how far the newest point lies from the reference, in standard deviations; 0 where nothing tells.
	Score float64 `json:"score"`
	// Step and Creep add up what speaks for slower, Gain for faster, each in standard deviations.
	Step  float64 `json:"step"`
	Creep float64 `json:"creep"`
	Gain  float64 `json:"gain"`
}

// Points are a sample of nights' figures, in percent, with what of its variance lies within the nights.
type Points struct {
	stats.Sample
	Within float64 `json:"within"` // the mean over all points that gave the scatter
	Weight int     `json:"weight"` // their number
}

func (points Points) and(other Points) Points {
	joined := Points{Sample: points.Sample.And(other.Sample), Weight: points.Weight + other.Weight}
	if joined.Weight > 0 {
		joined.Within = (points.Within*float64(points.Weight) + other.Within*float64(other.Weight)) / float64(joined.Weight)
	}
	return joined
}

func point(y, within float64) Points {
	return Points{Sample: stats.Sample{N: 1, Mean: y}, Within: within, Weight: 1}
}

// Started reports whether the chart may signal.
func (chart *Chart) Started() bool { return chart.Reference.DF >= startUp-1 }

// Suspected reports whether the chart doubts that head is as fast as before.
func (chart *Chart) Suspected() bool { return chart.Step >= suspectedAt || chart.Creep >= suspectedAt }

// Signals reports whether the chart says that head is slower than before.
func (chart *Chart) Signals() bool {
	return stepChart.Signals(chart.Step) || creepChart.Signals(chart.Creep)
}

// Restarted forgets the level, and keeps what is known of the scatter.
func (chart Chart) Restarted(anchor, metric string) Chart {
	reference := chart.Reference
	reference.Sample = reference.Restarted()
	return Chart{Anchor: anchor, Metric: metric, Reference: reference}
}

// Calmed is the chart after the end of an alarm: the sums start again, and what was held back is forgotten.
func (chart Chart) Calmed() Chart {
	chart.Held, chart.Step, chart.Creep, chart.Gain = Points{}, 0, 0, 0
	return chart
}

// Deviation is the standard deviation of a point whose variance within the night is given: that of the points so far,
// with their share from within the nights replaced by this one's. NaN before there are two points.
func (chart *Chart) Deviation(within, margin float64) float64 {
	variance := chart.Reference.Variance() + within - chart.Reference.Within
	return math.Max(math.Sqrt(math.Max(variance, within)), scatterFloor*margin)
}

// Next is the chart after a point y in percent, better where it is positive.
func (chart Chart) Next(y, within, margin float64) Chart {
	if !chart.Started() || chart.Reference.N == 0 {
		chart.Reference, chart.Score = chart.Reference.and(point(y, within)), 0
		return chart
	}
	deviation := chart.Deviation(within, margin)
	chart.Score = stats.Score(chart.Reference.Sample, y, deviation*deviation).Float()
	score := max(-largestScore, min(largestScore, chart.Score))
	chart.Step, chart.Creep = stepChart.Next(chart.Step, -score), creepChart.Next(chart.Creep, -score)
	chart.Gain = gainChart.Next(chart.Gain, score)
	// What the reference learns is cut like the score: one bad night is not to widen it for months.
	reach := largestScore * deviation
	y = max(chart.Reference.Mean-reach, min(chart.Reference.Mean+reach, y))
	chart.Held = chart.Held.and(point(y, within))
	switch {
	case gainChart.Signals(chart.Gain):
		held := chart.Held
		score := chart.Score
		chart = chart.Restarted(chart.Anchor, chart.Metric)
		chart.Score = score
		chart.Reference = chart.Reference.and(held)
	case !chart.Suspected() && chart.Gain < suspectedAt:
		chart.Reference, chart.Held = chart.Reference.and(chart.Held), Points{}
	}
	return chart
}
