package nightly

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/markdown"
	"github.com/chiasmus/chiasmus/stats"
)

// An IssueState is the desired state of a workload's issue.
type IssueState string

// The desired states. Leave makes no change.
const (
	open       IssueState = "open"
	closeIssue IssueState = "close"
	leave      IssueState = "leave"
)

// A Conclusion is the desired state of one issue of a workload at the end of a night.
type Conclusion struct {
	Workload string
	Issue    IssueState
	// Marker is the issue's first line: the marker of an alarm, or of failed nights.
	Marker  string
	Title   string
	Body    string // Markdown
	Summary string // one line, for the log
}

// Conclude turns a night into new records and the desired state of each workload's issues. link identifies the run:
// records of an earlier attempt to publish the same run are ignored.
func Conclude(history History, result Result, link string) ([]Record, []Conclusion) {
	history = history.without(link)
	records := missing(history, result.Plan)
	for i := range result.Measured {
		records = append(records, record(&result.Plan, &result.Measured[i], link))
	}
	var conclusions []Conclusion
	nights := make([]step, len(result.Plan.Workloads))
	for i := range nights {
		night := &nights[i]
		night.before, night.night, night.plan = history, &result.Plan, &result.Plan.Workloads[i]
		for j := range records {
			if records[j].Workload == night.plan.Name && records[j].Kind != Missing {
				night.records = append(night.records, &records[j])
			}
		}
		night.take()
	}
	after := sync.OnceValue(func() History { return slices.Concat(history, records) })
	for i := range nights {
		conclusions = append(conclusions, nights[i].conclude(after)...)
	}
	return records, conclusions
}

// without removes the records of a run. Records made by people stay.
func (history History) without(run string) History {
	if run == "" || !slices.ContainsFunc(history, func(record Record) bool { return record.Run == run }) {
		return history
	}
	return slices.DeleteFunc(slices.Clone(history), func(record Record) bool { return record.Run == run })
}

// missing returns a record for each workload of a plan if nights are missing since the last record.
func missing(history History, plan Plan) []Record {
	last := history.lastNight()
	night, err := time.Parse(time.DateOnly, plan.Night)
	if err != nil || last.IsZero() {
		return nil
	}
	days := int(night.Sub(last).Hours()/24) - 1
	if days < 1 {
		return nil
	}
	var records []Record
	for _, workload := range plan.Workloads {
		one := empty(plan.Night, workload.Name, Missing)
		one.Reason = fmt.Sprintf("%d nights since %s have no record", days, last.Format(time.DateOnly))
		records = append(records, one)
	}
	return records
}

// record returns the record of one comparison. A step later adds the consequences for the workload.
func record(plan *Plan, one *Measure, link string) Record {
	record := empty(plan.Night, one.Workload, one.Kind)
	workload := plan.workload(one.Workload)
	record.Head, record.Run, record.Named = plan.Head, link, plan.Baseline
	if one.Error != "" {
		record.Kind, record.Reason = Failed, fmt.Sprintf("%s: %s", one.Kind, one.Error)
		return record
	}
	figure, confirmed := one.figure(plan)
	last := one.Rounds[len(one.Rounds)-1]
	if len(one.Again) > 0 {
		last = one.Again[len(one.Again)-1]
	}
	host := workload.Host.with(scatterOf(one.Rounds, workload.Margin))
	record.Anchor = workload.Anchor
	record.Base, record.Host, record.Seed, record.Changes = last.Base.SHA, last.Host.Name, last.Plan.Seed, changes(last)
	measured := &last.Workloads[0]
	record.Metric, record.MeanA, record.MeanB = measured.PlannedMetric(), measured.Stats.MeanA, measured.Stats.MeanB
	record.Better, record.Within = stats.Number(figure.better), stats.Number(figure.within)
	record.Effect, record.CI = figure.effect(last, workload.Margin)
	record.Breaches = one.breaches()
	record.NonInferior = figure.nonInferior(host.DF, workload.Margin, plan.Alpha) && len(record.Breaches) == 0
	record.Verdict = figure.verdict(&host, workload.Margin, plan.Alpha, confirmed)
	record.Confirmed, record.Search, record.Reason = confirmed, one.Search, one.Cut
	record.Scatter, record.Rounds = scatterOf(one.Rounds, workload.Margin), len(one.Rounds)+len(one.Again)
	for _, round := range slices.Concat(one.Rounds, one.Again) {
		record.Pairs += round.Workloads[0].Stats.Pairs
	}
	return record
}

func changes(report *harness.Report) []string {
	var lines []string
	for _, difference := range report.Environment.Differences {
		lines = append(lines, fmt.Sprintf("%s: %s to %s", difference.Name, difference.Start, difference.End))
	}
	return lines
}

// conclude returns the desired state of the workload's issues: the alarm's issue and the issue for failed nights. It
// closes neither while the workload is suspected or unsettled.
func (night *step) conclude(history func() History) []Conclusion {
	name := night.plan.Name
	var failed, doubted bool
	var breached []string
	var ended string
	var summary []string
	for _, record := range night.records {
		failed = failed || record.Kind == Failed
		doubted = doubted || record.Kind == Compared && !record.NonInferior
		if record.Ended != "" {
			ended = record.Ended
		}
		breached = append(breached, record.Breaches...)
		line := strings.TrimSpace(fmt.Sprintf("%s %s %s", record.Kind, record.Verdict, describe(*record)))
		if record.Search != nil {
			line += "; " + record.Search.Sentence()
		}
		summary = append(summary, line)
	}
	suspected := doubted || night.chart.suspected()
	var list []Conclusion
	add := func(state IssueState, marker, title, text string) {
		list = append(list, Conclusion{Workload: name, Issue: state, Marker: marker,
			Title: fmt.Sprintf("Nightly: %s %s", name, title), Body: marker + "\n" + text, Summary: strings.Join(summary, "; ")})
	}
	if night.alarm != "" {
		title, lead := night.alarmText(history())
		add(open, alarmMarker(name, night.alarm), title, lead+"\n\n"+night.table(history())+night.advice(history()))
	}
	if ended != "" {
		add(closeIssue, alarmMarker(name, ended), "is as fast as before",
			fmt.Sprintf("The workload %s is as fast as before the alarm of %s.\n\n", plain(name), ended)+night.table(history()))
	}
	unsettled := 0
	if suspected && night.alarm == "" && ended == "" {
		unsettled = night.tooLongUnsettled(history())
	}
	switch {
	case failed:
		add(open, Marker(name), "could not be measured",
			fmt.Sprintf("The last night could not measure the workload %s.\n\n", plain(name))+night.table(history()))
	case len(breached) > 0:
		add(open, Marker(name), "exceeds a limit on a stage or a counter",
			breachText(name, breached)+night.table(history()))
	case night.alarm == "" && !suspected:
		add(closeIssue, Marker(name), "is healthy",
			fmt.Sprintf("The workload %s was measured again and is healthy.\n", plain(name)))
	case unsettled > 0:
		add(open, Marker(name), fmt.Sprintf("has been unsettled for %d nights", unsettled),
			unsettledText(name, history().Good(name), unsettled)+night.table(history()))
	case len(list) == 0:
		add(leave, Marker(name), "is unsettled",
			fmt.Sprintf("It is not known yet whether the workload %s is as fast as at its last good revision.\n", plain(name)))
	}
	return list
}

// alarmText describes an open alarm: the end of its issue's title, and the first sentence.
func (night *step) alarmText(history History) (title, lead string) {
	name, good, anchor := night.plan.Name, history.Good(night.plan.Name), night.plan.Anchor
	since, _, _ := strings.Cut(night.alarm, " ")
	reference := "its anchor " + plain(anchor)
	if night.records[0].Named != "" {
		reference = "the baseline " + plain(anchor)
		if anchor != night.records[0].Named {
			reference += " (accepted instead of " + plain(shorten(night.records[0].Named)) + ")"
		}
	}
	const both = "Two sets of comparisons with different seeds show this, beyond the host's scatter."
	switch alarmSource(night.alarm) {
	case string(Baseline):
		return "is slower than the baseline",
			fmt.Sprintf("Since %s the workload %s has been slower than at %s. %s", since, plain(name), reference, both)
	case byChart:
		title = "has become slower"
		if night.records[0].Named != "" {
			title += " against the baseline"
		}
		return title, fmt.Sprintf("The workload %s has become slower, measured against %s: since %s the cumulative sum over "+
			"nights exceeds its limit. This can happen although no single night shows a slowdown.", plain(name), reference,
			since)
	}
	return "is slower than its last good revision",
		fmt.Sprintf("Since %s the workload %s has been slower than at its last good revision %s. %s", since, plain(name),
			plain(good), both)
}

// table lists the nights since the last good revision.
func (night *step) table(history History) string {
	name := night.plan.Name
	var out strings.Builder
	out.WriteString("| night | kind | base | head | verdict | change (95 % CI) | pairs | chart |\n")
	out.WriteString("| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	nights := history.sinceGood(name)
	if len(nights) == 0 {
		nights = lastOf(history.Of(name), 1)
	}
	for _, record := range lastOf(nights, 30) {
		change := plain(record.Reason)
		if record.Effect.Exists() {
			change = signed(record.Effect.Float()) + " (" + signedInterval(record.CI) + ")"
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s | %d | %s |\n", record.Night, record.Kind,
			plain(shorten(record.Base)), plain(shorten(record.Head)), record.words(), change, record.Pairs, record.Chart.words())
	}
	return out.String()
}

// advice lists what people can do about an open alarm.
func (night *step) advice(history History) string {
	name := night.plan.Name
	var out strings.Builder
	search := history.search(name)
	if search != nil {
		out.WriteString(searchText(search))
	}
	from := history.Good(name)
	if alarmSource(night.alarm) != string(Compared) {
		from = night.plan.Anchor
	}
	if search == nil || !search.Finished() {
		head := history[len(history)-1].Head
		fmt.Fprintf(&out, "\nTo find the commit: `harness bisect %s..%s --workload %s`.\n", shorten(from), shorten(head),
			name)
	} else {
		out.WriteString("\n")
	}
	out.WriteString("To accept the new time: close this issue with the label `accepted`, or run `harness nightly accept " +
		"SHA --reason TEXT`. This accepts only this alarm.\n")
	return out.String()
}

// words describes a record's verdict and what the rule concludes from it.
func (record *Record) words() string {
	words := []string{}
	if record.Verdict != "" {
		words = append(words, string(record.Verdict))
	}
	if len(record.Breaches) > 0 {
		words = append(words, "above its limit: "+strings.Join(record.Breaches, ", "))
	}
	switch {
	case record.Confirmed:
		words = append(words, "confirmed")
	case record.NonInferior && record.Verdict == stats.Inconclusive:
		words = append(words, "not worse")
	}
	switch {
	case record.Kind == Accepted && record.Alarm != "":
		words = append(words, "ends the alarm of "+record.Alarm)
	case record.Ended != "":
		words = append(words, "the alarm of "+record.Ended+" is over")
	case record.Alarm != "":
		words = append(words, "alarm of "+record.Alarm)
	case record.Chart != nil && record.Chart.suspected():
		words = append(words, "suspected")
	}
	return strings.Join(words, ", ")
}

// words describes a chart's sums as fractions of their limits.
func (chart *Chart) words() string {
	switch {
	case chart == nil:
		return ""
	case !chart.Started():
		return fmt.Sprintf("%d of %d nights, step %.1f of %.1f, creep %.1f of %.1f", chart.Reference.Weight, startUp,
			chart.Step, stepChart.H, chart.Creep, creepChart.H)
	}
	return fmt.Sprintf("step %.1f of %.1f, creep %.1f of %.1f", chart.Step, stepChart.H, chart.Creep, creepChart.H)
}

// Marker is the hidden line that identifies the issue for a workload's failed nights.
func Marker(workload string) string { return "<!-- chiasmus:nightly " + workload + " -->" }

// alarmMarker identifies the issue of one alarm. Alarms do not share issues, so accepting one accepts no other.
func alarmMarker(workload, alarm string) string {
	return "<!-- chiasmus:nightly " + workload + " alarm " + alarm + " -->"
}

func lastOf(history History, n int) History { return history[max(0, len(history)-n):] }

func shorten(sha string) string { return sha[:min(7, len(sha))] }

// plain formats external text as a code span, or empty if blank.
func plain(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return markdown.Code(document.Clean(text))
}

func describe(record Record) string {
	if !record.Effect.Exists() {
		return record.Reason
	}
	return signed(record.Effect.Float())
}
