package document

import (
	"fmt"

	"github.com/chiasmus/chiasmus/stats"
)

// Apart lays out a comparison of samples measured one after the other. name identifies their source.
func Apart(name string, r *stats.Apart) Document {
	d := Document{Title: name}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		h := Headline{Status: apartStatus(c.Verdict), Sentence: apartSentence(c, r.Alpha)}
		if len(r.Comparisons) > 1 {
			h.Workload = c.Name
		}
		d.Headlines = append(d.Headlines, h)
	}
	if len(d.Headlines) == 1 {
		d.Answer.Lead = d.Headlines[0]
	}
	var list []string
	for _, w := range r.Warnings {
		list = append(list, w.String())
	}
	d.add("", Warnings, "Warnings", false, List(list))
	d.add("", Figures, "Figures", false, apartTable(r))
	d.clean()
	return d
}

// apartStatus is the presentation of a verdict on such samples, which is never good or bad.
func apartStatus(v stats.ApartVerdict) Status {
	switch v {
	case stats.ApartDiffers:
		return Status{string(v), "⚠️", "≠", Caution}
	case stats.ApartPerhaps:
		return Status{string(v), "⚠️", "±", Caution}
	}
	return Status{string(v), "❔", "?", Caution}
}

// apartMetric is the metric name that corresponds to a unit.
func apartMetric(unit string) string {
	if unit == "seconds" {
		return "run_seconds"
	}
	return unit
}

// apartSentence is Sentence for such samples. It never says that head is faster.
func apartSentence(c *stats.Comparison, alpha float64) string {
	metric := apartMetric(c.Unit)
	counts := fmt.Sprintf("%d and %d values", c.A.Values, c.B.Values)
	if !c.EffectPercent.Exists() {
		return fmt.Sprintf("the effect on %s has no percentage: mean difference %s, %s", metric, number(c.Welch.Mean), counts)
	}
	effect, ci := float64(c.EffectPercent), c.EffectCIPercent
	word, other := "lower", "higher"
	if effect < 0 {
		effect, ci = -effect, stats.Interval{Low: -ci.High, High: -ci.Low}
		word, other = other, word
	}
	places := decimals((ci.High - ci.Low) / 2)
	text := fmt.Sprintf("head's %s is %s %% %s", metric, fixed(effect, places), word)
	if effect == 0 {
		text = fmt.Sprintf("head's %s is the same", metric)
	}
	if ci.Exists() {
		text += fmt.Sprintf(", %s CI %s", confidence(alpha), bounds(ci, places, word, other))
	}
	return text + ", " + counts
}

// apartTable has a row per comparison.
func apartTable(r *stats.Apart) Table {
	table := Table{Columns: []Column{{Title: "Name"}, {Title: meanName(stats.ScaleDifference) + " of base", Number: true},
		{Title: meanName(stats.ScaleDifference) + " of head", Number: true}, {Title: "Change", Number: true},
		{Title: "CI", Number: true},
		{Title: "Welch's p", Number: true}, {Title: "Mann-Whitney's p", Number: true}, {Title: "p, Holm", Number: true}}}
	for _, c := range r.Comparisons {
		metric := apartMetric(c.Unit)
		table.Rows = append(table.Rows, []string{c.Name, Quantity(metric, float64(c.A.Mean)),
			Quantity(metric, float64(c.B.Mean)), change(c.EffectPercent, c.EffectCIPercent), changeInterval(c.EffectCIPercent),
			PValue(c.Welch.P), fmt.Sprintf("%s, %s", PValue(c.MannWhitney.P), c.MannWhitney.Method), PValue(c.PHolm)})
	}
	return table
}
