package measure

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/chiasmus/chiasmus/harness/adapter"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/internal/files"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/session"
)

// resultsFolder returns the folder for results, which a variable in the environment of a suite names.
func (r *runner) resultsFolder() string { return filepath.Join(r.proofs, r.workload.Name+"-results") }

// results reads the metrics of each benchmark that a process reported, by benchmark, and removes the files.
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

// parseResults reads results from one file: the file on the command line, or standard output.
func parseResults(kind adapter.Kind, q session.Request) ([]adapter.Benchmark, error) {
	path, name := q.Output, "standard output"
	if kind.NeedsFile() {
		path, name = q.Metrics, kind.FileOption()+" file"
	}
	text, err := readResults(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("it wrote no {metrics} file: pass the file in the command, as in %s {metrics}",
			kind.FileOption())
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
	return nil, fmt.Errorf("unknown adapter %q", kind)
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

// common returns an error if the arms have no benchmark in common, or if the plan has too few pairs for the number of
// benchmarks in the first process.
func (m *measurement) common(sample evidence.Sample) error {
	if m.workload.Adapter == "" {
		return nil
	}
	if len(m.progress.Samples) == 1 {
		d := m.run.decision
		if err := d.Plan.Upholds(len(d.Workloads) - 1 + len(sample.Benchmarks)); err != nil {
			return failure.Usage("workload %s: %w", m.workload.Name, err)
		}
	}
	for _, other := range m.progress.Samples {
		if other.Arm == sample.Arm {
			continue
		}
		for name := range sample.Benchmarks {
			if _, both := other.Benchmarks[name]; both {
				return nil
			}
		}
		cause := fmt.Sprintf("base and head have no benchmark in common: %s has %s, and %s has %s", other.Arm,
			report.SomeBenchmarks(other.Benchmarks), sample.Arm, report.SomeBenchmarks(sample.Benchmarks))
		return &failure.Error{Failure: failure.Failure{Step: failure.StepProof, Workload: m.workload.Name, Cause: cause}}
	}
	return nil
}
