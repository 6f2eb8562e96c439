package adapter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// estimate is an estimate in Criterion's files, in nanoseconds.
type estimate struct {
	Point *float64 `json:"point_estimate"`
}

// ReadCriterion reads the folder that CRITERION_HOME named: estimates.json and benchmark.json in each folder called
// new. A benchmark's name is its full_id. Its time is the one that Criterion prints: the slope, or the mean if
// Criterion did not use linear sampling. If the folder holds no results, ReadCriterion parses output, the output of the
// process, with parseCriterion; file is its name in errors.
func ReadCriterion(folder string, file string, output []byte) ([]Benchmark, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	c := collector{file: folder}
	err = fs.WalkDir(root.FS(), ".", func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.Count(at, "/") > 8:
			return fs.SkipDir
		case !entry.Type().IsRegular() || path.Base(at) != "estimates.json" || path.Base(path.Dir(at)) != "new":
			return nil
		}
		b, err := readEstimates(root, at)
		if err != nil {
			return fmt.Errorf("%s: %w", path.Join(folder, at), err)
		}
		if err := c.add(1, b); err != nil {
			return err
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(c.list) > 0 {
		return c.list, nil
	}
	return parseCriterion(file, output)
}

// readEstimates reads one benchmark's estimates, and its name from the file next to them.
func readEstimates(root *os.Root, at string) (Benchmark, error) {
	var e struct {
		Slope, Mean, Median *estimate
	}
	var about struct {
		FullID string `json:"full_id"`
	}
	if err := readObject(root, at, &e); err != nil {
		return Benchmark{}, err
	}
	if err := readObject(root, path.Join(path.Dir(at), "benchmark.json"), &about); err != nil {
		return Benchmark{}, err
	}
	main := e.Slope
	if main == nil || main.Point == nil {
		main = e.Mean
	}
	metrics, err := figures("mean.point_estimate", seconds(main),
		map[string]*float64{meanSeconds: seconds(e.Mean), medianSeconds: seconds(e.Median)})
	return Benchmark{about.FullID, metrics}, err
}

func seconds(e *estimate) *float64 {
	if e == nil || e.Point == nil {
		return nil
	}
	s := *e.Point * 1e-9
	return &s
}

// mostEstimates is the maximum size of estimates.json, which usually has 2 KB.
const mostEstimates = 1 << 20

func readObject(root *os.Root, name string, into any) error {
	if info, err := root.Lstat(name); err != nil {
		return err
	} else if !info.Mode().IsRegular() || info.Size() > mostEstimates {
		return fmt.Errorf("%s is not a regular file of at most %d bytes", name, mostEstimates)
	}
	text, err := root.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return fmt.Errorf("line %d: %w", lineAt(text, syntax.Offset-1), err)
		}
		return err
	}
	return nil
}

// bencher matches a line of --output-format bencher, which libtest also prints.
var bencher = regexp.MustCompile(`^test (.+?) +\.\.\. bench: +([0-9][0-9,]*(?:\.[0-9]+)?) ns/iter\b`)

// parseCriterion parses the output of --output-format bencher and of libtest's benchmarks, and the messages of cargo
// criterion --message-format json. It ignores all other lines.
func parseCriterion(file string, text []byte) ([]Benchmark, error) {
	c := collector{file: file}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		var b Benchmark
		var err error
		switch m := bencher.FindSubmatch(line); {
		case m != nil:
			var ns float64
			if ns, err = strconv.ParseFloat(strings.ReplaceAll(string(m[2]), ",", ""), 64); err == nil {
				b.Name = string(m[1])
				ns *= 1e-9
				b.Metrics, err = figures("ns/iter", &ns, nil)
			}
		case bytes.HasPrefix(line, []byte(`{"reason":"benchmark-complete"`)):
			b, err = criterionMessage(line)
		default:
			continue
		}
		if err != nil {
			return nil, c.at(number, "%v", err)
		}
		if err := c.add(number, b); err != nil {
			return nil, err
		}
	}
	if len(c.list) == 0 {
		return nil, errNothing(file, "lines of --output-format bencher, or the folder that CRITERION_HOME names")
	}
	return c.list, nil
}

// criterionUnits maps the units of cargo criterion's messages to seconds.
var criterionUnits = map[string]float64{"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1}

// criterionMessage parses one message of cargo criterion.
func criterionMessage(line []byte) (Benchmark, error) {
	type value struct {
		Estimate *float64
		Unit     string
	}
	var m struct {
		ID                    string
		Typical, Mean, Median value
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return Benchmark{}, err
	}
	convert := func(v value) *float64 {
		factor, ok := criterionUnits[v.Unit]
		if v.Estimate == nil || !ok {
			return nil
		}
		s := *v.Estimate * factor
		return &s
	}
	if _, ok := criterionUnits[m.Typical.Unit]; !ok {
		return Benchmark{}, fmt.Errorf("typical.unit %q: want ns, us, ms or s", m.Typical.Unit)
	}
	metrics, err := figures("typical.estimate", convert(m.Typical),
		map[string]*float64{meanSeconds: convert(m.Mean), medianSeconds: convert(m.Median)})
	return Benchmark{m.ID, metrics}, err
}
