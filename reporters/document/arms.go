package document

import (
	"math"
	"slices"

	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/stats"
)

// An arm's typical value is the mean that matches the scale. On the log scale it is the geometric mean: the mean
// difference of logarithms is the logarithm of the ratio of the geometric means, so the change shown next to the means
// is their ratio. On the difference scale arithmetic means have this property. On the percent scale no mean has it.

// typical returns that mean. It does not exist for an empty list.
func typical(values []float64, scale stats.Scale) stats.Number {
	sum := 0.0
	for _, x := range values {
		if scale == stats.ScaleLog {
			x = math.Log(x)
		}
		sum += x
	}
	mean := sum / float64(len(values))
	if scale == stats.ScaleLog {
		mean = math.Exp(mean)
	}
	return stats.Number(mean)
}

// meanName is the title of typical.
func meanName(scale stats.Scale) string {
	if scale == stats.ScaleLog {
		return "Geometric mean"
	}
	return "Mean"
}

// ratio is the change from a to b in percent.
func ratio(a, b stats.Number) stats.Number { return 100 * (b/a - 1) }

// above replaces a number that the document's answer shows.
const above = "(above)"

// armsTable shows the mean, the median and the extremes of each arm.
func armsTable(metric metrics.Metric, s *stats.Result, pairs []stats.Pair, tests bool) Table {
	a, b := make([]float64, len(pairs)), make([]float64, len(pairs))
	for i, p := range pairs {
		a[i], b[i] = p.A, p.B
	}
	title := metric.Name
	if title == "" {
		title = "Value"
	}
	table := Table{Columns: []Column{{Title: title}, {Title: "Base", Number: true}, {Title: "Head", Number: true}}}
	if tests {
		table.Columns = append(table.Columns, Column{Title: "Change", Number: true})
	}
	places := decimals((s.EffectCIPercent.High - s.EffectCIPercent.Low) / 2)
	for _, row := range []struct {
		name string
		of   func([]float64) stats.Number
	}{
		{meanName(s.Scale), func(x []float64) stats.Number { return typical(x, s.Scale) }},
		{"Median", median},
		{"Smallest", func(x []float64) stats.Number { return stats.Number(slices.Min(x)) }},
		{"0.9 quantile", func(x []float64) stats.Number { return stats.Quantile(x, 0.9) }},
		{"0.99 quantile", func(x []float64) stats.Number { return stats.Quantile(x, 0.99) }},
		{"Largest", func(x []float64) stats.Number { return stats.Number(slices.Max(x)) }},
	} {
		base, head := row.of(a), row.of(b)
		if !base.Exists() && !head.Exists() {
			continue // too few values for a quantile
		}
		cells := []string{row.name, Quantity(metric.Name, float64(base)), Quantity(metric.Name, float64(head))}
		if tests {
			cells = append(cells, percent(ratio(base, head), places))
		}
		table.Rows = append(table.Rows, cells)
	}
	switch {
	case !tests:
	case table.Rows[0][3] == change(s.EffectPercent, s.EffectCIPercent):
		table.Rows[0][3] = above
	default:
		table.Notes = append(table.Notes, "The effect is the mean of the changes within pairs. It differs from "+
			"the change of the means in this table.")
	}
	return table
}

// median is the middle value, or the mean of the two in the middle.
func median(values []float64) stats.Number {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return stats.Number((sorted[(n-1)/2] + sorted[n/2]) / 2)
}

// Means returns each arm's typical value of a secondary metric, or the report's means if there are no samples.
func Means(w *report.Workload, s report.Secondary) (a, b stats.Number) {
	if s.Stats == nil || s.Stats.Scale != stats.ScaleLog {
		return s.MeanA, s.MeanB
	}
	var base, head []float64
	for _, p := range w.Pairs {
		for _, side := range []struct {
			index int
			into  *[]float64
		}{{p.Base, &base}, {p.Head, &head}} {
			if side.index < 0 || side.index >= len(w.Samples) {
				return s.MeanA, s.MeanB
			}
			value, ok := w.Samples[side.index].Metrics[s.Metric]
			if !ok {
				return s.MeanA, s.MeanB
			}
			*side.into = append(*side.into, value)
		}
	}
	return typical(base, s.Stats.Scale), typical(head, s.Stats.Scale)
}

// statsPairs converts the counted pairs for package stats.
func statsPairs(w *report.Workload) []stats.Pair {
	pairs := make([]stats.Pair, len(w.Pairs))
	for i, p := range w.Pairs {
		pairs[i] = p.Of(p.A, p.B)
	}
	return pairs
}

// ArmMeans returns each arm's typical value of the primary metric. After a pre-check they are means over processes.
func ArmMeans(w *report.Workload, scale stats.Scale) (a, b stats.Number) {
	if w.Stats != nil && w.Stats.Phase == 1 {
		return w.Stats.MeanA, w.Stats.MeanB
	}
	base, head := make([]float64, len(w.Pairs)), make([]float64, len(w.Pairs))
	for i, p := range w.Pairs {
		base[i], head[i] = p.A, p.B
	}
	return typical(base, scale), typical(head, scale)
}
