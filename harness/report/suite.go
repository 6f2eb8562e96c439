package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/chiasmus/chiasmus/harness/adapter"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// A benchmark suite is measured as one workload: every process runs the whole suite. The metrics of each benchmark are
// stored with the sample of its process. The report has one workload for every benchmark that both arms have, and all
// of them form one family.

// warnSuite is the kind of warning about benchmarks that are not compared.
const warnSuite = "suite"

// suitePrimary returns the metric that compares the benchmarks of a suite: the metric of bench.yaml, or the time of an
// operation if bench.yaml names a time of the whole process.
func suitePrimary(planned config.Metric) config.Metric {
	if planned.Name == metrics.ProveSeconds || planned.Name == metrics.WallSeconds {
		planned.Name = adapter.Seconds
	}
	return planned
}

// SuiteMetric returns the metric that compares the benchmarks of a suite, given the primary metric of bench.yaml.
func SuiteMetric(planned config.Metric) metrics.Metric { return metrics.Of(suitePrimary(planned)) }

// SomeBenchmarks lists the first benchmarks of a suite.
func SomeBenchmarks(benchmarks map[string]map[string]float64) string {
	return someNames(slices.Sorted(maps.Keys(benchmarks)))
}

// mostNamed is the number of names in a warning.
const mostNamed = 5

func someNames(names []string) string {
	if len(names) > mostNamed {
		return fmt.Sprintf("%s and %d more", joinNames(names[:mostNamed]), len(names)-mostNamed)
	}
	return joinNames(names)
}

func joinNames(names []string) string {
	text := ""
	for i, name := range names {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	return text
}

// assembleSuite describes every benchmark that both arms have as a separate workload, and warns about the others.
func assembleSuite(d *plan.Decision, c config.Workload, p *record.Progress, ended, analyze bool) ([]Workload,
	[]plan.Warning, error) {
	primary := suitePrimary(d.File.Metrics.Primary)
	names, warnings := benchmarks(p, c.Name, primary)
	folders := adapter.FolderNames(names)
	list := make([]Workload, 0, len(names))
	for _, name := range names {
		w := Workload{Name: c.Name + "." + folders[name], Suite: c.Name, Benchmark: name, Metric: metrics.Of(primary)}
		w, err := complete(d, w, c, ofBenchmark(p, name), ended, analyze)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, w)
	}
	return list, warnings, nil
}

// benchmarks lists the benchmarks that every counted process of both arms reports with the given metric, and warns
// about the others. If every pair was dropped, it uses the dropped pairs.
func benchmarks(p *record.Progress, suite string, metric config.Metric) ([]string, []plan.Warning) {
	seen := map[string]map[schedule.Arm]int{}
	usable := map[string]bool{}
	of := map[schedule.Arm]int{}
	take := func(s *evidence.Sample) {
		of[s.Arm]++
		for name, metrics := range s.Benchmarks {
			if seen[name] == nil {
				seen[name], usable[name] = map[schedule.Arm]int{}, true
			}
			seen[name][s.Arm]++
			value, has := metrics[metric.Name]
			usable[name] = usable[name] && has && (value > 0 || metric.Scale != config.LogScale)
		}
	}
	attempts := slices.DeleteFunc(p.Attempts(), func(a record.Attempt) bool { return !a.Whole() })
	kept := slices.DeleteFunc(slices.Clone(attempts), func(a record.Attempt) bool { return a.Dropped })
	if len(kept) == 0 { // the host was so busy that the report has only disturbed pairs: see Busy
		kept = attempts
	}
	for _, a := range kept {
		take(&p.Samples[a.Indices[0]])
		take(&p.Samples[a.Indices[1]])
	}
	var both []string
	left := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		why := ""
		switch base, head := seen[name][schedule.Base], seen[name][schedule.Head]; {
		case head == 0:
			why = "in base alone"
		case base == 0:
			why = "in head alone"
		case base < of[schedule.Base] || head < of[schedule.Head]:
			why = "not reported by every process"
		case !usable[name]:
			why = fmt.Sprintf("without %s above 0 in every process", metric.Name)
		default:
			both = append(both, name)
			continue
		}
		left[why] = append(left[why], name)
	}
	var warnings []plan.Warning
	for _, why := range slices.Sorted(maps.Keys(left)) {
		warnings = append(warnings, plan.Warning{Kind: warnSuite,
			Text: fmt.Sprintf("%s: not compared, because %s: %s", suite, why, someNames(left[why]))})
	}
	return both, warnings
}

// countBenchmarks returns the number of workloads in the report of a run, each benchmark and head counted.
func countBenchmarks(d *plan.Decision, h *record.History) int {
	count := 0
	for _, name := range d.Workloads {
		p, begun := h.Workloads[name]
		for _, head := range d.Heads() {
			if begun && d.Workload(name).Adapter != "" {
				names, _ := benchmarks(p.Against(head), name, suitePrimary(d.File.Metrics.Primary))
				count += len(names)
			} else {
				count++
			}
		}
	}
	return count
}

// ofBenchmark returns the progress of one benchmark: the samples of its suite with the metrics of the benchmark.
func ofBenchmark(p *record.Progress, name string) *record.Progress {
	one := *p
	one.Samples = make(evidence.Samples, len(p.Samples))
	for i, s := range p.Samples {
		s.Metrics, s.Benchmarks, s.Counters = maps.Clone(s.Benchmarks[name]), nil, nil
		if s.Metrics == nil {
			s.Metrics = map[string]float64{}
		}
		one.Samples[i] = s
	}
	one.Warnings = nil
	return &one
}

// reported lists the metrics that are compared in addition to the primary metric: the metrics of bench.yaml and, for a
// benchmark, its allocations.
func reported(d *plan.Decision, w *Workload) []config.Metric {
	list := d.File.Metrics.Report
	if w.Suite == "" {
		return list
	}
	list = slices.Clone(list)
	list = slices.DeleteFunc(list, func(m config.Metric) bool { return !w.has(m.Name) })
	for _, name := range []string{adapter.Bytes, adapter.Allocations} {
		known := func(m config.Metric) bool { return m.Name == name }
		if w.has(name) && w.Metric.Name != name && !slices.ContainsFunc(list, known) {
			list = append(list, config.Metric{Name: name, Better: config.Lower, Scale: config.LogScale})
		}
	}
	return list
}

// has reports whether any sample has a metric.
func (w *Workload) has(name string) bool {
	return slices.ContainsFunc(w.Samples, func(s evidence.Sample) bool { _, ok := s.Metrics[name]; return ok })
}

// warnFamily warns if a suite has too many benchmarks for any p-value to be small enough.
func warnFamily(d *plan.Decision, r *Report) {
	names := map[string]bool{}
	for _, w := range r.Workloads {
		names[cmp.Or(w.Of, w.Name)] = true
	}
	if n := len(names); n > len(d.Workloads) {
		if err := d.Plan.Upholds(n); err != nil {
			r.Warnings = append(r.Warnings, plan.Warning{Kind: warnSuite, Text: err.Error()})
		}
	}
}
