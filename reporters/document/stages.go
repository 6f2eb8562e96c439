package document

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/stats"
)

// StageTitle is the title of a stage where its unit is shown separately. It distinguishes device time and host time.
func StageTitle(metric string) string {
	switch metric {
	case metrics.Unstaged:
		return "in no stage"
	case metrics.Outside:
		return "outside of prove_seconds"
	}
	name, part, _ := metrics.StageOf(metric)
	name = strings.ReplaceAll(name, "_", " ")
	if part != metrics.StageTime {
		name += fmt.Sprintf(" (%s)", part)
	}
	return name
}

// stages is the table of stages: time, change, and contribution to the total time.
func stages(r *report.Report, w *report.Workload) []Block {
	table := Table{Columns: []Column{
		{Title: "Stage"}, {Title: "Base", Number: true}, {Title: "Head", Number: true}, {Title: "Change", Number: true},
		{Title: "Of total time", Number: true}, {Title: "Adjusted CI", Number: true}, {Title: "Note"},
	}}
	level, parts := 0.0, false
	var base, head float64
	for _, s := range w.Secondary {
		if s.Kind != report.KindStage {
			continue
		}
		row := []string{StageTitle(s.Metric), Quantity(s.Metric, float64(s.MeanA)), Quantity(s.Metric, float64(s.MeanB)),
			absent, absent, absent, stageNote(r, s)}
		if s.Stats != nil && s.MeanA > 0 && s.MeanB > 0 {
			row[3] = change(s.Stats.EffectPercent, s.Stats.EffectCIPercent)
		}
		if c := s.Contribution; c != nil && complete(r) {
			level = c.Level
			base, head = base+float64(s.MeanA), head+float64(s.MeanB)
			row[4], row[5] = ofTotal(c), absent
			if c.PercentCI.Exists() && c.PercentCI.High > c.PercentCI.Low {
				row[5] = signedInterval(c.PercentCI, totalPlaces(c)) + " %"
			}
		}
		_, part, _ := metrics.StageOf(s.Metric)
		parts = parts || part == metrics.StageHost
		table.Rows = append(table.Rows, row)
	}
	if len(table.Rows) == 0 {
		return nil
	}
	if level > 0 {
		table.Notes = append(table.Notes,
			fmt.Sprintf("Base and head are arithmetic means. The rows with a share of the total time add up to %s for base "+
				"and %s for head.", Quantity("_seconds", base), Quantity("_seconds", head)),
			fmt.Sprintf("\"Of total time\" is head's time minus base's, in percent of base's total time. Each interval has a "+
				"confidence level of %s: the chance of any false call over all stages is at most a fifth of alpha.",
				confidence(level)))
	}
	if parts {
		table.Notes = append(table.Notes, "The host's part of a stage is the duration of its calls minus the device's time. "+
			"It is negative if a call returned before the device had finished: a later stage then includes the wait.")
	}
	if r.Plan.StageMargin > 0 {
		table.Notes = append(table.Notes,
			fmt.Sprintf("A stage whose interval lies beyond the margin of %s of the total time is a regression.", marginOf(r)))
	}
	return []Block{table}
}

// marginOf formats the margin of stages.
func marginOf(r *report.Report) string { return fmt.Sprintf("%.4g %%", 100*r.Plan.StageMargin) }

// stageMargin formats that margin, or explains its absence.
func stageMargin(r *report.Report) string {
	if r.Plan.StageMargin == 0 {
		return "none: stages decide no verdict"
	}
	return marginOf(r) + " of the total time"
}

// totalPlaces is the number of decimals of a contribution in percent.
func totalPlaces(c *stats.Contribution) int {
	return decimals((c.PercentCI.High - c.PercentCI.Low) / 2)
}

// ofTotal formats a contribution in percent of the total time.
func ofTotal(c *stats.Contribution) string { return percent(c.Percent, totalPlaces(c)) }

// signedInterval formats an interval of changes.
func signedInterval(ci stats.Interval, places int) string {
	low, _ := strings.CutSuffix(percent(stats.Number(ci.Low), places), " %")
	high, _ := strings.CutSuffix(percent(stats.Number(ci.High), places), " %")
	return low + " to " + high
}

// stageNote annotates the numbers of a stage.
func stageNote(r *report.Report, s report.Secondary) string {
	notes := controlNotes(r, s)
	if s.Untested != "" && s.Contribution == nil {
		notes = append(notes, "untested: "+s.Untested)
	}
	switch c := s.Contribution; {
	case c == nil || !complete(r) || !c.Changed:
	case c.Regression:
		notes = append(notes, "slower, beyond the margin")
	case c.Mean > 0:
		notes = append(notes, "slower")
	default:
		notes = append(notes, "faster")
	}
	return strings.Join(notes, "; ")
}

// stageFindings lists every stage whose adjusted interval excludes 0, largest contribution first.
func stageFindings(w *report.Workload) []string {
	var changed []report.Secondary
	for _, s := range w.Secondary {
		if s.Contribution != nil && s.Contribution.Changed {
			changed = append(changed, s)
		}
	}
	slices.SortStableFunc(changed, func(s, t report.Secondary) int {
		return int(math.Copysign(1, math.Abs(t.Contribution.Mean.Float())-math.Abs(s.Contribution.Mean.Float())))
	})
	var list []string
	for _, s := range changed {
		c := s.Contribution
		size, unit := Unit(s.Metric, math.Max(math.Abs(c.CI.Low), math.Abs(c.CI.High)))
		places := decimals((c.CI.High - c.CI.Low) / 2 / size)
		ms, _ := strings.CutSuffix(percent(c.Mean/stats.Number(size), places), " %")
		text := StageTitle(s.Metric)
		if _, _, named := metrics.StageOf(s.Metric); named {
			text = "stage " + text
		}
		if s.Stats != nil {
			text += " " + change(s.Stats.EffectPercent, s.Stats.EffectCIPercent)
		}
		list = append(list, fmt.Sprintf("%s: %s of the total time, %s %s (%s CI %s %s)", text, ofTotal(c), ms, unit,
			confidence(c.Level),
			signedInterval(stats.Interval{Low: c.CI.Low / size, High: c.CI.High / size}, places), unit))
	}
	return list
}
