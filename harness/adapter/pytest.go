package adapter

import "encoding/json"

// ParsePytest parses the output of pytest --benchmark-json. A benchmark's time is its median, which a garbage
// collection or an interrupt does not shift.
func ParsePytest(file string, text []byte) ([]Benchmark, error) {
	c := collector{file: file}
	err := elements(&c, text, "benchmarks", func(line int, raw json.RawMessage) error {
		var b struct {
			FullName string `json:"fullname"`
			Stats    struct {
				Median, Mean, Min *float64
			} `json:"stats"`
		}
		if err := json.Unmarshal(raw, &b); err != nil {
			return c.at(line, "benchmarks[%d]: %v", len(c.list), err)
		}
		metrics, err := figures("stats.median", b.Stats.Median,
			map[string]*float64{meanSeconds: b.Stats.Mean, minSeconds: b.Stats.Min})
		if err != nil {
			return c.at(line, "benchmarks[%d].%v", len(c.list), err)
		}
		return c.add(line, Benchmark{b.FullName, metrics})
	})
	switch {
	case err != nil:
		return nil, err
	case len(c.list) == 0:
		return nil, errNothing(file, "what pytest --benchmark-json writes (did any test use the fixture benchmark?)")
	}
	return c.list, nil
}
