package adapter

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Kind names a tool.
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

// Names lists the tools for a text.
func Names() string {
	names := make([]string, len(Kinds()))
	for i, k := range Kinds() {
		names[i] = string(k)
	}
	return strings.Join(names, ", ")
}

// Known reports whether there is a parser for the tool.
func (k Kind) Known() bool { return slices.Contains(Kinds(), k) }

// NeedsFile says that the tool writes its results to a file that its command line names; the others print them, or
// write them into a folder that the environment names.
func (k Kind) NeedsFile() bool { return k == PytestBenchmark || k == Hyperfine }

// FileOption is how the command line names that file, empty for a tool that needs none.
func (k Kind) FileOption() string {
	switch k {
	case PytestBenchmark:
		return "--benchmark-json"
	case Hyperfine:
		return "--export-json"
	}
	return ""
}

// FolderVariable is the environment variable that names the folder for the results, empty for a tool without one.
func (k Kind) FolderVariable() string {
	if k == CargoCriterion {
		return "CRITERION_HOME"
	}
	return ""
}

// The metrics of a benchmark. Seconds is what it is compared by, unless bench.yaml says otherwise.
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

// A Benchmark is what one process of a suite reports of one of its benchmarks.
type Benchmark struct {
	// Name is the name that the tool prints; within a process it is unique.
	Name    string
	Metrics map[string]float64
}

// The bounds of what is read.
const (
	// MostBytes bounds a file of results, or the output of a process.
	MostBytes = 64 << 20
	// mostBenchmarks bounds the benchmarks of a suite.
	mostBenchmarks = 10_000
	// mostName bounds the name of a benchmark in bytes, and mostMetrics its metrics.
	mostName, mostMetrics = 512, 64
)

// errNothing is the error of a file in which there is no benchmark.
func errNothing(file, want string) error {
	return fmt.Errorf("%s: there is no result of a benchmark in it: want %s", file, want)
}

// collector gathers benchmarks of one file, and refuses what cannot be one.
type collector struct {
	file  string
	list  []Benchmark
	index map[string]int
	lines []int
}

// at makes an error of a line.
func (c *collector) at(line int, format string, arguments ...any) error {
	return fmt.Errorf("%s:%d: %s", c.file, line, fmt.Sprintf(format, arguments...))
}

// add takes a benchmark. A second one of the same name is an error.
func (c *collector) add(line int, b Benchmark) error {
	if err := checkName(b.Name); err != nil {
		return c.at(line, "%v", err)
	}
	if first, twice := c.index[b.Name]; twice {
		return c.at(line, "the benchmark %q is on line %d already", b.Name, c.lines[first])
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
		return errors.New("a benchmark without a name")
	case len(name) > mostName:
		return fmt.Errorf("the name of a benchmark has %d bytes, at most %d are read", len(name), mostName)
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' }):
		return fmt.Errorf("the name of a benchmark, %q, holds a control character or is no UTF-8", name)
	}
	return nil
}

// usable says what is wrong with a figure, nil where nothing is.
func usable(value float64) error {
	if math.IsNaN(value) || math.IsInf(value, 0) || value < 0 {
		return fmt.Errorf("%g is no quantity: want a number from 0", value)
	}
	return nil
}
