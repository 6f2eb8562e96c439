package document

import (
	"fmt"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/stats"
)

// summary is one line for each workload of a run of several, and one for all of them together: the geometric means over
// the workloads, which weigh a change of a short proof as much as the same change of a long one.
func summary(r *harness.Report) []Block {
	if len(r.Workloads) < 2 {
		return nil
	}
	table := Table{Columns: []Column{{Title: "Workload"}, {Title: "Base", Number: true}, {Title: "Head", Number: true},
		{Title: "Change", Number: true}, {Title: "CI", Number: true}, {Title: "Pairs", Number: true}, {Title: "Verdict"}}}
	metric := r.Workloads[0].Metric.Name
	var base, head []float64
	for i := range r.Workloads {
		w := &r.Workloads[i]
		row := []string{w.Name, absent, absent, absent, absent, fmt.Sprint(len(w.Pairs)), headline(r, w).Status.Word}
		if s := Described(w); s != nil {
			a, b := ArmMeans(w, s.Scale)
			row[1], row[2] = Quantity(w.Metric.Name, float64(a)), Quantity(w.Metric.Name, float64(b))
			if decided(r, w) {
				row[3], row[4] = change(s.EffectPercent, s.EffectCIPercent), changeInterval(s.EffectCIPercent)
				base, head = append(base, float64(a)), append(head, float64(b))
			}
		}
		table.Rows = append(table.Rows, row)
	}
	if len(base) == len(r.Workloads) {
		a, b := typical(base, stats.ScaleLog), typical(head, stats.ScaleLog)
		if moved := ratio(a, b); moved.Exists() {
			table.Rows = append(table.Rows,
				[]string{"geometric mean", Quantity(metric, float64(a)), Quantity(metric, float64(b)), percent(moved, 2), "", "",
					""})
		}
	}
	return []Block{table}
}
