package harness

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

// Fits says whether a baseline is so recent at a time that it can tell anything of its host.
func (b *Baseline) Fits(now time.Time) bool { return now.Sub(b.Time) <= baselineKept }

// EncodeBaselines writes baselines as JSON, one a line.
func EncodeBaselines(list []Baseline) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	for _, b := range list {
		if err := encoder.Encode(b); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}

// DecodeBaselines reads what EncodeBaselines wrote. What is no baseline, is of another version or was changed since it
// was written is left out, and refused says why, line by line.
func DecodeBaselines(data []byte) (list []Baseline, refused []string) {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		b, problem := parseBaseline(line)
		if problem != "" {
			refused = append(refused, fmt.Sprintf("line %d %s", number, problem))
			continue
		}
		list = append(list, b)
	}
	return list, refused
}

// Check says what keeps a baseline from being believed: its version, or a change since it was written; nil where
// nothing does.
func (b *Baseline) Check() error {
	if problem := b.problem(); problem != "" {
		return fmt.Errorf("the baseline of run %s %s", b.Run, problem)
	}
	return nil
}

// parseBaseline reads one baseline; problem says why it is none that can be believed.
func parseBaseline(text []byte) (b Baseline, problem string) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&b); err != nil {
		return b, fmt.Sprintf("cannot be read: %v", err)
	}
	return b, b.problem()
}

func (b *Baseline) problem() string {
	switch {
	case b.Schema != BaselineSchema:
		return fmt.Sprintf("has schema %q, and this harness reads %s", b.Schema, BaselineSchema)
	case b.SHA256 == "" || b.SHA256 != b.sum():
		return "was changed after it was written"
	}
	return ""
}

// BaselinesOf are the baselines that the runs of a night left in a folder: of several of one build and workload the one
// with the most processes, since they overlap in time and tell nothing of how the host moves.
func BaselinesOf(folder string) ([]Baseline, error) {
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
		b, problem := parseBaseline(text)
		if problem != "" {
			return nil, fmt.Errorf("%s %s", path, problem)
		}
		key := [2]string{b.Workload, b.Build}
		if other, there := best[key]; !there || len(b.Means) > len(other.Means) {
			best[key] = b
		}
	}
	list := slices.Collect(maps.Values(best))
	SortBaselines(list)
	return list, nil
}

// SortBaselines sorts by time, the newest first, and by digest where that is equal.
func SortBaselines(list []Baseline) {
	slices.SortFunc(list, func(a, b Baseline) int {
		return cmp.Or(b.Time.Compare(a.Time), cmp.Compare(a.SHA256, b.SHA256))
	})
}

// baselinesFor are the baselines of a workload that a run trusts, the newest first: those that were carried to it by
// whoever asks, else those of a folder. why says that there are none.
func (r *run) baselinesFor(workload string) (list []Baseline, refused []string, why string) {
	if len(r.controls.Carried) > 0 {
		for _, b := range r.controls.Carried {
			if b.Workload == workload {
				list = append(list, b)
			}
		}
		SortBaselines(list)
		return list, nil, ""
	}
	folder, why := r.trustedBaselines()
	if why != "" {
		return nil, nil, why
	}
	list, refused, err := readBaselines(folder, workload)
	if err != nil {
		return nil, nil, fmt.Sprintf("the baselines cannot be read: %v", err)
	}
	return list, refused, ""
}
