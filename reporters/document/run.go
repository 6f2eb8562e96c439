package document

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/stats"
)

// revisions shows what was built and from which sources.
func revisions(r *report.Report) []Block {
	if r.Base.SHA == "" && r.Head.SHA == "" {
		return nil
	}
	return append([]Block{revision("Base (A)", r.Base)}, headRevisions(r)...)
}

func revision(title string, v plan.Revision) Facts {
	if v.OfCommand() {
		return command(title, v)
	}
	sha := v.SHA
	rows := []Fact{{Label: "SHA", Value: sha, Code: true}}
	if v.Ref != "" && v.Ref != sha {
		rows = append(rows, Fact{Label: "Named", Value: v.Ref, Code: true})
	}
	if v.Subject != "" {
		rows = append(rows, Fact{Label: "Subject", Value: v.Subject})
	}
	if !v.Time.IsZero() {
		rows = append(rows, Fact{Label: "Committed", Value: moment(v.Time)})
	}
	if v.Dirty {
		rows = append(rows, Fact{Label: "Work tree", Value: "with uncommitted changes, tree " + v.TreeHash, Code: true})
	}
	for _, key := range slices.Sorted(maps.Keys(v.Env)) {
		rows = append(rows, Fact{Label: "Environment", Value: key + "=" + v.Env[key], Code: true})
	}
	built := duration(v.BuildSeconds)
	if v.BuildCached {
		built += ", taken from the cache"
	}
	rows = append(rows, Fact{Label: "Build", Value: built})
	if v.Toolchain != "" {
		rows = append(rows, Fact{Label: "Toolchain", Value: v.Toolchain})
	}
	for _, a := range v.Artifacts {
		rows = append(rows, Fact{
			Label: "Artifact " + a.Name,
			Value: fmt.Sprintf("%s, sha256 %s", Quantity("_bytes", float64(a.Bytes)), a.SHA256),
			Code:  true,
		})
	}
	return Facts{Title: title, Rows: rows}
}

// command describes an arm that is a command instead of a revision.
func command(title string, v plan.Revision) Facts {
	rows := []Fact{{Label: "Command", Value: v.Subject, Code: true}}
	if v.Ref != v.Subject {
		rows = append(rows, Fact{Label: "Named", Value: v.Ref})
	}
	for i, a := range v.Artifacts {
		label := "Program"
		if i > 0 {
			label = "File " + a.Name
		}
		rows = append(rows, Fact{
			Label: label,
			Value: fmt.Sprintf("%s, sha256 %s", Quantity("_bytes", float64(a.Bytes)), a.SHA256),
			Code:  true,
		})
	}
	return Facts{Title: title, Rows: rows}
}

// environment shows the host, the cost of its time, and changes of its state.
func environment(r *report.Report) []Block {
	h := r.Host
	if h.Cores == 0 {
		return nil // the run ended before the host was inspected
	}
	facts := Facts{}
	for _, fact := range []Fact{
		{Label: "Host", Value: h.Name},
		{Label: "System", Value: h.System},
		{Label: "CPU", Value: h.CPU},
	} {
		if fact.Value != "" {
			facts.Rows = append(facts.Rows, fact)
		}
	}
	facts.Rows = append(facts.Rows, Fact{Label: "Cores", Value: fmt.Sprint(h.Cores)})
	if h.MemoryBytes > 0 {
		facts.Rows = append(facts.Rows, Fact{Label: "Memory", Value: Quantity("_bytes", float64(h.MemoryBytes))})
	}
	gpus := strings.Join(h.GPUs, "; ")
	if gpus == "" {
		gpus = "none"
	}
	facts.Rows = append(facts.Rows, Fact{Label: "GPU", Value: gpus})
	if c := r.Cost; c != nil {
		facts.Rows = append(facts.Rows, Fact{
			Label: "Cost of the run",
			Value: fmt.Sprintf("%.2f %s (%.2f hours at %.2f %s an hour)",
				c.Total, c.Currency, c.Hours, c.PerHour, c.Currency),
		})
	}
	blocks := []Block{facts}
	if len(r.Hosts) > 0 { // their own reports show the changes
		return blocks
	}
	if len(r.Environment.Differences) == 0 {
		return append(blocks, Paragraph("Nothing about the host changed between the start of the measurement and its end."))
	}
	table := Table{Columns: []Column{{Title: "Changed"}, {Title: "At the start"}, {Title: "At the end"}}}
	for _, d := range r.Environment.Differences {
		table.Rows = append(table.Rows, []string{d.Name, d.Start, d.End})
	}
	return append(blocks, table)
}

// planOf shows the plan of the run.
func planOf(r *report.Report) []Block {
	p := r.Plan
	if p.Pairs == 0 {
		return nil
	}
	seed := fmt.Sprint(p.Seed)
	if p.SeedDrawn {
		seed += " (random)"
	}
	pairs := fmt.Sprint(p.Pairs)
	if p.Analyses > 1 {
		pairs = fmt.Sprintf("at most %d, in %d interim analyses", p.Pairs, p.Analyses)
	}
	if len(r.Hosts) > 0 {
		seed, pairs = "one per host", pairs+" per host"
	}
	rows := []Fact{
		{Label: "Pairs", Value: pairs},
		{Label: "Design", Value: p.Design},
		{Label: "Seed", Value: seed, Code: true},
		{Label: "Warm-up proofs per arm", Value: fmt.Sprint(p.Warmup)},
		{Label: "Alpha", Value: fmt.Sprint(p.Alpha)},
		{Label: "Equivalence margin", Value: fmt.Sprintf("%.4g %%", 100*p.Equivalence)},
		{Label: "Margin of a stage", Value: stageMargin(r)},
		{Label: "Resident sessions", Value: p.Resident},
		{Label: "Cool-down", Value: duration(p.CooldownSeconds)},
	}
	if p.PreCheck == 1 {
		first, _ := stats.SplitPreCheck(1)
		rows = append(rows, Fact{
			Label: "Baseline pre-check",
			Value: fmt.Sprintf("head alone against a baseline, at %.0f %% of alpha; the pairs use the rest", 100*first),
		})
	}
	if complete(r) {
		rows = append(rows, Fact{Label: "False alarms", Value: falseAlarms(r)})
	}
	if p.Isolated {
		rows = append(rows, Fact{Label: "Isolation", Value: "builds, sessions and verifiers ran isolated"})
	}
	return []Block{Facts{Rows: rows}}
}

// falseAlarms converts alpha to a rate per week. Half of the false calls are improvements. Stages that do not affect
// the verdict have an alpha of their own, because a headline names them.
func falseAlarms(r *report.Report) string {
	text := fmt.Sprintf("at most %.3g %% of runs without a change report a regression", 50*r.Plan.Alpha)
	if r.Rate != nil && r.Rate.Days > 0 {
		week := r.Rate.PerWeek()
		text = fmt.Sprintf("%s: at the %.2g runs a week of this folder, %.2g a week", text, week, week*r.Plan.Alpha/2)
	}
	contributes := func(s report.Secondary) bool { return s.Contribution != nil }
	if r.Plan.StageMargin == 0 &&
		slices.ContainsFunc(r.Workloads,
			func(w report.Workload) bool { return slices.ContainsFunc(w.Secondary, contributes) }) {
		_, named := stats.SplitAlpha(r.Plan.Alpha)
		text += fmt.Sprintf("; in at most %.3g %% the headline names a stage (without metrics.stages, stages decide no "+
			"verdict)", 100*named)
	}
	return text
}

// files shows the run's ID, its command line and its paths.
func files(r *report.Report) []Block {
	rows := []Fact{}
	add := func(label, value string, code bool) {
		if value != "" {
			rows = append(rows, Fact{Label: label, Value: value, Code: code})
		}
	}
	add("Run", r.Run.ID, true)
	add("Command", strings.Join(r.Run.Command, " "), true)
	add("Harness", r.Run.Version, false)
	if r.Run.Config != "" {
		add("Configuration", fmt.Sprintf("%s, sha256 %s", r.Run.Config, r.Run.ConfigSHA256), true)
	}
	if !r.Run.Started.IsZero() {
		add("Started", moment(r.Run.Started), false)
	}
	if !r.Run.Finished.IsZero() {
		add("Finished", fmt.Sprintf("%s, after %s", moment(r.Run.Finished),
			duration(r.Run.Finished.Sub(r.Run.Started).Seconds())), false)
	}
	if r.Run.Resumed > 0 {
		add("Resumed", plural.Of(r.Run.Resumed, "time"), false)
	}
	add("Directory", r.Paths.Directory, true)
	add("Report", within(r.Paths.Directory, r.Paths.Report), true)
	add("Journal", within(r.Paths.Directory, r.Paths.Journal), true)
	add("Logs", within(r.Paths.Directory, r.Paths.Logs), true)
	if len(rows) == 0 {
		return nil
	}
	return []Block{Facts{Rows: rows}}
}

// within returns a path relative to the run's folder, if it is inside.
func within(directory, path string) string {
	if short, inside := strings.CutPrefix(path, directory+"/"); inside && directory != "" {
		return short
	}
	return path
}

// events shows the event log.
func events(r *report.Report) []Block {
	if len(r.Events) == 0 {
		return nil
	}
	table := Table{Columns: []Column{{Title: "Time"}, {Title: "Event"}, {Title: "Text"}}}
	for _, e := range r.Events {
		table.Rows = append(table.Rows, []string{moment(e.Time), e.Kind, e.Text})
	}
	return []Block{table}
}
