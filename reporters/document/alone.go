package document

import (
	"fmt"

	"github.com/chiasmus/chiasmus/harness/report"
)

// aloneFigures returns the figures of a workload decided by the baseline pre-check: head alone against a baseline.
func aloneFigures(w *report.Workload) []Block {
	s := w.Stats
	table := Table{
		Columns: []Column{{Title: w.Metric.Name}, {Title: "Baseline of base", Number: true},
			{Title: "Head alone", Number: true}, {Title: "Change", Number: true}},
		Rows: [][]string{{"Geometric mean over processes", Quantity(w.Metric.Name, float64(s.MeanA)),
			Quantity(w.Metric.Name, float64(s.MeanB)),
			above}},
	}
	rows := []Fact{
		{Label: "Processes of head", Value: fmt.Sprint(s.Processes)},
		{Label: "Standard error of d, host's shifts included", Value: number(s.T.SE)},
		{Label: "Degrees of freedom", Value: fmt.Sprint(s.T.DF)},
		{Label: "Margin", Value: marginText(s)},
		{Label: "TOST p", Value: PValue(s.TOST.P)},
	}
	if t := w.PreCheck; t != nil {
		rows = append(rows,
			Fact{Label: "Age of the baseline", Value: fmt.Sprintf("%.1f h", t.AgeHours)},
			Fact{Label: "Shifts of the host in that time", Value: fmt.Sprint(len(t.Moves))})
	}
	return []Block{table, Facts{Title: "Baseline pre-check", Rows: rows}}
}
