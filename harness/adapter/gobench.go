package adapter

import (
	"bytes"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// goUnits maps the units of package testing to the harness's metrics, each with the factor to the metric's unit.
var goUnits = map[string]struct {
	metric string
	factor float64
}{
	"ns/op":     {Seconds, 1e-9},
	"B/op":      {Bytes, 1},
	"allocs/op": {Allocations, 1},
	"MB/s":      {throughput, 1e6},
}

// goResult is a line of results.
type goResult struct {
	line      int
	pkg, name string
	metrics   map[string]float64
}

// ParseGo parses the output of go test -bench. A name is package.Name/sub-GOMAXPROCS: the last element of the package's
// path (the whole path if two packages share their last element) and the benchmark's name without "Benchmark". Several
// lines of one benchmark, as with -count, are averaged. All other lines are ignored.
func ParseGo(file string, text []byte) ([]Benchmark, error) {
	c := collector{file: file}
	results, err := goResults(&c, text)
	if err != nil {
		return nil, err
	}
	short := shortPackages(results)
	count := map[string]map[string]float64{}
	for _, r := range results {
		name := r.name
		if prefix := short[r.pkg]; prefix != "" {
			name = prefix + "." + name
		}
		at, again := c.index[name]
		if !again {
			if err := c.add(r.line, Benchmark{name, map[string]float64{}}); err != nil {
				return nil, err
			}
			at, count[name] = len(c.list)-1, map[string]float64{}
		}
		for metric, value := range r.metrics {
			n := count[name][metric] + 1
			count[name][metric] = n
			c.list[at].Metrics[metric] += (value - c.list[at].Metrics[metric]) / n
		}
	}
	if len(c.list) == 0 {
		return nil, errNothing(file, "the output of go test -bench")
	}
	return c.list, nil
}

// goResults parses the lines with results.
func goResults(c *collector, text []byte) ([]goResult, error) {
	var results []goResult
	pkg, number := "", 0
	for line := range bytes.Lines(text) {
		number++
		words := strings.Fields(string(line))
		if len(words) == 2 && words[0] == "pkg:" {
			pkg = words[1]
		}
		if len(words) < 4 || !isGoBenchmark(words[0]) {
			continue
		}
		if n, err := strconv.ParseInt(words[1], 10, 64); err != nil || n < 1 {
			continue // ordinary output that starts with the word
		}
		r := goResult{line: number, pkg: pkg, name: strings.TrimPrefix(words[0], "Benchmark"), metrics: map[string]float64{}}
		if len(words)%2 != 0 {
			return nil, c.at(number, "%s: want pairs of a number and a unit after the number of iterations, such as 51.1 ns/op",
				words[0])
		}
		for i := 2; i < len(words); i += 2 {
			value, err := strconv.ParseFloat(words[i], 64)
			if err != nil {
				return nil, c.at(number, "%s: %q is not a number", words[0], words[i])
			}
			metric, factor := goUnit(words[i+1])
			if metric == "" {
				continue
			}
			if err := usable(value * factor); err != nil {
				return nil, c.at(number, "%s: %s: %v", words[0], words[i+1], err)
			}
			if _, twice := r.metrics[metric]; twice {
				return nil, c.at(number, "%s: %s appears twice on the line", words[0], words[i+1])
			}
			if len(r.metrics) == mostMetrics {
				return nil, c.at(number, "%s: more than %d metrics", words[0], mostMetrics)
			}
			r.metrics[metric] = value * factor
		}
		if err := checkName(r.name); err != nil {
			return nil, c.at(number, "%v", err)
		}
		if results = append(results, r); len(results) > 100*mostBenchmarks {
			return nil, c.at(number, "more than %d lines of results", 100*mostBenchmarks)
		}
	}
	return results, nil
}

// isGoBenchmark reports whether go test runs a function of that name as a benchmark.
func isGoBenchmark(word string) bool {
	rest, ok := strings.CutPrefix(word, "Benchmark")
	if !ok || rest == "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsLower(first)
}

// goUnit returns the metric of a unit. A unit of b.ReportMetric keeps its name, with "_per_" for a slash; metric is
// empty if that is not a valid name.
func goUnit(unit string) (metric string, factor float64) {
	if known, ok := goUnits[unit]; ok {
		return known.metric, known.factor
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '.', r == '-':
			return r
		}
		return '_'
	}, strings.ReplaceAll(unit, "/", "_per_"))
	if name == "" || !unicode.IsLetter(rune(name[0])) {
		return "", 0
	}
	return name, 1
}

// shortPackages names each package by its last element, or by its whole path if another package has the same last
// element.
func shortPackages(results []goResult) map[string]string {
	owner, short := map[string]string{}, map[string]string{}
	for _, r := range results {
		last := path.Base(r.pkg)
		if other, taken := owner[last]; r.pkg != "" && taken && other != r.pkg {
			short[other], short[r.pkg] = other, r.pkg
		} else if r.pkg != "" && short[r.pkg] == "" {
			owner[last], short[r.pkg] = r.pkg, last
		}
	}
	return short
}
