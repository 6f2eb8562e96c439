package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/stats"
)

// Answer is the summary of a report. Its numbers are not repeated elsewhere in a document.
type Answer struct {
	// Lead is the headline of the run: the workload's own, or with several workloads the number of each verdict.
	Lead Headline
	// Table has a row per workload if there are several. It has no rows if Lead says everything.
	Table Table
	// Bars are the intervals of the workloads, to be drawn. Lower and Higher name a change below and above 0.
	Bars          []Bar
	Lower, Higher string
}

// Bar is a change of head against base with its interval, in percent.
type Bar struct {
	Name              string
	Low, Change, High float64
}

// severity orders verdicts: the first one that occurs in a run is the run's.
var severity = []Status{
	failedStatus, StatusOf(stats.Regression), undecidedStatus, partialStatus,
	StatusOf(stats.Borderline), StatusOf(stats.Inconclusive),
	StatusOf(stats.Improvement), StatusOf(stats.Negligible), StatusOf(stats.Equivalent),
}

// answer derives the summary of a report.
func answer(r *report.Report, all []Headline) Answer {
	a := Answer{Lower: "lower", Higher: "higher"}
	if timed(r) {
		a.Lower, a.Higher = "faster", "slower"
	}
	for i := range r.Workloads {
		if w := &r.Workloads[i]; decided(r, w) {
			a.bar(w.Name, w.Stats.EffectPercent, heldInterval(w))
		}
	}
	failed := r.State == report.Failed
	own := all[max(0, len(all)-len(r.Workloads)):]
	busy := slices.ContainsFunc(r.Workloads, func(w report.Workload) bool { return w.Busy != nil })
	if len(own) == 1 && (!failed || busy) {
		a.Lead = own[0]
		return a
	}
	a.Lead = lead(r, own)
	if len(own) == 0 {
		a.Lead = all[0]
	}
	if failed && !busy {
		a.Lead = all[0]
	}
	if r.State != report.Complete && len(r.Workloads) > 0 {
		for _, h := range own {
			a.Lead.Findings = append(a.Lead.Findings, h.Workload+": "+h.Sentence)
		}
		for _, h := range own {
			for _, finding := range h.Findings {
				if !slices.Contains(a.Lead.Findings, finding) {
					a.Lead.Findings = append(a.Lead.Findings, finding)
				}
			}
		}
	}
	if len(r.Workloads) > 0 {
		a.Lead.Caveats = sharedCaveats(r, own)
	}
	if r.State == report.Complete {
		a.rows(r, own)
	}
	return a
}

// timed reports whether the primary metric of every workload is a time.
func timed(r *report.Report) bool {
	return !slices.ContainsFunc(r.Workloads, func(w report.Workload) bool {
		return !strings.HasSuffix(w.Metric.Name, "_seconds")
	})
}

func (a *Answer) bar(name string, effect stats.Number, ci stats.Interval) {
	if effect.Exists() && ci.Exists() {
		a.Bars = append(a.Bars, Bar{Name: name, Low: -ci.High, Change: -float64(effect), High: -ci.Low})
	}
}

// lead counts the verdicts of several workloads.
func lead(r *report.Report, own []Headline) Headline {
	var h Headline
	var counts []string
	for _, status := range severity {
		n := 0
		for _, one := range own {
			if one.Status.Word == status.Word {
				n++
			}
		}
		if n == 0 {
			continue
		}
		if h.Status.Word == "" {
			h.Status = status
		}
		switch status.Word {
		case string(stats.Regression), string(stats.Improvement):
			counts = append(counts, plural.Of(n, status.Word))
		default:
			counts = append(counts, fmt.Sprint(n, " ", status.Word))
		}
	}
	h.Sentence = counted(r) + ": " + strings.Join(counts, ", ")
	return h
}

// sharedCaveats lists each caveat of several workloads once, with its workloads. A regression outside the primary
// metric is one of them, because the table shows only the primary metric.
func sharedCaveats(r *report.Report, own []Headline) []string {
	var texts []string
	of := map[string][]string{}
	for i, h := range own {
		list := h.Caveats
		if w := &r.Workloads[i]; decided(r, w) {
			list = append(breaches(r, w), list...)
		}
		for _, text := range list {
			if of[text] == nil {
				texts = append(texts, text)
			}
			of[text] = append(of[text], h.Workload)
		}
	}
	for i, text := range texts {
		names := of[text]
		switch {
		case len(own) == 1:
		case len(names) == len(own):
			texts[i] = "all " + rowNoun(r) + ": " + text
		case len(names) > mostNames:
			texts[i] = fmt.Sprintf("%s and %d more %s: %s", strings.Join(names[:mostNames], ", "),
				len(names)-mostNames, rowNoun(r), text)
		default:
			texts[i] = strings.Join(names, ", ") + ": " + text
		}
	}
	return texts
}

// mostNames bounds the number of workloads that a caveat lists.
const mostNames = 4

// rows fills the table and appends the geometric mean.
func (a *Answer) rows(r *report.Report, own []Headline) {
	a.Table.Columns = []Column{{Title: rowTitle(r), Breakable: true}, {Title: "Change", Number: true},
		{Title: intervalTitle(r), Number: true}, {Title: "Verdict"}, {Title: "Metric", Breakable: true}}
	for i := range r.Workloads {
		w := &r.Workloads[i]
		row := []string{rowName(r, w), absent, absent, own[i].Status.Glyph + " " + own[i].Status.Word, w.Metric.Name}
		if decided(r, w) {
			row[1] = change(w.Stats.EffectPercent, heldInterval(w))
			row[2] = changeInterval(heldInterval(w))
		}
		a.Table.Rows = append(a.Table.Rows, row)
	}
	for _, head := range r.EachHead() {
		a.geometricMean(head, len(r.Heads) > 0)
	}
	if len(r.Heads) > 0 {
		a.Table.Notes = append(a.Table.Notes, severalNote(r))
	}
}

// intervalTitle names the intervals by their confidence level, if all have the same.
func intervalTitle(r *report.Report) string {
	title := ""
	for i := range r.Workloads {
		if w := &r.Workloads[i]; decided(r, w) {
			own := confidence(w.Stats.Alpha) + " CI"
			if title != "" && title != own {
				return "CI"
			}
			title = own
		}
	}
	if title == "" {
		return "CI"
	}
	return title
}

// geometricMean appends the row of the mean over the workloads. All must have a verdict on the same metric: otherwise
// the mean would depend on which workloads happened to finish.
func (a *Answer) geometricMean(r *report.Report, several bool) {
	if len(r.Workloads) == 0 {
		return
	}
	first := &r.Workloads[0]
	var list []stats.Measured
	for i := range r.Workloads {
		w := &r.Workloads[i]
		if !decided(r, w) || w.Metric.Name != first.Metric.Name || w.Stats.Alpha != first.Stats.Alpha {
			return
		}
		list = append(list, stats.Measured{Result: w.Stats, Pairs: statsPairs(w), Sequential: w.Sequential != nil})
	}
	mean, ok := stats.GeometricMeanOf(list, first.Stats.Alpha)
	if !ok {
		return
	}
	name := "geometric mean"
	if several {
		name += " " + Clean(r.Head.Label())
	}
	a.Table.Rows = append(a.Table.Rows, []string{name, change(mean.EffectPercent, mean.EffectCIPercent),
		changeInterval(mean.EffectCIPercent), "", first.Metric.Name})
	a.bar(name, mean.EffectPercent, mean.EffectCIPercent)
	note := "The geometric mean weights every workload equally and decides no verdict."
	if mean.NoInterval != "" {
		note += " It has no interval: " + mean.NoInterval + "."
	}
	if !slices.Contains(a.Table.Notes, note) {
		a.Table.Notes = append(a.Table.Notes, note)
	}
}

// changed lists the changes of a workload besides its primary metric, in a run of several workloads.
func changed(r *report.Report, h Headline) []Block {
	if r.State != report.Complete || len(r.Workloads) < 2 || len(h.Findings) == 0 {
		return nil
	}
	return []Block{List(slices.Clone(h.Findings))}
}

// Brief reduces a document to its answer, and to the cause of a failure.
func (d Document) Brief() Document {
	d.Sections = slices.DeleteFunc(slices.Clone(d.Sections), func(s Section) bool { return s.ID != Failure })
	return d
}

// Leads returns the headlines to show first: the answer's, or all if there is no answer.
func (d Document) Leads() []Headline {
	if d.Answer.Lead.Sentence != "" {
		return []Headline{d.Answer.Lead}
	}
	return d.Headlines
}
