package nightly

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/stats"
)

// Of the end of an alarm.
const (
	recoveredAt  = 6.9 // log 1000
	largestRelax = 1   // of one night's figure, in standard deviations above the level of before
)

// A step is one workload's night on its way into the history.
type step struct {
	before  History
	night   *Plan
	plan    *WorkloadPlan
	records []*Record
	chart   Chart
	point   *Record // the chart's, nil for none
	alarm   string  // the open one before and, at the end, after the night
}

// take moves a workload's chart, alarm and last good revision on by one night.
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
	calm := night.alarm == "" && !night.chart.Suspected()
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

// current reports whether a record is of the revision that counts now: somebody may have accepted another since the
// night was planned.
func (night *step) current(record *Record) bool {
	if record.Kind == Compared {
		return record.Base == night.before.Good(night.plan.Name)
	}
	return record.Base == night.before.anchor(night.plan.Name, record.Named)
}

// slower reports whether a comparison that counts is a confirmed regression.
func (night *step) slower(record *Record) bool { return record.Confirmed && night.current(record) }

// watch steps the chart while no alarm is open, and opens one where the chart or a comparison says so.
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
	if night.point != nil && !night.chart.Suspected() {
		night.chart = last // its reference is not to learn from a regression
		night.point.Chart = &last
	}
}

// witnessed reports whether the chart bears out what a comparison says. The last good revision is one that was chosen
// for being no slower than the one before, and so on: where builds scatter, that chooses lucky ones, and everybody is
// slower than they. A baseline is not chosen so.
func (night *step) witnessed(record *Record) bool {
	return record.Kind != Compared || night.point == nil || !night.chart.Started() || night.chart.Score <= -pairwiseLimit
}

// follow adds tonight's point to the chart: that of a commit which was the last one already takes the place of its
// earlier one, with all of its nights together.
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

// settled reports whether head is the last good revision, or was shown to be no slower by the margin.
func (night *step) settled() bool {
	return night.find(func(record *Record) bool {
		return record.Kind == Noise || record.Kind == Compared && record.NonInferior && night.current(record)
	}) != nil
}

// together is the mean of one commit's figures over its nights, and its variance.
func together(points []*Record, base, metric string) (mean, variance float64) {
	var weights float64
	for _, record := range points {
		if record.Base != base || record.Metric != metric {
			continue
		}
		weight := 1 / max(record.Within.Float(), 1e-12) // a host without noise is no division by zero
		mean += weight * record.Better.Float()
		weights += weight
	}
	return mean / weights, 1 / weights
}

// recover adds up what speaks for the end of the open alarm, and ends it.
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
	night.chart = night.chart.Calmed()
	if keeper := night.find(func(*Record) bool { return true }); keeper != nil {
		keeper.Chart = &night.chart
	}
}

// evidence is the record that tells of the alarm's end, nil for none, and what spoke for it before: a commit that is
// measured in several nights counts once, with the newest.
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

// undone reports whether head has plainly left what the alarm was opened for, and is shown to be no worse by the
// margin: so a large regression that was repaired need not wait for the evidence of several nights.
func (night *step) undone(evidence *Record) bool {
	if night.chart.Started() || !evidence.NonInferior { // later on, one lucky build is not to end it
		return false
	}
	var opened *Record
	for i := range night.before {
		record := &night.before[i]
		alike := record.Kind == evidence.Kind && record.Base == evidence.Base
		if alike && record.Workload == night.plan.Name && record.Alarm == night.alarm {
			opened = record
			break
		}
	}
	if opened == nil {
		return false
	}
	apart := evidence.Better.Float() - opened.Better.Float()
	return apart >= pairwiseLimit*math.Sqrt(evidence.Within.Float()+opened.Within.Float()+night.plan.Host.apart())
}

// charted reports whether the chart tells of the alarm's end. A chart that is starting tells of its own alarms alone.
// It cannot where head has been slower than the baseline by the margin from the start: as before is no end then.
func (night *step) charted() bool {
	reference, source := &night.chart.Reference, alarmSource(night.alarm)
	if night.point == nil || reference.N == 0 || !night.chart.Started() && source != byChart {
		return false
	}
	return source != string(Baseline) || reference.Mean > -night.plan.Margin
}

// back is the log likelihood ratio of a record's figure between head being as before and being slower by the margin.
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

// relief is the log likelihood ratio of a figure that lies above its level by so much, between its mean being 0 and
// being lower by the margin. What lies above counts up to a number of standard deviations, so that no single lucky
// build ends an alarm.
func relief(above, variance, margin, most float64) float64 {
	variance = max(variance, 1e-6)
	return margin / variance * (min(above, most*math.Sqrt(variance)) + margin/2)
}

// byChart is the source of an alarm that the chart opened; that of another is the kind of its comparison.
const byChart = "chart"

// newAlarm names an alarm by its night and source, and by a number where a night has several, as at a desk.
func (history History) newAlarm(record *Record, source string) string {
	name := record.Night + " " + source
	taken := func(other Record) bool { return other.Workload == record.Workload && other.Alarm == name }
	for n := 2; slices.ContainsFunc(history, taken); n++ {
		name = fmt.Sprintf("%s %s %d", record.Night, source, n)
	}
	return name
}

// alarmSource is what opened an alarm.
func alarmSource(alarm string) string {
	fields := strings.Fields(alarm)
	if len(fields) < 2 {
		return ""
	}
	return fields[1]
}

// Accept is the record by which people move a workload's last good revision and anchor, and end its open alarm. named
// is what nightly.baseline resolves to: the accepted revision takes its place, until it is another.
func (history History) Accept(workload, sha, reason, named string, night time.Time) Record {
	record := empty(night.UTC().Format(time.DateOnly), workload, Accepted)
	record.Head, record.Good, record.Reason, record.Named, record.Alarm = sha, sha, reason, named, history.alarm(workload)
	return record
}

func empty(night, workload string, kind Kind) Record {
	none := stats.Number(math.NaN())
	return Record{
		Schema:   RecordSchema,
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
