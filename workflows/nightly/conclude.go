package nightly

import (
	"fmt"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/markdown"
)

// An IssueState is what the issue of a workload must be.
type IssueState string

// What must become of a workload's issue. Leave touches nothing.
const (
	Open  IssueState = "open"
	Close IssueState = "close"
	Leave IssueState = "leave"
)

// A Conclusion is the end of a night for one workload.
type Conclusion struct {
	Workload string
	Issue    IssueState
	Title    string
	Body     string // Markdown
	Summary  string // one line, for the log
}

// Conclude turns a night into the records to add and what must become of each workload's issue. link names the run.
func Conclude(history History, result Result, link string) ([]Record, []Conclusion) {
	var records []Record
	records = append(records, missing(history, result.Plan)...)
	for _, one := range result.Measured {
		records = append(records, record(history, result.Plan, one, link))
	}
	after := append(append(History{}, history...), records...)
	var conclusions []Conclusion
	for _, workload := range result.Plan.Workloads {
		conclusions = append(conclusions, conclude(history, after, records, workload.Name))
	}
	return records, conclusions
}

// missing makes a record for each workload of a plan when nights are missing since the last record.
func missing(history History, plan Plan) []Record {
	last := history.LastNight()
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
		records = append(records, Record{Schema: RecordSchema, Night: plan.Night, Workload: workload.Name, Kind: Missing, Good: history.Good(workload.Name),
			Effect: none, MeanA: none, MeanB: none, CI: noInterval,
			Reason: fmt.Sprintf("%d nights since %s have no record", days, last.Format(time.DateOnly))})
	}
	return records
}

func record(history History, plan Plan, one Measure, link string) Record {
	good := history.Good(one.Workload)
	record := Record{Schema: RecordSchema, Night: plan.Night, Workload: one.Workload, Kind: one.Kind, Head: plan.Head, Good: good, Run: link,
		Effect: none, MeanA: none, MeanB: none, CI: noInterval}
	report := one.Report
	if one.Confirmation != nil {
		report = one.Confirmation
	}
	if one.Error != "" {
		record.Kind, record.Reason = Failed, one.Error
		return record
	}
	workload := report.Workloads[0]
	record.Base, record.Host, record.Seed = report.Base.SHA, report.Host.Name, report.Plan.Seed
	record.Verdict, record.Metric, record.Pairs = workload.Stats.Verdict, workload.Metric.Name, workload.Stats.Pairs
	record.Effect, record.CI = workload.Stats.EffectPercent, workload.Stats.EffectCIPercent
	record.MeanA, record.MeanB = workload.Stats.MeanA, workload.Stats.MeanB
	record.Changes = changes(report)
	record.Confirmed, record.Search = one.confirmed(), one.Search
	if one.Kind != Baseline && (one.Kind == Noise || Healthy(record.Verdict)) {
		record.Good = plan.Head
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

func conclude(before, after History, night []Record, workload string) Conclusion {
	conclusion := Conclusion{Workload: workload, Issue: Leave}
	var alarm, failed bool
	for _, record := range night {
		if record.Workload != workload {
			continue
		}
		alarm = alarm || record.Confirmed
		failed = failed || record.Kind == Failed
		conclusion.Summary = strings.TrimPrefix(conclusion.Summary+"; "+string(record.Kind)+" "+string(record.Verdict)+" "+describe(record), "; ")
		if record.Search != nil {
			conclusion.Summary += "; " + record.Search.Sentence()
		}
	}
	switch {
	case alarm:
		conclusion.Issue = Open
		conclusion.Title = fmt.Sprintf("Nightly: %s is slower than its last good revision", workload)
	case failed:
		conclusion.Issue = Open
		conclusion.Title = fmt.Sprintf("Nightly: %s could not be measured", workload)
	default:
		conclusion.Issue = Close
		conclusion.Title = fmt.Sprintf("Nightly: %s is healthy", workload)
	}
	conclusion.Body = body(after, workload, alarm, failed)
	return conclusion
}

// body is the text of a workload's issue: what is wrong, the nights since the last good revision, and what people
// can do.
func body(history History, workload string, alarm, failed bool) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n", Marker(workload))
	good := history.Good(workload)
	switch {
	case alarm:
		fmt.Fprintf(&out, "The workload %s is slower than at its last good revision %s. Two comparisons with different seeds say so.\n\n", plain(workload), plain(good))
	case failed:
		fmt.Fprintf(&out, "The last night could not measure the workload %s.\n\n", plain(workload))
	default:
		fmt.Fprintf(&out, "The workload %s is healthy again; its last good revision is %s.\n\n", plain(workload), plain(good))
	}
	fmt.Fprintf(&out, "| night | kind | base | head | verdict | effect (95 %% CI) | pairs |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	nights := history.SinceGood(workload)
	if len(nights) == 0 {
		nights = lastOf(history.Of(workload), 1)
	}
	for _, record := range lastOf(nights, 30) {
		verdict := string(record.Verdict)
		if record.Confirmed {
			verdict += ", confirmed"
		}
		effect := plain(record.Reason)
		if record.Effect.Exists() {
			effect = fmt.Sprintf("%+.2f %% (%+.2f to %+.2f)", record.Effect.Float(), record.CI.Low, record.CI.High)
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s | %d |\n", record.Night, record.Kind, plain(shorten(record.Base)), plain(shorten(record.Head)), verdict, effect, record.Pairs)
	}
	if alarm {
		search := history.search(workload)
		if search != nil {
			out.WriteString(searchText(search))
		}
		if search == nil || !search.Settled() {
			fmt.Fprintf(&out, "\nTo find the commit: `harness bisect %s..%s --workload %s`.\n", shorten(good), shorten(history[len(history)-1].Head), workload)
		} else {
			out.WriteString("\n")
		}
		out.WriteString("To accept the new time: close this issue with the label `accepted`, or run `harness nightly accept SHA --reason TEXT`.\n")
	}
	return out.String()
}

// Marker is the hidden line by which a workload's issue is found again.
func Marker(workload string) string { return "<!-- chiasmus:nightly " + workload + " -->" }

func lastOf(history History, n int) History { return history[max(0, len(history)-n):] }

func shorten(sha string) string { return sha[:min(7, len(sha))] }

// plain shows text from outside as a code span, nothing where there is nothing.
func plain(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return markdown.Code(document.Clean(text))
}
