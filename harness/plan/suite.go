package plan

import (
	"cmp"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/metrics"
)

// checkSuites refuses settings that need a single deciding metric, which a suite does not have.
func (d *Decision) checkSuites(options Options) error {
	for _, name := range d.Workloads {
		kind := d.Workload(name).Adapter
		if kind == "" {
			continue
		}
		if options.OneWorkload {
			return failure.Usage("the format has room for one workload, and workload %s is a suite of benchmarks: take "+
				"another format", name)
		}
		for _, c := range []struct {
			asked bool
			what  string
		}{
			{d.Kind == KindCalibrate, "calibrate measures"},
			{options.PairsOnly, "nights and searches count"},
			{cmp.Or(options.PreCheck, d.File.Plan.PreCheck) == 1, "the baseline pre-check (plan.precheck) measures"},
			{cmp.Or(options.Analyses, d.File.Plan.Analyses) > 1, "interim analyses (plan.analyses) judge"},
		} {
			if c.asked {
				return failure.Usage("workload %s is a suite of benchmarks (adapter: %s), and %s one metric: name another "+
					"workload, or measure one benchmark by a workload with process and {metrics}", name, kind, c.what)
			}
		}
	}
	return nil
}

// Timed returns the metric that every process of a workload has: for a suite, the time of the process.
func (d *Decision) Timed(w config.Workload) config.Metric {
	if w.Adapter == "" {
		return d.File.Metrics.Primary
	}
	return config.Metric{Name: metrics.WallSeconds, Better: config.Lower, Scale: config.LogScale}
}
