package document

import (
	"fmt"
	"path/filepath"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/stats"
)

// New lays out a report.
func New(r *report.Report) Document {
	d := Document{Title: title(r), Trust: r.Trust, Headlines: headlines(r), Sides: sides(r)}
	d.Answer = answer(r, d.Headlines)
	if r.Paths.Directory != "" {
		d.Page = filepath.Join(r.Paths.Directory, "report.html")
	}
	if r.Failure != nil {
		d.add("", Failure, "What failed", false, whatFailed(r.Failure)...)
	}
	own := d.Headlines[max(0, len(d.Headlines)-len(r.Workloads)):]
	for i := range r.Workloads {
		w := &r.Workloads[i]
		d.add(w.Name, Changed, "What changed", false, changed(r, own[i])...)
		d.add(w.Name, Warnings, "Warnings", false, workloadWarnings(r, w)...)
		d.add(w.Name, Busy, "What disturbed the measurement", false, busy(w)...)
		d.add(w.Name, Exact, "Exact quantities", false, exact(r, w)...)
		d.add(w.Name, Hosts, "Hosts", false, hosts(r, w)...)
		d.add(w.Name, Throughput, "Throughput", false, throughput(r, w)...)
		d.add(w.Name, Figures, "Figures", false, figures(r, w)...)
		d.add(w.Name, Analyses, "Interim analyses", false, analyses(r, w)...)
		d.add(w.Name, Stages, "Stages", false, stages(r, w)...)
		d.add(w.Name, Metrics, "Memory and other metrics", false, secondaries(r, w)...)
		d.add(w.Name, Code, "What got slower", false, codeProfile(w)...)
		d.add(w.Name, Dropped, "Dropped pairs", false, dropped(w)...)
		d.add(w.Name, Proofs, "Proofs", true, proofs(w)...)
	}
	d.add("", Warnings, "Warnings of the run", false, warnings(r.Warnings)...)
	d.add("", Revisions, "Revisions", true, revisions(r)...)
	d.add("", Hosts, "Runs of the hosts", true, hostRuns(r)...)
	d.add("", Environment, "Host and environment", true, environment(r)...)
	d.add("", Plan, "Plan", true, planOf(r)...)
	d.add("", Files, "Files", true, files(r)...)
	d.add("", Events, "Events", true, events(r)...)
	d.clean()
	return d
}

func title(r *report.Report) string {
	switch {
	case r.AA:
		return fmt.Sprintf("Chiasmus: %s against itself (A/A)", r.Base.Title())
	case r.Base.SHA == "" || r.Head.SHA == "":
		return "Chiasmus"
	case len(r.Heads) > 0:
		return titleOfHeads(r)
	}
	return fmt.Sprintf("Chiasmus: %s against %s", r.Head.Title(), r.Base.Title())
}

// sides describes the revisions of a run, if they were resolved. An A/A run has one side.
func sides(r *report.Report) []Side {
	var list []Side
	type arm struct {
		name     string
		revision plan.Revision
	}
	arms := []arm{{"head", r.Head}}
	for i, head := range r.Heads {
		arms = append(arms[:i], arm{fmt.Sprintf("head %d", i+1), head})
	}
	for _, side := range append(arms, arm{"base", r.Base}) {
		if side.revision.SHA == "" || r.AA && side.name == "head" {
			continue
		}
		list = append(list, Side{Name: side.name, Short: side.revision.Short(), SHA: side.revision.SHA,
			Subject: side.revision.Subject})
	}
	return list
}

// Statistics lays out the analysis of pairs that belong to no run. name identifies their source.
func Statistics(name string, metric metrics.Metric, pairs []stats.Pair, s *stats.Result, equivalence float64) Document {
	d := Document{
		Title:     name,
		Headlines: []Headline{{Status: StatusOf(s.Verdict), Sentence: Sentence(metric, s, equivalence, false)}},
	}
	d.Answer.Lead = d.Headlines[0]
	var list []string
	for _, w := range s.Warnings {
		list = append(list, w.String())
	}
	if len(list) > 0 {
		d.add("", Warnings, "Warnings", false, List(list))
	}
	d.add("", Figures, "Figures", false, statistics(metric, s, pairs, s.Pairs, true)...)
	d.clean()
	return d
}

// add appends a section unless it is empty.
func (d *Document) add(workload string, id SectionID, title string, folded bool, blocks ...Block) {
	if len(blocks) > 0 {
		d.Sections = append(d.Sections, Section{ID: id, Workload: workload, Title: title, Blocks: blocks, Folded: folded})
	}
}

// complete reports whether p-values and intervals may be shown.
func complete(r *report.Report) bool { return r.State == report.Complete }

// whatFailed shows the cause of a failed run.
func whatFailed(f *failure.Failure) []Block {
	facts := Facts{Rows: []Fact{{Label: "Step", Value: f.Step}}}
	if f.Arm != "" {
		facts.Rows = append(facts.Rows, Fact{Label: "Arm", Value: string(f.Arm)})
	}
	if f.SHA != "" {
		facts.Rows = append(facts.Rows, Fact{Label: "Revision", Value: f.SHA, Code: true})
	}
	if f.Workload != "" {
		facts.Rows = append(facts.Rows, Fact{Label: "Workload", Value: f.Workload})
	}
	facts.Rows = append(facts.Rows, Fact{Label: "Cause", Value: f.Cause})
	if f.Log != "" {
		facts.Rows = append(facts.Rows, Fact{Label: "Log", Value: f.Log, Code: true})
	}
	if f.Proof != "" {
		facts.Rows = append(facts.Rows, Fact{Label: "Refused proof", Value: f.Proof, Code: true})
	}
	blocks := []Block{facts}
	if f.LogTail != "" {
		blocks = append(blocks, Paragraph("The end of the log:"), Log(f.LogTail))
	}
	return blocks
}

// workloadWarnings lists the warnings of a workload.
func workloadWarnings(r *report.Report, w *report.Workload) []Block {
	blocks := warnings(w.Warnings)
	if w.Stats == nil || !complete(r) {
		return blocks
	}
	var list List
	if len(blocks) > 0 {
		list = blocks[0].(List)
	}
	for _, warning := range w.Stats.Warnings {
		list = append(list, warning.String())
	}
	if len(list) == 0 {
		return nil
	}
	return []Block{list}
}

func warnings(all []plan.Warning) []Block {
	var list List
	for _, w := range all {
		list = append(list, w.String())
	}
	if len(list) == 0 {
		return nil
	}
	return []Block{list}
}
