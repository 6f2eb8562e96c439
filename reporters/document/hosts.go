package document

import (
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/stats"
)

// hosts shows each host's result in a joined report, and their agreement.
func hosts(r *report.Report, w *report.Workload) []Block {
	if w.Hosts == nil || !decided(r, w) {
		return nil
	}
	table := Table{Columns: []Column{{Title: "Host"}, {Title: "Pairs", Number: true}, {Title: "Base", Number: true},
		{Title: "Head", Number: true},
		{Title: "Change", Number: true}, {Title: "CI", Number: true}, {Title: "Units", Number: true},
		{Title: "p (outlier)", Number: true}, {Title: "Note"}}}
	for _, h := range w.Hosts.Hosts {
		own := report.Workload{Pairs: slices.DeleteFunc(slices.Clone(w.Pairs), func(p evidence.Pair) bool {
			return p.Host != h.Host
		})}
		a, b := ArmMeans(&own, w.Metric.Scale)
		note := ""
		if slices.Contains(w.Hosts.Apart, h.Host) {
			note = "differs from the others"
		}
		table.Rows = append(table.Rows,
			[]string{hostName(r, h.Host), fmt.Sprint(h.Pairs), Quantity(w.Metric.Name, float64(a)),
				Quantity(w.Metric.Name, float64(b)),
				change(h.EffectPercent, h.EffectCIPercent), changeInterval(h.EffectCIPercent),
				fmt.Sprintf("%d (%s)", h.Units, UnitName(h.Unit)), PValue(h.P), note})
	}
	table.Notes = append(table.Notes,
		"A host's interval uses only its own pairs and holds only for that host. p (outlier) tests the host's difference "+
			"from the mean of the others, and is multiplied by the number of hosts.")
	between := w.Hosts.Between
	interval := absent
	if between.CI.Exists() {
		interval = fmt.Sprintf("%s to %s", spreadPercent(w.Stats, between.CI.Low), spreadPercent(w.Stats, between.CI.High))
	}
	sd := absent
	if between.SD.Exists() {
		sd = spreadPercent(w.Stats, between.SD.Float())
	}
	return []Block{table, Facts{Title: "Agreement of the hosts", Rows: []Fact{
		{Label: "SD between hosts (τ)", Value: sd},
		{Label: "95 % CI of τ", Value: interval},
		{Label: fmt.Sprintf("Q, %d degrees of freedom", w.Hosts.DF), Value: number(w.Hosts.Q)},
		{Label: "I²", Value: share(w.Hosts.I2)},
		{Label: "p of equal effects on all hosts", Value: PValue(w.Hosts.P)},
	}}}
}

// spreadPercent formats a standard deviation in units of d as percent of base.
func spreadPercent(s *stats.Result, sd float64) string { return fixed(s.Percent(sd), 2) + " %" }

// hostName returns the name of a host of a joined report by its number among the included hosts.
func hostName(r *report.Report, number int) string {
	for _, h := range r.Hosts {
		if h.LeftOut {
			continue
		}
		if number--; number == 0 {
			return h.Name
		}
	}
	return absent
}

// hostsApart lists the outlier hosts.
func hostsApart(r *report.Report, w *report.Workload) []string {
	if w.Hosts == nil {
		return nil
	}
	var list []string
	for _, h := range w.Hosts.Hosts {
		if slices.Contains(w.Hosts.Apart, h.Host) {
			list = append(list, fmt.Sprintf("host %s differs from the others: %s there, CI %s", hostName(r, h.Host),
				change(h.EffectPercent, h.EffectCIPercent), changeInterval(h.EffectCIPercent)))
		}
	}
	return list
}

// hostRuns lists the runs of a joined report.
func hostRuns(r *report.Report) []Block {
	if len(r.Hosts) == 0 {
		return nil
	}
	table := Table{Columns: []Column{{Title: "Host"}, {Title: "Run", Code: true}, {Title: "State"},
		{Title: "Pairs", Number: true}, {Title: "Seed", Number: true},
		{Title: "CPU"}, {Title: "GPU"}, {Title: "Note"}}}
	for _, h := range r.Hosts {
		note := ""
		if h.LeftOut {
			note = "left out"
		}
		gpus := absent
		if len(h.Host.GPUs) > 0 {
			gpus = fmt.Sprint(h.Host.GPUs[0])
			if len(h.Host.GPUs) > 1 {
				gpus = fmt.Sprintf("%d, the first %s", len(h.Host.GPUs), gpus)
			}
		}
		table.Rows = append(table.Rows,
			[]string{h.Name, h.Run, string(h.State), fmt.Sprint(h.Pairs), fmt.Sprint(h.Seed), h.Host.CPU, gpus, note})
	}
	return []Block{table}
}
