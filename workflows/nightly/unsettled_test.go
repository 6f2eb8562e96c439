package nightly

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/stats"
)

// unsettledNight is a record of a night that did not show non-inferiority, with a point of the chart.
func unsettledNight(n int, better float64) Record {
	record := empty(night(n).Format("2006-01-02"), "w", Compared)
	record.Base, record.Head, record.Good, record.Metric = "anchor", sha(n), "anchor", "m"
	record.Better, record.Within = stats.Number(better), 0.1
	record.Chart = &Chart{Anchor: "anchor", Metric: "m"}
	return record
}

// settledNight is a night that showed non-inferiority, after which the chart's reference has the given number of
// points.
func settledNight(n, points int) Record {
	record := unsettledNight(n, 0)
	record.NonInferior = true
	record.Chart.Reference = Points{Sample: stats.Sample{N: points, DF: points - 1, Squares: 0.3 * float64(points-1)},
		Within: 0.1, Weight: points}
	return record
}

// issueOf returns what happens to a workload's issue when such a night ends.
func issueOf(history History, unsettled int) Conclusion {
	last := len(history) - 1
	plan := Plan{Alpha: 0.05, Unsettled: unsettled, Workloads: []WorkloadPlan{{Name: "w", Anchor: "anchor", Margin: 1}}}
	step := step{before: history[:last], night: &plan, plan: &plan.Workloads[0], records: []*Record{&history[last]}}
	return step.conclude(func() History { return history })[0]
}

// Consecutive inconclusive nights open an issue if there are enough of them and they are inconclusive together.
// nightly.unsettled is their number.
func TestUnsettledNightsOpenAnIssue(t *testing.T) {
	for _, test := range []struct {
		better    float64
		nights    int
		unsettled int
		points    int // of the reference before them
		want      IssueState
	}{
		{-2, 9, 10, 20, leave},
		{-2, 10, 10, 20, open},
		{-2, 10, 0, 20, open}, // the default
		{-2, 9, 0, 20, leave},
		{-2, 3, 3, 20, open},
		{-0.3, 10, 10, 20, leave}, // each alone shows nothing, all together do
		{-0.3, 10, 10, 2, open},   // not against a reference of two points
		{-0.9, 10, 10, 20, open},
	} {
		history := History{settledNight(0, test.points)}
		for n := range test.nights {
			history = append(history, unsettledNight(n+1, test.better))
		}
		got := issueOf(history, test.unsettled)
		said := strings.Contains(got.Body, fmt.Sprintf("For %d nights in a row", test.nights)) &&
			strings.Contains(got.Title, fmt.Sprintf("has been unsettled for %d nights", test.nights))
		if got.Issue != test.want || got.Marker != Marker("w") || said != (test.want == open) {
			t.Errorf("%+v: %s, %q\n%s", test, got.Issue, got.Title, got.Body)
		}
	}
}

// Events that end a streak of unsettled nights, and nights that do not count in it.
func TestStreakOfUnsettledNights(t *testing.T) {
	other := func(n int, change func(record *Record)) Record {
		record := unsettledNight(n, -2)
		change(&record)
		return record
	}
	for name, test := range map[string]struct {
		middle Record
		want   int // nights in the streak, of four and the one in the middle
	}{
		"unsettled":              {unsettledNight(3, -2), 5},
		"settled":                {settledNight(3, 20), 2},
		"failed":                 {other(3, func(r *Record) { r.Kind, r.Chart = Failed, nil }), 4},
		"missing":                {other(3, func(r *Record) { r.Kind, r.Chart = Missing, nil }), 4},
		"accepted":               {other(3, func(r *Record) { r.Kind, r.Chart = Accepted, nil }), 2},
		"under an alarm":         {other(3, func(r *Record) { r.Alarm = "2026-03-04 chart" }), 2},
		"the end of an alarm":    {other(3, func(r *Record) { r.Ended = "2026-03-04 chart" }), 2},
		"head is the good one":   {other(3, func(r *Record) { r.Kind = Noise }), 2},
		"another workload":       {other(3, func(r *Record) { r.Workload = "v" }), 4},
		"non-inferior, suspect":  {other(3, func(r *Record) { r.NonInferior, r.Chart.Step = true, suspectedAt }), 5},
		"of the night before it": {other(2, func(*Record) {}), 4},
	} {
		history := History{settledNight(0, 20), unsettledNight(1, -2), unsettledNight(2, -2), test.middle,
			unsettledNight(4, -2), unsettledNight(5, -2)}
		if got := history.streak("w").nights; got != test.want {
			t.Errorf("%s: %d nights, want %d", name, got, test.want)
		}
	}
}

// Accepting on the date of a night ends the streak, whatever the night's result. So does a night of noise, whose chart
// may still be suspected.
func TestAcceptingEndsTheStreak(t *testing.T) {
	for _, kind := range []Kind{Accepted, Noise} {
		same := unsettledNight(2, -2)
		same.Kind, same.Chart = kind, &Chart{Step: suspectedAt}
		history := History{settledNight(0, 20), unsettledNight(1, -2), unsettledNight(2, -2), same, unsettledNight(3, -2)}
		if got := history.streak("w").nights; got != 1 {
			t.Errorf("%s: %d nights, want 1", kind, got)
		}
	}
}

// Only points of the chart's anchor and metric make nights conclusive together, each commit once.
func TestSettledTogether(t *testing.T) {
	row := func(change func(records []Record)) bool {
		history := History{settledNight(0, 20)}
		for n := range 10 {
			history = append(history, unsettledNight(n+1, -0.3))
		}
		change(history[1:])
		found := history.streak("w")
		return found.settledTogether(1, 0.05)
	}
	for name, test := range map[string]struct {
		change func(records []Record)
		want   bool
	}{
		"ten commits":     {func([]Record) {}, true},
		"another metric":  {func(records []Record) { records[4].Metric = "other" }, false},
		"another anchor":  {func(records []Record) { records[4].Base = "other" }, false},
		"without a point": {func(records []Record) { clearCharts(records) }, false},
		"one commit": {func(records []Record) {
			for i := range records {
				records[i].Head = sha(1)
			}
		}, false},
	} {
		if got := row(test.change); got != test.want {
			t.Errorf("%s: settled is %v, want %v", name, got, test.want)
		}
	}
}

func clearCharts(records []Record) {
	for i := range records {
		records[i].Chart = nil
	}
}

// If a workload becomes slower while its anchor no longer builds, the chart is silent. An issue opens after the number
// of nights in bench.yaml.
func TestSilentChartOpensAnIssue(t *testing.T) {
	one := newSeries(newHost(1, 0, 0, 5), false)
	for range 3 {
		one.night(0)
	}
	for i := range one.history {
		one.history[i].Chart = nil
	}
	opened := 0
	for n := range defaultUnsettled {
		one.night(1.2)
		for i := range one.history {
			one.history[i].Chart, one.history[i].Alarm = nil, ""
		}
		if one.unsettled && opened == 0 {
			opened = n + 1
		}
	}
	if opened != defaultUnsettled {
		t.Errorf("an issue after %d nights, want %d", opened, defaultUnsettled)
	}
}
