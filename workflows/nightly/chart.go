package nightly

import (
	"math"

	"github.com/chiasmus/chiasmus/stats"
)

// The parameters of the rule. docs/guide/nights.md explains them, and numbers_test.go computes what they detect.
var (
	stepChart  = stats.CUSUM{K: 0.5, H: 5.5}
	creepChart = stats.CUSUM{K: 0.25, H: 11}
	gainChart  = stats.CUSUM{K: 0.5, H: 10}
)

const (
	startUp      = 12 // number of points from which the scatter counts as known
	largestScore = 4  // per night
	suspectedAt  = 3  // of a sum: above it the reference is frozen
	scatterFloor = 0.5
	// startApart is the minimum distance of the held points' mean below the reference before a starting chart signals, in
	// standard deviations. Scores of held points share the error of a short reference; this test counts that error once.
	startApart = 2
)

// A Chart is the state of a workload against its anchor. It is a value: Next returns the following state.
type Chart struct {
	Anchor string `json:"anchor"`
	Metric string `json:"metric"`
	// Reference has the points that are believed to be healthy. Held has the points since a sum exceeded suspectedAt or,
	// while the chart is starting, since the last night that was shown to be non-inferior.
	Reference Points `json:"reference"`
	Held      Points `json:"held"`
	// Score is the distance of the newest point from the reference, in standard deviations; 0 if unknown.
	Score float64 `json:"score"`
	// Step and Creep accumulate evidence for slower, Gain for faster, each in standard deviations.
	Step  float64 `json:"step"`
	Creep float64 `json:"creep"`
	Gain  float64 `json:"gain"`
	// Apart is the distance of the held points' mean below the reference, in standard deviations.
	Apart float64 `json:"apart,omitempty"`
}

// Points is a sample of nights' figures, in percent, with the mean variance within nights.
type Points struct {
	stats.Sample
	Within float64 `json:"within"` // the mean over all points that contributed to the scatter
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

// anchored is the anchor as a point: its figure against itself is exactly 0.
func anchored() Points { return Points{Sample: stats.Sample{N: 1}, Weight: 1} }

// Started reports whether the chart has enough points for a known scatter.
func (chart *Chart) Started() bool { return chart.Reference.DF >= startUp-1 }

// suspected reports whether the chart doubts that head is as fast as before.
func (chart *Chart) suspected() bool { return chart.Step >= suspectedAt || chart.Creep >= suspectedAt }

// Signals reports whether the chart concludes that head is slower than before.
func (chart *Chart) Signals() bool {
	if !chart.Started() && chart.Apart < startApart {
		return false
	}
	return stepChart.Signals(chart.Step) || creepChart.Signals(chart.Creep)
}

// Restarted forgets the level and keeps the scatter.
func (chart Chart) Restarted(anchor, metric string) Chart {
	reference := chart.Reference
	reference.Sample = reference.Restarted()
	return Chart{Anchor: anchor, Metric: metric, Reference: reference}
}

// calmed is the chart after the end of an alarm: the sums are reset, and held points are dropped.
func (chart Chart) calmed() Chart {
	chart.Held, chart.Step, chart.Creep, chart.Gain, chart.Apart = Points{}, 0, 0, 0, 0
	return chart
}

// variance is the variance of a point with the given variance within the night: the variance of the points so far, with
// their mean variance within nights replaced by the given one. While the chart is starting, builds count as unknown.
func (chart *Chart) variance(within, margin float64) float64 {
	reference := &chart.Reference
	if !chart.Started() {
		return within + buildVariance(reference, margin)
	}
	return max(within, reference.Variance()+within-reference.Within)
}

// buildVariance estimates the variance of builds from the points so far, shrunk towards the unknown variance.
func buildVariance(points *Points, margin float64) float64 {
	unknown := math.Pow(unknownShare*margin, 2)
	return shrunk(points.Squares-float64(points.DF)*points.Within, points.DF, unknown)
}

// deviation is the standard deviation of a point, at least scatterFloor of the margin.
func (chart *Chart) deviation(within, margin float64) float64 {
	return max(math.Sqrt(chart.variance(within, margin)), scatterFloor*margin)
}

// score is the standard normal score of a point against the reference. The prior for unknown builds adds degrees of
// freedom.
func (chart *Chart) score(y, deviation float64) float64 {
	known := chart.Reference.Sample
	if !chart.Started() {
		known.DF += unknownWeight
	}
	return stats.Score(known, y, deviation*deviation).Float()
}

// Next returns the chart after a point y, in percent, positive for better. settled reports whether head was shown to be
// non-inferior that night: a starting chart learns only from such nights.
func (chart Chart) Next(y, within, margin float64, settled bool) Chart {
	if chart.Reference.N == 0 { // the point becomes the level
		chart.Reference, chart.Score = chart.Reference.and(point(y, within)), 0
		return chart
	}
	deviation := chart.deviation(within, margin)
	chart.Score = chart.score(y, deviation)
	score := max(-largestScore, min(largestScore, chart.Score))
	chart.Step, chart.Creep = stepChart.Next(chart.Step, -score), creepChart.Next(chart.Creep, -score)
	chart.Gain = gainChart.Next(chart.Gain, score)
	// The reference's updates are capped like the score, so one bad night does not inflate the reference for months.
	reach := largestScore * deviation
	y = max(chart.Reference.Mean-reach, min(chart.Reference.Mean+reach, y))
	chart.Held = chart.Held.and(point(y, within))
	chart.Apart = chart.apart(margin)
	switch {
	case gainChart.Signals(chart.Gain):
		held := chart.Held
		score := chart.Score
		chart = chart.Restarted(chart.Anchor, chart.Metric)
		chart.Score = score
		chart.Reference = chart.Reference.and(held)
	case !chart.suspected() && chart.Gain < suspectedAt && (settled || chart.Started()):
		chart.Reference, chart.Held, chart.Apart = chart.Reference.and(chart.Held), Points{}, 0
	}
	return chart
}

// apart is the distance of the held points' mean below the reference.
func (chart *Chart) apart(margin float64) float64 {
	reference, held := &chart.Reference, &chart.Held
	deviation := chart.deviation(held.Within, margin)
	return (reference.Mean - held.Mean) / (deviation * math.Sqrt(1/float64(reference.N)+1/float64(held.N)))
}
