package document

import (
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/stats"
)

// exact is the table of deterministic quantities that changed, have a bound, or turned out not to repeat. It comes
// before the times because it needs no test.
func exact(r *report.Report, w *report.Workload) []Block {
	if !complete(r) {
		return nil
	}
	table := Table{Columns: []Column{{Title: "Quantity"}, {Title: "Base", Number: true}, {Title: "Head", Number: true},
		{Title: "Change", Number: true}, {Title: "Limit", Number: true}, {Title: "Note"}}}
	var same []string
	for _, e := range w.Exact {
		if !e.Changed && e.Inexact == "" && e.Max == nil {
			same = append(same, e.Name)
			continue
		}
		row := []string{e.Name, exactRange(e.Name, e.BaseMin, e.BaseMax), exactRange(e.Name, e.HeadMin, e.HeadMax), absent,
			absent, exactNote(e)}
		if e.Inexact == "" {
			row[3] = exactChange(e)
		}
		if e.Max != nil {
			row[4] = allowed(e)
		}
		table.Rows = append(table.Rows, row)
	}
	if len(table.Rows) == 0 && len(same) == 0 {
		return nil
	}
	var blocks []Block
	if len(table.Rows) > 0 {
		blocks = append(blocks, table)
	}
	if len(same) > 0 {
		blocks = append(blocks, Paragraph("Unchanged: "+strings.Join(same, ", ")+"."))
	}
	return blocks
}

// exactRange formats the values of an arm, for a quantity that repeats to its last digit.
func exactRange(name string, low, high stats.Number) string {
	one := func(x stats.Number) string {
		if size, unit := Unit(name, float64(x)); size == 1 && unit != "" || unit == "" {
			return strings.TrimSpace(digits(float64(x), 12) + " " + unit)
		}
		return digits(float64(x), 12)
	}
	if !low.Exists() {
		return absent
	}
	return spread(one(low), one(high))
}

// exactChange formats head's increase, with enough digits to show that it is not 0.
func exactChange(e report.Exact) string {
	switch {
	case !e.Changed:
		return "none"
	case !e.ChangePercent.Exists():
		return "from 0"
	}
	text := digits(float64(e.ChangePercent), 3) + " %"
	if e.ChangePercent > 0 {
		text = "+" + text
	}
	return text
}

func allowed(e report.Exact) string { return "+" + digits(100**e.Max, 5) + " %" }

func exactNote(e report.Exact) string {
	var notes []string
	if e.Inexact != "" {
		notes = append(notes, "not exact: "+e.Inexact)
	}
	switch e.Bound {
	case report.BoundExceeded:
		notes = append(notes, "above the limit")
	case report.BoundOpen:
		notes = append(notes, "limit not checked")
	}
	return strings.Join(notes, "; ")
}

// exactFindings lists the changes of deterministic quantities.
func exactFindings(w *report.Workload) []string {
	var list []string
	for _, e := range w.Exact {
		if e.Changed {
			list = append(list, fmt.Sprintf("%s %s (%s to %s)", e.Name, exactChange(e),
				exactRange(e.Name, e.BaseMin, e.BaseMax), exactRange(e.Name, e.HeadMin, e.HeadMax)))
		}
	}
	return list
}

// openBounds lists the bounds that could not be checked.
func openBounds(w *report.Workload) []string {
	var list []string
	for _, e := range w.Exact {
		if e.Bound == report.BoundOpen {
			list = append(list, fmt.Sprintf("the limit on %s (metrics.exact) was not checked: %s", e.Name, e.Inexact))
		}
	}
	return list
}

// breaches lists the reasons, besides the primary metric, why a workload is a regression.
func breaches(r *report.Report, w *report.Workload) []string {
	var list []string
	for _, e := range w.Exact {
		switch {
		case e.Exceeded() && e.ChangePercent.Exists():
			list = append(list, fmt.Sprintf("%s grew by %s %% (limit %s)", e.Name,
				digits(float64(e.ChangePercent), 3), allowed(e)))
		case e.Exceeded():
			list = append(list, fmt.Sprintf("%s is %s in base and %s in head (limit %s)", e.Name,
				exactRange(e.Name, e.BaseMin, e.BaseMax), exactRange(e.Name, e.HeadMin, e.HeadMax), allowed(e)))
		}
	}
	for _, s := range w.Secondary {
		if s.Regression() {
			list = append(list, fmt.Sprintf("stage %s adds %s to the total time (margin %s)", StageTitle(s.Metric),
				ofTotal(s.Contribution), marginOf(r)))
		}
	}
	return list
}
