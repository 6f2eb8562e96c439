package harness

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/chiasmus/chiasmus/harness/adapter"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/internal/files"
	"github.com/chiasmus/chiasmus/harness/session"
)

// A benchmark suite is measured as one workload, by processes that all run the whole suite. What each process reports
// of each benchmark is kept with its sample; the report has a workload for every benchmark that both arms have, and all
// of them are one family.

// warnSuite marks what of a suite is not compared.
const warnSuite = "suite"

// checkSuites refuses what cannot be done with a suite, of which no single metric decides.
func (d *Decision) checkSuites(options Options) error {
	for _, name := range d.Workloads {
		kind := d.workload(name).Adapter
		if kind == "" {
			continue
		}
		if options.OneWorkload {
			return usage("the format has room for one workload, and workload %s is a suite of benchmarks: take another format",
				name)
		}
		for _, c := range []struct {
			asked bool
			what  string
		}{
			{d.Kind == KindCalibrate, "calibrate measures"},
			{options.PairsOnly, "nights and searches count"},
			{cmp.Or(options.Tier, d.file.Plan.Tier) == 1, "the first tier (plan.tier) measures"},
			{cmp.Or(options.Looks, d.file.Plan.Looks) > 1, "interim analyses (plan.looks) judge"},
		} {
			if c.asked {
				return usage("workload %s is a suite of benchmarks (adapter: %s), and %s one metric: name another workload, or "+
					"measure one benchmark by a workload with process and {metrics}", name, kind, c.what)
			}
		}
	}
	return nil
}

// timed is the metric that every process of a workload has: of a suite's the time that it took.
func (d *Decision) timed(w config.Workload) config.Metric {
	if w.Adapter == "" {
		return d.file.Metrics.Primary
	}
	return config.Metric{Name: metricWall, Better: config.Lower, Scale: config.LogScale}
}

// suitePrimary is the metric by which the benchmarks of a suite are compared: the one that bench.yaml names, or the
// time of an operation where it names a time of the whole process.
func suitePrimary(planned config.Metric) config.Metric {
	if planned.Name == session.PrimarySeconds || planned.Name == metricWall {
		planned.Name = adapter.Seconds
	}
	return planned
}

// SuiteMetric is the metric by which the benchmarks of a suite are compared, where bench.yaml names one for its
// workloads.
func SuiteMetric(planned config.Metric) Metric { return metricOf(suitePrimary(planned)) }

// resultsFolder is the folder that the environment of a suite names for its results.
func (r *runner) resultsFolder() string { return filepath.Join(r.proofs, r.workload.Name+"-results") }

// results reads what a process reported of each benchmark, and removes the files.
func (r *runner) results(id int64) (map[string]map[string]float64, error) {
	q := r.request(id, 0)
	kind := r.workload.Adapter
	var list []adapter.Benchmark
	var err error
	if kind == adapter.CargoCriterion {
		folder := r.resultsFolder()
		var output []byte
		if output, err = readResults(q.Output); err == nil {
			if err = os.MkdirAll(folder, 0o755); err == nil {
				list, err = adapter.ReadCriterion(folder, "standard output", output)
			}
		}
		err = errors.Join(err, files.RemoveAll(folder))
	} else {
		list, err = parseResults(kind, q)
	}
	if err := errors.Join(err, removeIfThere(q.Output), removeIfThere(q.Metrics)); err != nil {
		return nil, fmt.Errorf("its results, as %s: %w", kind, err)
	}
	benchmarks := make(map[string]map[string]float64, len(list))
	for _, b := range list {
		benchmarks[b.Name] = b.Metrics
	}
	return benchmarks, nil
}

// parseResults reads results from one file: the one that the command line named, or standard output.
func parseResults(kind adapter.Kind, q session.Request) ([]adapter.Benchmark, error) {
	path, name := q.Output, "standard output"
	if kind.NeedsFile() {
		path, name = q.Metrics, kind.FileOption()+" file"
	}
	text, err := readResults(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("it wrote none to {metrics}: name it in the command, as in %s {metrics}", kind.FileOption())
	case err != nil:
		return nil, err
	}
	switch kind {
	case adapter.GoBench:
		return adapter.ParseGo(name, text)
	case adapter.PytestBenchmark:
		return adapter.ParsePytest(name, text)
	case adapter.Hyperfine:
		return adapter.ParseHyperfine(name, text)
	}
	return nil, fmt.Errorf("there is no adapter %q", kind)
}

// readResults reads a file that a measured program wrote.
func readResults(path string) ([]byte, error) {
	file, err := session.OpenWritten(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, adapter.MostBytes+1))
	if err == nil && len(text) > adapter.MostBytes {
		err = fmt.Errorf("%d bytes or more of results, at most %d are read", len(text), adapter.MostBytes)
	}
	return text, err
}

// common ends a run early whose arms have no benchmark in common, or whose plan has too few pairs for as many
// benchmarks as the first process has.
func (m *measurement) common(sample Sample) error {
	if m.workload.Adapter == "" {
		return nil
	}
	if len(m.progress.samples) == 1 {
		d := m.run.decision
		if err := d.Plan.Upholds(len(d.Workloads) - 1 + len(sample.Benchmarks)); err != nil {
			return usage("workload %s: %w", m.workload.Name, err)
		}
	}
	for _, other := range m.progress.samples {
		if other.Arm == sample.Arm {
			continue
		}
		for name := range sample.Benchmarks {
			if _, both := other.Benchmarks[name]; both {
				return nil
			}
		}
		return &FailureError{Failure: Failure{Step: StepProof, Workload: m.workload.Name, Cause: fmt.Sprintf(
			"base and head have no benchmark in common: %s has %s, and %s has %s", other.Arm, someOf(other.Benchmarks),
			sample.Arm, someOf(sample.Benchmarks))}}
	}
	return nil
}

// someOf lists the first benchmarks of a suite.
func someOf(benchmarks map[string]map[string]float64) string {
	return someNames(slices.Sorted(maps.Keys(benchmarks)))
}

// mostNamed is how many names a warning lists.
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

// assembleSuite describes every benchmark of a suite that both arms have as a workload of its own, and says which are
// left out.
func (d *Decision) assembleSuite(c config.Workload, p *progress, ended, analyze bool) ([]Workload, []Warning, error) {
	primary := suitePrimary(d.file.Metrics.Primary)
	names, warnings := p.benchmarks(c.Name, primary)
	folders := adapter.FolderNames(names)
	list := make([]Workload, 0, len(names))
	for _, name := range names {
		w := Workload{Name: c.Name + "." + folders[name], Suite: c.Name, Benchmark: name, Metric: metricOf(primary)}
		w, err := d.complete(w, c, p.of(name), ended, analyze)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, w)
	}
	return list, warnings, nil
}

// benchmarks lists those that every counted process of both arms reports with the metric they are compared by, and
// warns of the others.
func (p *progress) benchmarks(suite string, metric config.Metric) ([]string, []Warning) {
	seen := map[string]map[Arm]int{}
	usable := map[string]bool{}
	of := map[Arm]int{}
	take := func(s *Sample) {
		of[s.Arm]++
		for name, metrics := range s.Benchmarks {
			if seen[name] == nil {
				seen[name], usable[name] = map[Arm]int{}, true
			}
			seen[name][s.Arm]++
			value, has := metrics[metric.Name]
			usable[name] = usable[name] && has && (value > 0 || metric.Scale != config.LogScale)
		}
	}
	for _, a := range p.attempts() {
		if !a.dropped && a.whole() {
			take(&p.samples[a.base])
			take(&p.samples[a.head])
		}
	}
	var both []string
	left := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		why := ""
		switch base, head := seen[name][Base], seen[name][Head]; {
		case head == 0:
			why = "in base alone"
		case base == 0:
			why = "in head alone"
		case base < of[Base] || head < of[Head]:
			why = "not reported by every process"
		case !usable[name]:
			why = fmt.Sprintf("without %s above 0 in every process", metric.Name)
		default:
			both = append(both, name)
			continue
		}
		left[why] = append(left[why], name)
	}
	var warnings []Warning
	for _, why := range slices.Sorted(maps.Keys(left)) {
		warnings = append(warnings, Warning{warnSuite,
			fmt.Sprintf("%s: not compared, because %s: %s", suite, why, someNames(left[why]))})
	}
	return both, warnings
}

// countBenchmarks is the number of workloads that the report of a run has.
func (d *Decision) countBenchmarks(h *history) int {
	count := 0
	for _, name := range d.Workloads {
		p, begun := h.workloads[name]
		if begun && d.workload(name).Adapter != "" {
			names, _ := p.benchmarks(name, suitePrimary(d.file.Metrics.Primary))
			count += len(names)
		} else {
			count++
		}
	}
	return count
}

// of is the progress of one benchmark: that of its suite, with what each process reported of it for metrics.
func (p *progress) of(name string) *progress {
	one := *p
	one.samples = make(Samples, len(p.samples))
	for i, s := range p.samples {
		s.Metrics, s.Benchmarks, s.Counters = maps.Clone(s.Benchmarks[name]), nil, nil
		if s.Metrics == nil {
			s.Metrics = map[string]float64{}
		}
		one.samples[i] = s
	}
	one.warnings = nil
	return &one
}

// reported are the metrics that are compared beside the primary one: those that bench.yaml names, and what a benchmark
// allocates.
func (d *Decision) reported(w *Workload) []config.Metric {
	list := d.file.Metrics.Report
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

// has says whether any sample has a metric.
func (w *Workload) has(name string) bool {
	return slices.ContainsFunc(w.Samples, func(s Sample) bool { _, ok := s.Metrics[name]; return ok })
}

// warnFamily says where a suite has so many benchmarks that no p-value can be small enough.
func (d *Decision) warnFamily(r *Report) {
	if n := len(r.Workloads); n > len(d.Workloads) {
		if err := d.Plan.Upholds(n); err != nil {
			r.Warnings = append(r.Warnings, Warning{warnSuite, err.Error()})
		}
	}
}
