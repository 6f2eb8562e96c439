package adapter

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Kind identifies a benchmark tool.
type Kind string

// The tools whose results can be read.
const (
	GoBench         Kind = "go-bench"
	CargoCriterion  Kind = "cargo-criterion"
	PytestBenchmark Kind = "pytest-benchmark"
	Hyperfine       Kind = "hyperfine"
)

// Kinds lists the tools.
func Kinds() []Kind { return []Kind{GoBench, CargoCriterion, PytestBenchmark, Hyperfine} }

// Names returns the tools as a comma-separated list, for messages.
func Names() string {
	names := make([]string, len(Kinds()))
	for i, k := range Kinds() {
		names[i] = string(k)
	}
	return strings.Join(names, ", ")
}

// Known reports whether this package can parse the tool's results.
func (k Kind) Known() bool { return slices.Contains(Kinds(), k) }

// NeedsFile reports whether the tool writes its results to a file named on its command line. The other tools print
// them, or write them into a folder named by an environment variable.
func (k Kind) NeedsFile() bool { return k == PytestBenchmark || k == Hyperfine }

// FileOption returns the command-line option that names that file; empty if the tool needs none.
func (k Kind) FileOption() string {
	switch k {
	case PytestBenchmark:
		return "--benchmark-json"
	case Hyperfine:
		return "--export-json"
	}
	return ""
}

// FolderVariable returns the environment variable that names the folder for results; empty if the tool has none.
func (k Kind) FolderVariable() string {
	if k == CargoCriterion {
		return "CRITERION_HOME"
	}
	return ""
}

// The metrics of a benchmark. Benchmarks are compared by Seconds unless bench.yaml names another metric.
const (
	Seconds     = "op_seconds"
	Bytes       = "op_bytes"
	Allocations = "op_allocations"

	meanSeconds   = "op_mean_seconds"
	medianSeconds = "op_median_seconds"
	minSeconds    = "op_min_seconds"
	userSeconds   = "op_user_seconds"
	systemSeconds = "op_system_seconds"
	throughput    = "bytes_per_second"
)

// A Benchmark holds what one process of a suite reports about one benchmark.
type Benchmark struct {
	// Name is the name that the tool prints. It is unique within a process.
	Name    string
	Metrics map[string]float64
}

// Limits on results.
const (
	// MostBytes is the maximum size of a results file or of a process's output.
	MostBytes = 64 << 20
	// mostBenchmarks is the maximum number of benchmarks in a suite.
	mostBenchmarks = 10_000
	// mostName is the maximum length of a benchmark's name in bytes, mostMetrics the maximum number of its metrics.
	mostName, mostMetrics = 512, 64
)

// errNothing returns the error for a file without benchmarks.
func errNothing(file, want string) error {
	return fmt.Errorf("%s: no benchmark results found: want %s", file, want)
}

// collector collects the benchmarks of one file and rejects invalid ones.
type collector struct {
	file  string
	list  []Benchmark
	index map[string]int
	lines []int
}

// at returns an error that names a line of the file.
func (c *collector) at(line int, format string, arguments ...any) error {
	return fmt.Errorf("%s:%d: %s", c.file, line, fmt.Sprintf(format, arguments...))
}

// add adds a benchmark. A second benchmark of the same name is an error.
func (c *collector) add(line int, b Benchmark) error {
	if err := checkName(b.Name); err != nil {
		return c.at(line, "%v", err)
	}
	if first, twice := c.index[b.Name]; twice {
		return c.at(line, "benchmark %q is already on line %d", b.Name, c.lines[first])
	}
	if len(c.list) == mostBenchmarks {
		return c.at(line, "more than %d benchmarks", mostBenchmarks)
	}
	if c.index == nil {
		c.index = map[string]int{}
	}
	c.index[b.Name] = len(c.list)
	c.list, c.lines = append(c.list, b), append(c.lines, line)
	return nil
}

func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("benchmark without a name")
	case len(name) > mostName:
		return fmt.Errorf("benchmark name of %d bytes: at most %d are allowed", len(name), mostName)
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' }):
		return fmt.Errorf("benchmark name %q contains a control character or is not valid UTF-8", name)
	}
	return nil
}

// usable returns an error unless value is a finite number from 0.
func usable(value float64) error {
	if math.IsNaN(value) || math.IsInf(value, 0) || value < 0 {
		return fmt.Errorf("%g is not a quantity: want a finite number from 0", value)
	}
	return nil
}
