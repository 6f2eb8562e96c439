package nightly

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/html"
)

// Trend converts a history for a page.
func (history History) Trend(title, version string) html.Trend {
	trend := html.Trend{Title: document.Clean(title), Version: document.Clean(version)}
	for _, name := range history.Workloads() {
		own := history.Of(name)
		trend.Workloads = append(trend.Workloads, html.TrendWorkload{
			Headline: headline(name, own), Metric: metric(own), Table: table(own),
			Nights: nights(own, Compared, Noise), Anchored: nights(own, Anchor, Baseline),
		})
	}
	return trend
}

// headline describes the state of a workload.
func headline(name string, own History) document.Headline {
	good := document.Clean(shorten(own.Good(name)))
	last := own[len(own)-1]
	one := document.Headline{Workload: document.Clean(name),
		Status:   document.Status{Word: "healthy", Icon: "✅", Glyph: "✓", Tone: document.Good},
		Sentence: fmt.Sprintf("last good revision %s, %d records, the last from %s", good, len(own), last.Night)}
	chart, alarm := own.chart(name), own.alarm(name)
	switch {
	case alarm != "":
		one.Status = document.Status{Word: "regression", Icon: "❌", Glyph: "✗", Tone: document.Bad}
		one.Caveats = []string{own.alarmCaveat(name, alarm)}
		if search := own.search(name); search != nil {
			one.Caveats = append(one.Caveats, document.Clean(search.Sentence()))
		}
	case last.Kind == Failed || last.Kind == Missing:
		one.Status = document.Status{Word: string(last.Kind), Icon: "⛔", Glyph: "!", Tone: document.Caution}
		one.Caveats = []string{document.Clean(last.Reason)}
	case chart.suspected() || own.doubted(name):
		one.Status = document.Status{Word: "suspected", Icon: "❔", Glyph: "?", Tone: document.Caution}
		one.Caveats = []string{"head was not shown to be as fast as before; the next night measures more pairs"}
	}
	return one
}

// alarmCaveat describes an open alarm.
func (history History) alarmCaveat(workload, alarm string) string {
	since, _, _ := strings.Cut(alarm, " ")
	source := alarmSource(alarm)
	named := ""
	for i := range history {
		if history[i].Workload == workload && history[i].Alarm == alarm {
			named = history[i].Named
		}
	}
	switch {
	case source == string(Baseline):
		return "slower than the baseline since " + since
	case source == byChart && named != "":
		return "slower than before, measured against the baseline, since " + since
	case source == byChart:
		return "slower than before, measured against the anchor, since " + since
	}
	return "slower than the last good revision since " + since
}

func metric(own History) string {
	for i := len(own) - 1; i >= 0; i-- {
		if own[i].Metric != "" {
			return document.Clean(own[i].Metric)
		}
	}
	return "metric"
}

// nights returns the measured nights of the given kinds.
func nights(own History, kinds ...Kind) []html.TrendNight {
	var list []html.TrendNight
	for i := range own {
		record := &own[i]
		if !slices.Contains(kinds, record.Kind) {
			continue
		}
		night, err := time.Parse(time.DateOnly, record.Night)
		if err != nil { // readHistory has validated it
			continue
		}
		one := html.TrendNight{Night: night, Change: -record.Effect.Float(), Low: -record.CI.High, High: -record.CI.Low,
			Mean: record.MeanB.Float(), Alarm: record.Alarm != "" || record.Confirmed}
		if !record.Effect.Exists() {
			one.Change = math.NaN()
		}
		list = append(list, one)
	}
	return list
}

func table(own History) document.Table {
	out := document.Table{Columns: []document.Column{
		{Title: "Night", Whole: true}, {Title: "Kind"}, {Title: "Base", Code: true}, {Title: "Head", Code: true},
		{Title: "Change", Number: true}, {Title: "95 % CI", Number: true}, {Title: "Pairs", Number: true},
		{Title: "Chart"}, {Title: "Verdict"}}}
	for i := len(own) - 1; i >= 0; i-- { // newest first
		record := own[i]
		change, interval := "", ""
		if record.Effect.Exists() {
			change = signed(record.Effect.Float())
		}
		if record.CI.Exists() {
			interval = signedInterval(record.CI)
		}
		verdict := record.verdictText()
		if record.Search != nil {
			verdict += ": " + record.Search.Sentence()
		}
		base, head := document.Clean(shorten(record.Base)), document.Clean(shorten(record.Head))
		out.Rows = append(out.Rows, []string{record.Night, string(record.Kind), base, head, change, interval,
			fmt.Sprint(record.Pairs), record.Chart.words(), document.Clean(verdict)})
	}
	return out
}
