package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Fits reports whether the baseline is recent enough to show how its host shifts.
func (b *Baseline) Fits(now time.Time) bool { return now.Sub(b.Time) <= keptFor }

// Encode writes baselines as JSON, one per line.
func Encode(list []Baseline) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	for _, b := range list {
		if err := encoder.Encode(b); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}

// Decode reads what Encode wrote. It skips lines that are invalid, have another version or were changed after they were
// written; refused gives the reason for each.
func Decode(data []byte) (list []Baseline, refused []string) {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		b, problem := parse(line)
		if problem != "" {
			refused = append(refused, fmt.Sprintf("line %d %s", number, problem))
			continue
		}
		list = append(list, b)
	}
	return list, refused
}

// Check returns an error if the baseline has another version or was changed after it was written.
func (b *Baseline) Check() error {
	if problem := b.problem(); problem != "" {
		return fmt.Errorf("the baseline of run %s %s", b.Run, problem)
	}
	return nil
}

// parse reads one baseline. problem is the reason why it cannot be trusted, or empty.
func parse(text []byte) (b Baseline, problem string) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&b); err != nil {
		return b, fmt.Sprintf("cannot be read: %v", err)
	}
	return b, b.problem()
}

func (b *Baseline) problem() string {
	switch {
	case b.Schema != Schema:
		return fmt.Sprintf("has schema %q; this harness reads %s", b.Schema, Schema)
	case b.SHA256 == "" || b.SHA256 != b.Sum():
		return "was changed after it was written"
	}
	return ""
}

// OfNight returns the baselines that the runs of a night left in a folder. Of several baselines of one build and
// workload it returns the one with the most processes, because baselines that overlap in time do not show how the host
// shifts.
func OfNight(folder string) ([]Baseline, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	best := map[[2]string]Baseline{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		b, problem := parse(text)
		if problem != "" {
			return nil, fmt.Errorf("%s %s", path, problem)
		}
		key := [2]string{b.Workload, b.Build}
		if other, there := best[key]; !there || len(b.Means) > len(other.Means) {
			best[key] = b
		}
	}
	list := slices.Collect(maps.Values(best))
	Sort(list)
	return list, nil
}

// Sort sorts by time, the newest first, then by digest.
func Sort(list []Baseline) {
	slices.SortFunc(list, func(a, b Baseline) int {
		return cmp.Or(b.Time.Compare(a.Time), cmp.Compare(a.SHA256, b.SHA256))
	})
}
