package adapter

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// ParseHyperfine parses the output of hyperfine --export-json. A command's name is its text or its --command-name,
// followed by the values of its parameters.
func ParseHyperfine(file string, text []byte) ([]Benchmark, error) {
	c := collector{file: file}
	err := elements(&c, text, "results", func(line int, raw json.RawMessage) error {
		var r struct {
			Command                         string
			Mean, Median, Min, User, System *float64
			Parameters                      map[string]string
		}
		if err := json.Unmarshal(raw, &r); err != nil {
			return c.at(line, "results[%d]: %v", len(c.list), err)
		}
		metrics, err := figures("mean", r.Mean, map[string]*float64{
			medianSeconds: r.Median, minSeconds: r.Min, userSeconds: r.User, systemSeconds: r.System,
		})
		if err != nil {
			return c.at(line, "results[%d].%v", len(c.list), err)
		}
		name := strings.Join(strings.Fields(r.Command), " ")
		for _, parameter := range slices.Sorted(maps.Keys(r.Parameters)) {
			if value := r.Parameters[parameter]; !strings.Contains(name, value) { // --command-name is the same for all values
				name += " " + parameter + "=" + value
			}
		}
		return c.add(line, Benchmark{name, metrics})
	})
	switch {
	case err != nil:
		return nil, err
	case len(c.list) == 0:
		return nil, errNothing(file, "what hyperfine --export-json writes")
	}
	return c.list, nil
}
