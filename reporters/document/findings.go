package document

import (
	"fmt"

	"github.com/chiasmus/chiasmus/harness/report"
)

// findings lists what changed besides the primary metric: deterministic quantities, then stages, then tested metrics.
func findings(r *report.Report, w *report.Workload) []string {
	list := append(exactFindings(w), stageFindings(w)...)
	return append(list, metricFindings(r, w)...)
}

// mostMetrics bounds the number of metrics that a headline lists.
const mostMetrics = 4

// metricFindings lists the secondary metrics that changed, by the adjusted p of their family. It omits controls, which
// have a caveat, and deterministic quantities, which exactFindings lists.
func metricFindings(r *report.Report, w *report.Workload) []string {
	listed := map[string]bool{}
	for _, e := range w.Exact {
		listed[e.Name] = e.Changed
	}
	var list []string
	for _, s := range w.Secondary {
		if s.Kind != report.KindMetric || s.Control || listed[s.Metric] || s.Stats == nil || !s.PHolm.Exists() ||
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
