package csv

import (
	"fmt"
	"io"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/stats"
)

// WriteAnswer writes one row per workload: the change of head against base in percent with its interval, the verdict,
// the metric, and the number of pairs. A number that does not exist, as in a run without a verdict, is an empty cell.
func WriteAnswer(w io.Writer, r *report.Report) error {
	d := document.New(r)
	rows := [][]string{{"workload", "change_percent", "ci_low_percent", "ci_high_percent", "verdict", "metric", "pairs"}}
	if len(r.Heads) > 0 {
		rows[0] = append(rows[0], "head", "p_adjusted")
	}
	headlines := d.Headlines[max(0, len(d.Headlines)-len(r.Workloads)):]
	for i := range r.Workloads {
		load := &r.Workloads[i]
		row := []string{load.Name, "", "", "", headlines[i].Status.Word, load.Metric.Name, fmt.Sprint(len(load.Pairs))}
		if s := load.Stats; s != nil && r.State == report.Complete {
			row[1] = optional(-s.EffectPercent)
			ci := s.EffectCIPercent
			if f := load.Family; f != nil && f.OfHead != nil {
				ci = f.OfHead.EffectCIPercent
			}
			row[2], row[3] = optional(stats.Number(-ci.High)), optional(stats.Number(-ci.Low))
		}
		if len(r.Heads) > 0 {
			p := ""
			if load.Family != nil {
				p = optional(load.Family.P)
			}
			row = append(row, document.Clean(r.HeadOf(load).SHA), p)
		}
		rows = append(rows, row)
	}
	return writeAll(w, rows)
}
