package stats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// WarnNotInterleaved is of two series of which one was measured after the other.
const WarnNotInterleaved WarningKind = "not interleaved"

// Samples are the times of one program in seconds, as another tool has measured them.
type Samples struct {
	Name    string // the command; empty where the file does not say
	Seconds []float64
}

// ReadSamples reads the JSON that hyperfine exports (--export-json: a list "results", each with its "command" and the
// "times" of its runs, in seconds) or that Criterion keeps of a benchmark (sample.json: "iters" and "times", where a
// time is that of so many iterations, in nanoseconds). name is what errors call the file.
func ReadSamples(text []byte, name string) ([]Samples, error) {
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
			list = append(list, Samples{r.Command, r.Times})
		}
	case len(file.Iters) > 0 && len(file.Iters) == len(file.Times):
		one := Samples{}
		for i, nanoseconds := range file.Times {
			one.Seconds = append(one.Seconds, nanoseconds/file.Iters[i]/1e9)
		}
		list = append(list, one)
	default:
		return nil, fmt.Errorf(`%s: neither hyperfine's "results" nor Criterion's "iters" and as many "times"`, name)
	}
	for i, one := range list {
		if len(one.Seconds) == 0 {
			return nil, fmt.Errorf("%s: result %d (%s) has no times", name, i+1, one.Name)
		}
		for k, x := range one.Seconds {
			if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
				return nil, fmt.Errorf("%s: result %d, time %d is %g: no time of a run", name, i+1, k+1, x)
			}
		}
	}
	return list, nil
}

// Pick returns the samples of a name, or of a place from 1.
func Pick(list []Samples, which, file string) (Samples, error) {
	var names []string
	for _, one := range list {
		if one.Name == which {
			return one, nil
		}
		names = append(names, strconv.Quote(one.Name))
	}
	if place, err := strconv.Atoi(which); err == nil && place >= 1 && place <= len(list) {
		return list[place-1], nil
	}
	return Samples{}, fmt.Errorf("%s: no result %q: it has %s, which are also 1 to %d", file, which,
		strings.Join(names, ", "), len(list))
}

// InTurn makes pairs of two series that were measured one after the other: the first of both, the second of both, and
// so on. Such pairs share nothing, so a test on them has the power of an unpaired one and no protection against a drift
// from one series to the next: the warning says so, and how many values were left over.
func InTurn(a, b []float64) ([]Pair, Warning) {
	n := min(len(a), len(b))
	pairs := make([]Pair, n)
	for i := range pairs {
		pairs[i] = Pair{Number: i + 1, A: a[i], B: b[i]}
	}
	w := warning(WarnNotInterleaved,
		"all of a was measured apart from b, so that what drifted in between cannot be told from a difference")
	if left := len(a) + len(b) - 2*n; left > 0 {
		w.Text += fmt.Sprintf("; a has %d values and b %d, and the last %d were left out", len(a), len(b), left)
	}
	return pairs, w
}

// IsJSON says whether a text begins as an object of JSON, which no CSV file of pairs does.
func IsJSON(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, "\ufeff \t\r\n"), []byte("{"))
}
