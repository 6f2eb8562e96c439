package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/plural"
)

// secondaries is the table of the secondary metrics that are not stages.
func secondaries(r *report.Report, w *report.Workload) []Block {
	table := Table{Columns: []Column{
		{Title: "Metric"}, {Title: "Base", Number: true}, {Title: "Head", Number: true},
		{Title: "Change", Number: true}, {Title: "CI", Number: true}, {Title: "p (Holm)", Number: true}, {Title: "Note"},
	}}
	for _, s := range w.Secondary {
		if s.Kind != report.KindMetric {
			continue
		}
		a, b := Means(w, s)
		row := []string{
			s.Metric, Quantity(s.Metric, float64(a)), Quantity(s.Metric, float64(b)),
			absent, absent, absent, note(r, s),
		}
		if s.Stats != nil {
			row[3] = change(s.Stats.EffectPercent, s.Stats.EffectCIPercent)
			if complete(r) {
				row[4] = changeInterval(s.Stats.EffectCIPercent)
				row[5] = PValue(s.PHolm)
			}
		}
		table.Rows = append(table.Rows, row)
	}
	if len(table.Rows) == 0 {
		return nil
	}
	if complete(r) {
		table.Notes = append(table.Notes,
			"Base and head are means, geometric means on the log scale. Change compares the two means; on the percent scale "+
				"it is the mean of the changes within pairs. p is from the t-test over units, Holm-adjusted over all stages "+
				"and metrics of the workload. CIs are not adjusted.")
	}
	return []Block{table}
}

// note annotates the numbers of a secondary metric.
func note(r *report.Report, s report.Secondary) string {
	notes := controlNotes(r, s)
	if s.Untested != "" {
		notes = append(notes, "untested: "+s.Untested)
	}
	if complete(r) && s.Stats != nil && s.PHolm.Exists() && float64(s.PHolm) <= r.Plan.Alpha {
		notes = append(notes, moved(s))
	}
	return strings.Join(notes, "; ")
}

// controlNotes marks controls.
func controlNotes(r *report.Report, s report.Secondary) []string {
	switch {
	case !s.Control:
		return nil
	case complete(r) && s.ControlMoved:
		return []string{"control, moved"}
	}
	return []string{"control"}
}

// moved returns the direction of a change that the adjusted p finds significant.
func moved(s report.Secondary) string {
	better := (s.Stats.T.Mean > 0) == (s.Better != "higher")
	if better {
		return "better"
	}
	return "worse"
}

// dropped shows the dropped pairs by arm and cause.
func dropped(w *report.Workload) []Block {
	if len(w.Drops) == 0 {
		return nil
	}
	byArm, unfinished := map[schedule.Arm]int{}, 0
	table := Table{Columns: []Column{
		{Title: "Pair", Number: true}, {Title: "Order"}, {Title: "Attempt", Number: true}, {Title: "Arm"}, {Title: "Cause"},
		{Title: "Observation"},
	}}
	for _, drop := range w.Drops {
		if len(drop.Causes) == 0 {
			unfinished++
			table.Rows = append(table.Rows,
				[]string{fmt.Sprint(drop.Pair), string(drop.Order), fmt.Sprint(drop.Attempt), absent, "unfinished",
					"the pair was cut short"})
		}
		seen := map[schedule.Arm]bool{}
		for _, cause := range drop.Causes {
			if !seen[cause.Arm] {
				seen[cause.Arm] = true
				byArm[cause.Arm]++
			}
			table.Rows = append(table.Rows, []string{
				fmt.Sprint(drop.Pair), string(drop.Order), fmt.Sprint(drop.Attempt), string(cause.Arm), cause.Kind, cause.Text,
			})
		}
	}
	text := fmt.Sprintf("%s dropped and rescheduled at the end: %d because of a disturbance during a proof of base, %d "+
		"during a proof of head", plural.Of(len(w.Drops), "pair"), byArm[schedule.Base], byArm[schedule.Head])
	if unfinished > 0 {
		text += fmt.Sprintf(", %d unfinished", unfinished)
	}
	return []Block{
		Paragraph(text + ". All causes lie outside the measured process and were logged before any time was read."),
		table,
	}
}

// idle describes the resources that a session used while the other one was proving.
func idle(i evidence.Idle) string {
	text := "no CPU time"
	if i.Seconds > 0 && i.CPUSeconds > 0 {
		text = fmt.Sprintf("%.2g %% of a CPU", 100*i.CPUSeconds/i.Seconds)
	}
	if i.IOBytes > 0 {
		text += ", " + Quantity("_bytes", i.IOBytes) + " read and written"
	}
	if i.GPUShare != nil {
		text += fmt.Sprintf(", %.2g %% of a GPU", 100**i.GPUShare)
	}
	return text
}

// proofs shows how many proofs were made and verified, and by which verifiers.
func proofs(w *report.Workload) []Block {
	verified := fmt.Sprintf("all %d: %d of base and %d of head, each by its own revision's verifier",
		w.Verified.Base+w.Verified.Head, w.Verified.Base, w.Verified.Head)
	if w.Verified.Base+w.Verified.Head < w.ProofsMade {
		verified = fmt.Sprintf("%d of %d made: %d of base and %d of head", w.Verified.Base+w.Verified.Head, w.ProofsMade,
			w.Verified.Base, w.Verified.Head)
	}
	if slices.ContainsFunc(w.Challenges, func(c evidence.Challenge) bool { return c.Altered }) {
		verified = "no: " + strings.Join(unverified(w), "; ")
	}
	cross := "not tried"
	if w.Cross.Done {
		cross = fmt.Sprintf("accepted all %d", w.Cross.Proofs)
		if !w.Cross.Accepted {
			cross = fmt.Sprintf("rejected %d of %d", w.Cross.Refused, w.Cross.Proofs)
			if w.Cross.Text != "" {
				cross += ": " + firstLine(w.Cross.Text)
			}
		}
	}
	checks := []Fact{
		{Label: "Proofs verified", Value: verified},
		{Label: "Base's verifier on head's proofs", Value: cross},
	}
	what := "Proofs made"
	if w.NotVerified {
		checks, what = []Fact{{Label: "Results", Value: notVerified(w)}}, "Runs made"
	}
	facts := Facts{Rows: append(checks, []Fact{
		{Label: what, Value: fmt.Sprintf("%d of %d planned, in %s", w.ProofsMade, w.ProofsPlanned,
			duration(w.Seconds))},
		{Label: "Mode", Value: w.Mode},
	}...)}
	for _, s := range []struct {
		arm     string
		session evidence.Session
	}{{"Base", w.BaseSession}, {"Head", w.HeadSession}} {
		if text := session(s.session); text != "" {
			facts.Rows = append(facts.Rows, Fact{Label: s.arm + " session", Value: text})
		}
	}
	for _, waiting := range []struct {
		arm  string
		idle *evidence.Idle
	}{{"Base", w.BaseIdle}, {"Head", w.HeadIdle}} {
		if waiting.idle != nil {
			facts.Rows = append(facts.Rows, Fact{Label: waiting.arm + " while idle", Value: idle(*waiting.idle)})
		}
	}
	if d := w.Deferred; d != nil {
		facts.Rows = append(facts.Rows,
			Fact{Label: "Base between replies and requests", Value: deferredOf(d.BaseCPUSeconds, d.BaseGPUSeconds)},
			Fact{Label: "Head between replies and requests", Value: deferredOf(d.HeadCPUSeconds, d.HeadGPUSeconds)})
	}
	if w.BaseSession.Statement != "" {
		facts.Rows = append(facts.Rows, Fact{Label: "Statement", Value: w.BaseSession.Statement, Code: true})
		if w.HeadSession.Statement != w.BaseSession.Statement {
			facts.Rows = append(facts.Rows, Fact{Label: "Statement of head", Value: w.HeadSession.Statement, Code: true})
		}
	}
	for _, input := range w.Inputs {
		facts.Rows = append(facts.Rows, Fact{
			Label: "Input " + input.Name,
			Value: fmt.Sprintf("%s, sha256 %s", Quantity("_bytes", float64(input.Bytes)), input.SHA256),
			Code:  true,
		})
	}
	blocks := []Block{facts}
	if len(w.Counters) > 0 {
		blocks = append(blocks, counters(w.Counters))
	}
	return blocks
}

// session shows what an arm's session reported about itself.
func session(s evidence.Session) string {
	var parts []string
	for _, part := range []string{s.Backend, s.Device} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if s.SetupSeconds > 0 {
		parts = append(parts, "set up in "+duration(s.SetupSeconds))
	}
	if s.SecurityBits > 0 {
		parts = append(parts, fmt.Sprintf("%d bits proven", s.SecurityBits))
	}
	if s.Starts > 1 {
		parts = append(parts, fmt.Sprintf("started %d times", s.Starts))
	}
	return strings.Join(parts, ", ")
}

func counters(list []report.Counter) Table {
	table := Table{Columns: []Column{{Title: "Counter"}, {Title: "Base", Number: true}, {Title: "Head", Number: true},
		{Title: "Expected", Number: true}}}
	for _, c := range list {
		expected := c.Expected
		if expected == "" {
			expected = absent
		}
		table.Rows = append(table.Rows,
			[]string{c.Name, spread(number(c.BaseMin), number(c.BaseMax)), spread(number(c.HeadMin), number(c.HeadMax)),
				expected})
	}
	return table
}

// spread formats a range, or a single value.
func spread(low, high string) string {
	if low == high {
		return low
	}
	return low + " to " + high
}
