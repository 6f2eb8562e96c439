package stats

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Samples are one program's values, as measured by another tool.
type Samples struct {
	Name   string // the command or benchmark; empty if the file has no name
	Unit   string // seconds, or a unit of go test -bench such as B/op
	Values []float64
}

// unitSeconds is the unit of times.
const unitSeconds = "seconds"

// ReadSamples reads the JSON of hyperfine (--export-json: a list "results", each with its "command" and the "times" of
// its runs in seconds), the sample.json of a Criterion benchmark ("iters", and "times" in nanoseconds for that number
// of iterations), or the output of go test -bench. From the latter it takes the values of one unit, by default ns/op
// converted to seconds. name identifies the file in errors.
func ReadSamples(text []byte, name, unit string) ([]Samples, error) {
	var list []Samples
	var err error
	switch {
	case IsBenchmark(text):
		list, err = readBenchmarks(text, name, unit)
	case unit != "":
		err = fmt.Errorf("%s has only times, no values in the unit %q", name, unit)
	default:
		list, err = readTimes(text, name)
	}
	if err != nil {
		return nil, err
	}
	for i, one := range list {
		if len(one.Values) == 0 {
			return nil, fmt.Errorf("%s: result %d (%s) has no times", name, i+1, one.Name)
		}
		for k, x := range one.Values {
			if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
				return nil, fmt.Errorf("%s: result %d, time %d is %g: want a duration of at least 0", name, i+1, k+1, x)
			}
		}
	}
	return list, nil
}

// readTimes reads hyperfine's and Criterion's JSON.
func readTimes(text []byte, name string) ([]Samples, error) {
	var file struct {
		Results []struct {
			Command string    `json:"command"`
			Times   []float64 `json:"times"`
		} `json:"results"`
		Iters []float64 `json:"iters"`
		Times []float64 `json:"times"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var list []Samples
	switch {
	case len(file.Results) > 0:
		for _, r := range file.Results {
			list = append(list, Samples{r.Command, unitSeconds, r.Times})
		}
	case len(file.Iters) > 0 && len(file.Iters) == len(file.Times):
		one := Samples{Unit: unitSeconds}
		for i, nanoseconds := range file.Times {
			one.Values = append(one.Values, nanoseconds/file.Iters[i]/1e9)
		}
		list = append(list, one)
	default:
		return nil, fmt.Errorf(`%s: neither hyperfine's "results" nor Criterion's "iters" and an equal number of "times"`,
			name)
	}
	return list, nil
}

// benchmarkLine is a line of go test -bench: a name, the number of iterations, and values with their units.
var benchmarkLine = regexp.MustCompile(`^(Benchmark\S*)\s+\d+\s+(\S+\s+\S+.*)$`)

// IsBenchmark reports whether text has a line in the format of go test -bench.
func IsBenchmark(text []byte) bool {
	for line := range bytes.Lines(text) {
		if benchmarkLine.Match(bytes.TrimSpace(line)) {
			return true
		}
	}
	return false
}

// readBenchmarks collects the values of one unit by benchmark, in order of first appearance.
func readBenchmarks(text []byte, name, unit string) ([]Samples, error) {
	wanted, scale, as := unit, 1.0, unit
	if unit == "" {
		wanted, scale, as = "ns/op", 1e-9, unitSeconds
	}
	var list []Samples
	var units []string
	lines := bufio.NewScanner(bytes.NewReader(text))
	for at := 1; lines.Scan(); at++ {
		match := benchmarkLine.FindStringSubmatch(strings.TrimSpace(lines.Text()))
		if match == nil {
			continue
		}
		values := strings.Fields(match[2])
		for i := 0; i+1 < len(values); i += 2 {
			if !slices.Contains(units, values[i+1]) {
				units = append(units, values[i+1])
			}
			if values[i+1] != wanted {
				continue
			}
			x, err := strconv.ParseFloat(values[i], 64)
			if err != nil {
				return nil, fmt.Errorf("%s: line %d: %q is not a number", name, at, values[i])
			}
			index := slices.IndexFunc(list, func(s Samples) bool { return s.Name == match[1] })
			if index < 0 {
				index = len(list)
				list = append(list, Samples{Name: match[1], Unit: as})
			}
			list[index].Values = append(list[index].Values, scale*x)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no benchmark has the unit %q: they have %s", name, wanted, strings.Join(units, ", "))
	}
	return list, nil
}

// Pick returns the samples with a name, or with a number counted from 1.
func Pick(list []Samples, which, file string) (Samples, error) {
	var names []string
	for _, one := range list {
		if one.Name == which {
			return one, nil
		}
		names = append(names, strconv.Quote(one.Name))
	}
	if number, err := strconv.Atoi(which); err == nil && number >= 1 && number <= len(list) {
		return list[number-1], nil
	}
	return Samples{}, fmt.Errorf("%s: no result %q: want %s, or its number, 1 to %d", file, which,
		strings.Join(names, ", "), len(list))
}

// IsJSON reports whether text starts like a JSON object, which a CSV file of pairs never does.
func IsJSON(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, "\ufeff \t\r\n"), []byte("{"))
}
