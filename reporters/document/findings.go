package document

import (
	"fmt"

	"github.com/chiasmus/chiasmus/harness/report"
)

// findings are what changed besides the metric that decides: first what repeats and needs no test, then the stages,
// then the metrics that were tested.
func findings(r *report.Report, w *report.Workload) []string {
	list := append(exactFindings(w), stageFindings(w)...)
	return append(list, metricFindings(r, w)...)
}

// mostMetrics bounds how many metrics a headline lists.
const mostMetrics = 4

// metricFindings are the secondary metrics that moved, by the adjusted p of their family. Controls have a caveat, and
// what repeats was said before.
func metricFindings(r *report.Report, w *report.Workload) []string {
	told := map[string]bool{}
	for _, e := range w.Exact {
		told[e.Name] = e.Changed
	}
	var list []string
	for _, s := range w.Secondary {
		if s.Kind != report.KindMetric || s.Control || told[s.Metric] || s.Stats == nil || !s.PHolm.Exists() ||
			float64(s.PHolm) > r.Plan.Alpha {
			continue
		}
		a, b := Means(w, s)
		list = append(list, fmt.Sprintf("%s %s (%s to %s), %s", s.Metric,
			change(s.Stats.EffectPercent, s.Stats.EffectCIPercent),
			Quantity(s.Metric, float64(a)), Quantity(s.Metric, float64(b)), moved(s)))
	}
	if more := len(list) - mostMetrics; more > 0 {
		list = append(list[:mostMetrics], fmt.Sprintf("and %d more of the metrics below", more))
	}
	return list
}
