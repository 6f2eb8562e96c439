package nightly

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/stats"
)

// Thresholds for the end of an alarm.
const (
	recoveredAt  = 6.9 // log 1000
	largestRelax = 1   // per night, in standard deviations above the previous level
)

// A step computes one workload's records for a night.
type step struct {
	before  History
	night   *Plan
	plan    *WorkloadPlan
	records []*Record
	chart   Chart
	point   *Record // the point of the chart, or nil
	alarm   string  // the open alarm: at the start the previous one, at the end tonight's
}

// take advances the workload's chart, alarm and last good revision by one night.
func (night *step) take() {
	night.alarm = night.before.alarm(night.plan.Name)
	night.chart = night.before.chart(night.plan.Name)
	night.point = night.find(func(record *Record) bool { return record.Base == night.plan.Anchor && record.Kind != Noise })
	if night.alarm == "" {
		night.watch()
	} else {
		night.recover()
	}
	good := night.before.Good(night.plan.Name)
	calm := night.alarm == "" && !night.chart.suspected()
	for _, record := range night.records {
		record.Alarm = night.alarm
		switch {
		case record.Kind == Noise && good == "":
			record.Good = record.Head
		case record.Kind == Noise:
			record.Good = good
		case record.Kind == Compared && record.NonInferior && record.Base == good && calm:
			record.Good = record.Head
		case record.Kind == Compared:
			record.Good = good
		}
	}
}

func (night *step) find(wanted func(*Record) bool) *Record {
	for _, record := range night.records {
		if record.measured() && wanted(record) {
			return record
		}
	}
	return nil
}

// current reports whether a record compares with the current reference: somebody may have accepted another revision
// since the night was planned.
func (night *step) current(record *Record) bool {
	if record.Kind == Compared {
		return record.Base == night.before.Good(night.plan.Name)
	}
	return record.Base == night.before.anchor(night.plan.Name, record.Named)
}

// slower reports whether a current comparison is a confirmed regression.
func (night *step) slower(record *Record) bool { return record.Confirmed && night.current(record) }

// watch updates the chart while no alarm is open, and opens an alarm if the chart or a comparison signals.
func (night *step) watch() {
	var last Chart
	if night.point != nil {
		last, night.chart = night.follow()
	}
	slower := night.find(func(record *Record) bool { return night.slower(record) && night.witnessed(record) })
	switch {
	case slower != nil:
		night.alarm = night.before.newAlarm(slower, string(slower.Kind))
	case night.point != nil && night.chart.Signals() && night.current(night.point):
		night.alarm = night.before.newAlarm(night.point, byChart)
	default:
		return
	}
	if night.point != nil && !night.chart.suspected() {
		night.chart = last // its reference must not learn from a regression
		night.point.Chart = &last
	}
}

// witnessed reports whether the chart supports a comparison's verdict. Each last good revision was selected for being
// no slower than its predecessor. If builds scatter, this selects lucky builds, and every other commit appears slower.
// A baseline is not selected that way.
func (night *step) witnessed(record *Record) bool {
	return record.Kind != Compared || night.point == nil || !night.chart.Started() || night.chart.Score <= -pairwiseLimit
}

// follow adds tonight's point to the chart. If the commit is the same as the last point's, the new point replaces it
// and combines all nights of that commit.
func (night *step) follow() (before, after Chart) {
	point := night.point
	before, earlier := night.before.chartBefore(night.plan.Name, point.Head)
	if before.Anchor != point.Base || before.Metric != point.Metric {
		before = before.Restarted(point.Base, point.Metric)
	}
	if before.Reference.N == 0 && point.Base != point.Named {
		before.Reference = before.Reference.and(anchored())
	}
	y, within := together(append(earlier, point), point.Base, point.Metric)
	after = before.Next(y, within, night.plan.Margin, night.settled())
	point.Chart = &after
	return before, after
}

// settled reports whether head is the last good revision, or was shown to be non-inferior.
func (night *step) settled() bool {
	return night.find(func(record *Record) bool {
		return record.Kind == Noise || record.Kind == Compared && record.NonInferior && night.current(record)
	}) != nil
}

// together returns the mean and variance of one commit's figures over its nights.
func together(points []*Record, base, metric string) (mean, variance float64) {
	var weights float64
	for _, record := range points {
		if record.Base != base || record.Metric != metric {
			continue
		}
		weight := 1 / max(record.Within.Float(), 1e-12) // avoid division by zero on a noiseless host
		mean += weight * record.Better.Float()
		weights += weight
	}
	return mean / weights, 1 / weights
}

// recover accumulates the evidence for the end of the open alarm, and ends it.
func (night *step) recover() {
	evidence, prior := night.evidence()
	recovery := prior
	if evidence != nil {
		recovery = max(0, prior+night.back(evidence))
	}
	confirmed := !night.charted() && night.find(night.slower) != nil
	same := night.find(func(record *Record) bool { return record.Kind == Noise }) != nil // head is the last good revision
	ended := same || evidence != nil && !confirmed && (recovery >= recoveredAt || night.undone(evidence))
	for _, record := range night.records {
		if !record.measured() {
			continue
		}
		if record.Recovery = recovery; ended {
			record.Ended = night.alarm
		}
	}
	if !ended {
		return
	}
	night.alarm = ""
	night.chart = night.chart.calmed()
	if keeper := night.find(func(*Record) bool { return true }); keeper != nil {
		keeper.Chart = &night.chart
	}
}

// evidence returns the record that is evidence for the end of the alarm, or nil, and the evidence accumulated before. A
// commit measured on several nights counts once, with its newest record.
func (night *step) evidence() (record *Record, prior float64) {
	switch {
	case night.charted():
		record = night.point
	case alarmSource(night.alarm) == string(Baseline):
		record = night.find(func(record *Record) bool { return record.Kind == Baseline })
	default:
		record = night.find(func(record *Record) bool { return record.Kind == Compared })
	}
	for i := len(night.before) - 1; i >= 0; i-- {
		earlier := &night.before[i]
		if earlier.Workload != night.plan.Name || !earlier.measured() {
			continue
		}
		if earlier.Alarm != night.alarm {
			break
		}
		if record == nil || earlier.Head != record.Head {
			return record, earlier.Recovery
		}
	}
	return record, 0
}

// undone reports whether head is clearly better than when the alarm was opened, and non-inferior. It ends the alarm of
// a large regression in the first night after the fix, without several nights of evidence.
func (night *step) undone(evidence *Record) bool {
	if night.chart.Started() || !evidence.NonInferior { // later, a single lucky build must not end the alarm
		return false
	}
	var opened *Record
	for i := range night.before {
		record := &night.before[i]
		same := record.Kind == evidence.Kind && record.Base == evidence.Base
		if same && record.Workload == night.plan.Name && record.Alarm == night.alarm {
			opened = record
			break
		}
	}
	if opened == nil {
		return false
	}
	gain := evidence.Better.Float() - opened.Better.Float()
	return gain >= pairwiseLimit*math.Sqrt(evidence.Within.Float()+opened.Within.Float()+night.plan.Host.apart())
}

// charted reports whether the chart is evidence for the end of the alarm. A chart that is starting is evidence only for
// its own alarms. If head has always been slower than the baseline by the margin, the chart is no evidence, because its
// level is no target.
func (night *step) charted() bool {
	reference, source := &night.chart.Reference, alarmSource(night.alarm)
	if night.point == nil || reference.N == 0 || !night.chart.Started() && source != byChart {
		return false
	}
	return source != string(Baseline) || reference.Mean > -night.plan.Margin
}

// back is the log likelihood ratio of a record's figure: head is back at the level, against slower by the margin.
func (night *step) back(record *Record) float64 {
	level, variance := 0.0, record.Within.Float()+night.plan.Host.apart()
	if night.charted() {
		reference := &night.chart.Reference
		level = reference.Mean
		own := night.chart.variance(record.Within.Float(), night.plan.Margin)
		between := night.chart.variance(reference.Within, night.plan.Margin)
		variance = own + between/float64(reference.N)
	}
	return relief(record.Better.Float()-level, variance, night.plan.Margin, largestRelax)
}

// relief is the log likelihood ratio of a figure at the given distance above its level: mean 0 against lower by the
// margin. The distance is capped at most standard deviations, so that a single lucky build cannot end an alarm.
func relief(above, variance, margin, most float64) float64 {
	variance = max(variance, 1e-6)
	return margin / variance * (min(above, most*math.Sqrt(variance)) + margin/2)
}

// byChart is the source of an alarm opened by the chart. Other sources are the kinds of comparisons.
const byChart = "chart"

// newAlarm names an alarm by its night and source, plus a number if a night has several, as on a local machine.
func (history History) newAlarm(record *Record, source string) string {
	name := record.Night + " " + source
	taken := func(other Record) bool { return other.Workload == record.Workload && other.Alarm == name }
	for n := 2; slices.ContainsFunc(history, taken); n++ {
		name = fmt.Sprintf("%s %s %d", record.Night, source, n)
	}
	return name
}

// alarmSource returns the source of an alarm.
func alarmSource(alarm string) string {
	fields := strings.Fields(alarm)
	if len(fields) < 2 {
		return ""
	}
	return fields[1]
}

// Accept returns the record by which people change a workload's last good revision and anchor, and end its open alarm.
// named is the resolved nightly.baseline: the accepted revision replaces it until it changes.
func (history History) Accept(workload, sha, reason, named string, night time.Time) Record {
	record := empty(night.UTC().Format(time.DateOnly), workload, Accepted)
	record.Head, record.Good, record.Reason, record.Named, record.Alarm = sha, sha, reason, named, history.alarm(workload)
	return record
}

func empty(night, workload string, kind Kind) Record {
	none := stats.Number(math.NaN())
	return Record{
		Schema:   recordSchema,
		Night:    night,
		Workload: workload,
		Kind:     kind,
		Effect:   none,
		MeanA:    none,
		MeanB:    none,
		Better:   none,
		Within:   none,
		CI:       stats.Interval{Low: math.NaN(), High: math.NaN()},
	}
}
