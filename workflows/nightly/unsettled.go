package nightly

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/chiasmus/chiasmus/stats"
)

// defaultUnsettled is the default number of consecutive unsettled nights that opens an issue.
const defaultUnsettled = 10

// A streak is the newest consecutive nights that left a workload unsettled: without an alarm, and either not shown to
// be non-inferior or suspected by the chart.
type streak struct {
	nights int
	points []*Record // of the chart, one per commit, newest first
	before Chart     // the chart before these nights
}

// streak returns the unsettled nights at the end of a history. A failed or unmeasured night neither counts nor
// interrupts the streak.
func (history History) streak(workload string) streak {
	var row streak
	heads := map[string]bool{}
	own := history.Of(workload)
	for end := len(own); end > 0; {
		start := end - 1
		for start > 0 && own[start-1].Night == own[end-1].Night {
			start--
		}
		night := own[start:end]
		end = start
		if !slices.ContainsFunc(night, func(record Record) bool { return record.measured() || record.Kind == Accepted }) {
			continue
		}
		if !night.unsettled() {
			row.before = own[:start+len(night)].chart(workload)
			break
		}
		row.nights++
		for i := range night {
			if record := &night[i]; record.Chart != nil && !heads[record.Head] {
				heads[record.Head] = true
				row.points = append(row.points, record)
			}
		}
	}
	return row
}

// unsettled reports whether the records of one night leave the workload unsettled. If a date has several runs, the
// newest counts.
func (history History) unsettled() bool {
	doubted, suspected := false, false
	for i := range history {
		record := &history[i]
		if record.Kind == Accepted || record.Kind == Noise || record.Alarm != "" || record.Ended != "" {
			return false
		}
		if record.Kind == Compared {
			doubted = !record.NonInferior
		}
		if record.Chart != nil {
			suspected = record.Chart.suspected()
		}
	}
	return doubted || suspected
}

// settledTogether reports whether the nights of a streak together show that head is not slower by the margin than the
// chart's reference before them, although no single night settled the question. If builds scatter, the last good
// revision may be a lucky build, against which many healthy nights cannot show non-inferiority.
func (row *streak) settledTogether(margin, alpha float64) bool {
	reference := &row.before.Reference
	var held Points
	for _, record := range row.points {
		if record.Base != row.before.Anchor || record.Metric != row.before.Metric {
			return false
		}
		held = held.and(point(record.Better.Float(), record.Within.Float()))
	}
	if reference.N == 0 || held.N == 0 {
		return false
	}
	deviation := row.before.deviation(held.Within, margin)
	test := stats.TTest{
		Mean: stats.Number(held.Mean - reference.Mean),
		SE:   stats.Number(deviation * math.Sqrt(1/float64(reference.N)+1/float64(held.N))),
		SD:   stats.Number(math.NaN()),
		DF:   reference.DF + unknownWeight,
	}
	return stats.NonInferiority(test, stats.Number(margin), alpha/analyses, false).Shown
}

// tooLongUnsettled returns the length of the streak of unsettled nights if it is long enough to open an issue and its
// nights together do not settle the question, else 0.
func (night *step) tooLongUnsettled(history History) int {
	row := history.streak(night.plan.Name)
	enough := row.nights >= cmp.Or(night.night.Unsettled, defaultUnsettled)
	if !enough || row.settledTogether(night.plan.Margin, night.night.Alpha) {
		return 0
	}
	return row.nights
}

// unsettledText describes a workload that may have become slower, and the possible actions.
func unsettledText(workload, good string, nights int) string {
	return fmt.Sprintf("For %d nights in a row the workload %s was not shown to be as fast as at its last good revision "+
		"%s, and these nights together do not show it either. No test shows that it is slower. More pairs "+
		"(`nightly.pairs`) or a quieter host would settle the question; `harness nightly accept SHA --reason TEXT` accepts "+
		"head as good.\n\n",
		nights, plain(workload), plain(good))
}
