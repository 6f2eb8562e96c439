package document

import (
	"fmt"
	"path/filepath"

	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/stats"
)

// figures returns the blocks of numbers for a workload's primary metric.
func figures(r *report.Report, w *report.Workload) []Block {
	result := Described(w)
	if result == nil {
		return nil
	}
	if w.Stats != nil && w.Stats.Phase == 1 {
		return aloneFigures(w)
	}
	blocks := statistics(w.Metric, result, statsPairs(w), r.PairsPlanned(), complete(r) && w.Stats != nil)
	if r.Paths.Directory != "" {
		blocks = append(blocks, Facts{Rows: []Fact{{
			Label: "Raw pairs, in the folder of the run", Value: filepath.Join(w.Name, "pairs.csv"), Code: true,
		}}})
	}
	return blocks
}

// Described returns the statistics of a workload. If the run ended early, it returns those of the existing pairs, of
// which only means, changes and stability may be shown. It is nil if there is nothing to describe.
func Described(w *report.Workload) *stats.Result {
	if w.Stats != nil {
		return w.Stats
	}
	result, err := stats.Analyze(statsPairs(w), stats.Options{Scale: w.Metric.Scale})
	if err != nil {
		return nil // no pairs, or values that the scale cannot take
	}
	result.Verdict = ""
	return &result
}

// statistics lays out a result. Without tests it omits p-values and intervals.
func statistics(metric metrics.Metric, s *stats.Result, pairs []stats.Pair, planned int, tests bool) []Block {
	blocks := []Block{armsTable(metric, s, pairs, tests), sample(s, planned, tests)}
	if tests {
		blocks = append(blocks, student(s), flips(s), signedRank(s), order(s), planning(s))
	}
	return append(blocks, stability(s, pairs, tests))
}

// sample shows the sample size and the sampling unit.
func sample(s *stats.Result, planned int, tests bool) Facts {
	count := fmt.Sprint(s.Pairs)
	if planned != s.Pairs {
		count = fmt.Sprintf("%d of %d planned", s.Pairs, planned)
	}
	rows := []Fact{{Label: "Pairs", Value: count}}
	if tests {
		rows = append(rows, Fact{Label: "Sampling unit", Value: fmt.Sprintf("%s (%d of them)", UnitName(s.Unit), s.Units)})
	}
	if tests && s.Processes > 0 {
		rows = append(rows, Fact{Label: "Processes per arm", Value: fmt.Sprint(s.Processes)})
	}
	if tests && s.Builds > 0 {
		rows = append(rows, Fact{Label: "Builds per arm", Value: fmt.Sprint(s.Builds)})
	}
	return Facts{Title: "Sample", Rows: rows}
}

// UnitName is the name of a sampling unit in prose. Package stats calls a process a launch.
func UnitName(unit stats.Unit) string {
	if unit == stats.UnitProcess {
		return "process"
	}
	return string(unit)
}

// unitOfD names the unit of d on a scale.
func unitOfD(scale stats.Scale) string {
	switch scale {
	case stats.ScaleLog:
		return "d = log base - log head"
	case stats.ScalePercent:
		return "d = 100 (base - head) / base"
	}
	return "d = base - head"
}

func student(s *stats.Result) Facts {
	t := s.T
	return Facts{Title: "Paired t over units, " + unitOfD(s.Scale), Rows: []Fact{
		{Label: "Mean, above 0: head is lower", Value: number(t.Mean)},
		{Label: "Standard deviation", Value: number(t.SD)},
		{Label: "Standard error", Value: number(t.SE)},
		{Label: confidence(s.Alpha) + " CI", Value: interval(t.CI)},
		{Label: "Degrees of freedom", Value: fmt.Sprint(t.DF)},
		{Label: "t", Value: number(t.T)},
		{Label: "Critical t", Value: number(t.Critical)},
		{Label: "p, two-sided", Value: PValue(t.P)},
	}}
}

// flips shows the randomization test over units, and the standard deviations within and between units.
func flips(s *stats.Result) Facts {
	f := s.SignFlip
	return Facts{Title: "Sign-flip over units", Rows: []Fact{
		{Label: "p, two-sided, " + f.Method, Value: PValue(f.P)},
		{Label: "Smallest attainable p", Value: PValue(f.MinP)},
		{Label: "SD of a pair", Value: number(s.Spread.Pair)},
		{Label: "SD within a unit", Value: number(s.Spread.Within)},
		{Label: "SD between units", Value: number(s.Spread.Between)},
	}}
}

func signedRank(s *stats.Result) Facts {
	w, h := s.Wilcoxon, s.HodgesLehmann
	rows := []Fact{
		{Label: "Median of d", Value: number(s.MedianD)},
		{Label: "Ranked units", Value: fmt.Sprintf("%d, zeros %d, ties %d", w.N, w.Zeros, w.Ties)},
		{Label: "W+", Value: number(w.WPlus)},
		{Label: "W-", Value: number(w.WMinus)},
		{Label: "p, two-sided, " + w.Method, Value: PValue(w.P)},
		{Label: "z, continuity-corrected", Value: number(w.Z)},
		{Label: "Hodges-Lehmann estimate", Value: number(h.Estimate)},
		{Label: "Its interval", Value: interval(h.CI)},
		{Label: "Its confidence", Value: share(h.Confidence)},
	}
	return Facts{Title: "Wilcoxon signed-rank", Rows: rows}
}

func order(s *stats.Result) Facts {
	o := s.Order
	return Facts{Title: "Order effect (AB minus BA)", Rows: []Fact{
		{Label: "Effect", Value: number(o.Effect)},
		{Label: "p", Value: PValue(o.P)},
		{Label: "Order-adjusted mean", Value: number(o.AdjustedMean)},
		{Label: "Its CI", Value: interval(o.AdjustedCI)},
		{Label: "Its p", Value: PValue(o.AdjustedP)},
	}}
}

func planning(s *stats.Result) Facts {
	equivalent := "no"
	switch {
	case !s.TOST.P.Exists():
		equivalent = "not tested"
	case s.TOST.Equivalent:
		equivalent = "yes"
	}
	needed := absent
	if s.PairsNeeded.Exists() {
		needed = digits(float64(s.PairsNeeded), 7)
	}
	detectable := absent
	switch {
	case !s.MinimumDetectableEffect.Exists():
	case s.MinimumDetectableEffect <= s.TOST.Margin:
		detectable = "the margin"
	default:
		detectable = fixed(s.Percent(float64(s.MinimumDetectableEffect)), 2) + " %"
	}
	return Facts{Title: "Equivalence and power", Rows: []Fact{
		{Label: "Margin", Value: marginText(s)},
		{Label: "TOST p", Value: PValue(s.TOST.P)},
		{Label: "Equivalent", Value: equivalent},
		{Label: "Pairs for 80 % power at the margin", Value: needed},
		{Label: "Detectable with these pairs", Value: detectable},
	}}
}

func marginText(s *stats.Result) string {
	if !s.TOST.Margin.Exists() {
		return "none"
	}
	return number(s.TOST.Margin)
}

func stability(s *stats.Result, pairs []stats.Pair, tests bool) Facts {
	x := s.Stability
	var rows []Fact
	if s.Unit != stats.UnitHost { // a joined report has no single order of pairs
		rows = []Fact{
			{Label: "CV of base", Value: share(x.CVA)},
			{Label: "CV of head", Value: share(x.CVB)},
			{Label: "Drift over the run", Value: share(x.Drift)},
			{Label: "Second half against first", Value: share(x.HalfShift)},
			{Label: "Lag-1 autocorrelation", Value: number(x.Lag1)},
		}
	}
	if tests {
		scatter := stats.CompareScatter(pairs, s.Scale)
		rows = append(rows, Fact{
			Label: "Scatter, head over base",
			Value: number(scatter.Ratio),
		}, Fact{Label: "p of equal scatter", Value: PValue(scatter.P)})
	}
	return Facts{Title: "Stability", Rows: rows}
}

// analyses is the table of the interim analyses of a group-sequential plan.
func analyses(r *report.Report, w *report.Workload) []Block {
	if w.Sequential == nil {
		return nil
	}
	table := Table{Columns: []Column{
		{Title: "Pairs", Number: true}, {Title: "Level", Number: true}, {Title: "Alpha spent", Number: true},
		{Title: "p of both tests", Number: true}, {Title: "Repeated CI of the change"}, {Title: "Outcome"},
	}}
	for _, analysis := range w.Sequential.Analyses {
		row := []string{fmt.Sprint(analysis.Pairs), PValue(stats.Number(analysis.Level)),
			PValue(stats.Number(analysis.Spent)), absent, absent, "not reached"}
		switch {
		case !complete(r):
			row[5] = absent
		case analysis.CI.Exists() && w.Stats != nil:
			row[3] = PValue(analysis.P)
			row[4] = changeInterval(stats.Interval{Low: w.Stats.Percent(analysis.CI.Low),
				High: w.Stats.Percent(analysis.CI.High)})
			row[5] = "continued"
			if analysis.Pairs == r.Plan.Pairs {
				row[5] = "last analysis"
			}
			if analysis.Stopped {
				row[5] = "boundary crossed"
			}
			if analysis.Stopped && float64(analysis.P) > analysis.Level {
				row[5] = "equivalent"
			}
		}
		table.Rows = append(table.Rows, row)
	}
	for _, analysis := range w.Sequential.LeftOut {
		table.Notes = append(table.Notes, fmt.Sprintf(
			"The interim analysis at %d pairs could end the run only for equivalence: the smallest attainable p of the "+
				"sign-flip test is %s there, above the level %s.",
			analysis.Pairs, PValue(stats.Number(analysis.MinP)), PValue(stats.Number(analysis.Level))))
	}
	return []Block{table}
}
