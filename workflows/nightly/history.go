package nightly

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/chiasmus/chiasmus/stats"
)

// recordSchema is the version of a history line.
const recordSchema = "chiasmus.night/1"

// A Kind is the kind of a record.
type Kind string

// The kinds of records. Failed and Missing are nights without a measurement; Accepted changes the last good revision.
const (
	Compared Kind = "compared"
	Noise    Kind = "noise"    // a revision against itself
	Anchor   Kind = "anchor"   // against the anchor, if bench.yaml names no baseline
	Baseline Kind = "baseline" // against the anchor, if bench.yaml names a baseline
	Failed   Kind = "failed"
	Missing  Kind = "missing"
	Accepted Kind = "accepted"
)

// A Record is one line of the history: one workload on one night.
type Record struct {
	Schema   string `json:"schema"`
	Night    string `json:"night"` // the date, UTC
	Workload string `json:"workload"`
	Kind     Kind   `json:"kind"`
	Base     string `json:"base,omitempty"`
	Head     string `json:"head,omitempty"`
	// Good is the workload's last good revision after this record. Only compared, noise and accepted records have it.
	Good string `json:"good,omitempty"`
	// Anchor is the anchor of the night. Named is the resolved nightly.baseline: an accepted revision replaces it until it
	// changes.
	Anchor string `json:"anchor,omitempty"`
	Named  string `json:"baseline,omitempty"`

	// Alarm is the alarm that is open after this record; in an accepted record, the alarm that it ends.
	Alarm string `json:"alarm,omitempty"`
	// Ended is the alarm that this night ended.
	Ended string `json:"ended,omitempty"`
	// Recovery is the evidence so far for the end of the alarm.
	Recovery float64 `json:"recovery,omitempty"`

	Verdict stats.Verdict `json:"verdict,omitempty"`
	// Confirmed reports whether both sets of rounds showed a regression beyond the host's scatter.
	Confirmed bool `json:"confirmed,omitempty"`
	// NonInferior reports whether head was shown to be worse by less than the margin, with no other bound violated.
	NonInferior bool `json:"non_inferior,omitempty"`
	// Breaches lists the stages that exceed metrics.stages and the counters that exceed metrics.exact in every round.
	Breaches []string `json:"breaches,omitempty"`
	// Better is the figure for the rule: in percent, positive if head is better. Within is its variance from pairs and
	// processes.
	Better stats.Number `json:"better_percent"`
	Within stats.Number `json:"within"`
	// Scatter is the rounds' estimate of the host's scatter, and Chart the chart after this record; nil if there is none.
	Scatter *Scatter `json:"scatter,omitempty"`
	Chart   *Chart   `json:"chart,omitempty"`
	Rounds  int      `json:"rounds,omitempty"`
	// Effect and its interval are in percent, positive when head is faster.
	Effect  stats.Number   `json:"effect_percent"`
	CI      stats.Interval `json:"effect_ci_percent"`
	Metric  string         `json:"metric,omitempty"`
	MeanA   stats.Number   `json:"mean_a"`
	MeanB   stats.Number   `json:"mean_b"`
	Pairs   int            `json:"pairs,omitempty"`
	Seed    uint64         `json:"seed,omitempty"`
	Host    string         `json:"host,omitempty"`
	Changes []string       `json:"environment_changes,omitempty"` // changes of the environment during the run
	Run     string         `json:"run,omitempty"`                 // the run's URL or name
	Search  *Search        `json:"search,omitempty"`              // the bisection that a confirmed regression started
	Reason  string         `json:"reason,omitempty"`              // for failed, missing and accepted records
}

// A History has all records, oldest first.
type History []Record

// readHistory parses JSON Lines. Errors name the file and the line.
func readHistory(reader io.Reader, name string) (History, error) {
	var history History
	scanner := bufio.NewScanner(reader)
	scanner.Buffer(nil, 1<<20)
	for line := 1; scanner.Scan(); line++ {
		text := bytes.TrimSpace(scanner.Bytes())
		if len(text) == 0 {
			continue
		}
		var record Record
		if err := json.Unmarshal(text, &record); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		if record.Schema != recordSchema {
			return nil, fmt.Errorf("%s:%d: schema %q, this harness reads %s", name, line, record.Schema, recordSchema)
		}
		if _, err := time.Parse(time.DateOnly, record.Night); err != nil {
			return nil, fmt.Errorf("%s:%d: night %q is not a date such as 2026-01-31", name, line, record.Night)
		}
		history = append(history, record)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return history, nil
}

// encode formats records as JSON Lines.
func encode(records []Record) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	for i := range records {
		records[i].Schema = recordSchema
		if err := encoder.Encode(bounded(records[i])); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// carriesGood reports whether a record determines the last good revision.
func (record *Record) carriesGood() bool {
	return record.Good != "" && (record.Kind == Compared || record.Kind == Noise || record.Kind == Accepted)
}

// Good returns the last good revision of a workload, or empty before its first night.
func (history History) Good(workload string) string {
	for i := len(history) - 1; i >= 0; i-- {
		if history[i].Workload == workload && history[i].carriesGood() {
			return history[i].Good
		}
	}
	return ""
}

// anchor returns the reference revision of the chart, or empty before the first night: the last accepted revision, else
// the baseline in bench.yaml, else the first good revision.
func (history History) anchor(workload, named string) string {
	for i := len(history) - 1; i >= 0; i-- {
		record := &history[i]
		if record.Workload != workload || record.Named != named {
			continue
		}
		if record.Kind == Accepted {
			return record.Good
		}
		if named == "" && record.Anchor != "" {
			return record.Anchor
		}
	}
	if named != "" {
		return named
	}
	return history.Good(workload)
}

// chart returns the workload's chart after the newest record.
func (history History) chart(workload string) Chart {
	chart, _ := history.chartBefore(workload, "")
	return chart
}

// chartBefore returns the chart before the current series of measurements of head, and the records of its points since.
// Accepting a revision restarts the level.
func (history History) chartBefore(workload, head string) (chart Chart, points []*Record) {
	accepted := false
	for i := len(history) - 1; i >= 0; i-- {
		record := &history[i]
		switch {
		case record.Workload != workload:
		case record.Kind == Accepted:
			accepted = true
		case record.Chart != nil && record.Head == head && !accepted:
			points = append(points, record)
		case record.Chart != nil && accepted:
			return record.Chart.Restarted(record.Chart.Anchor, record.Chart.Metric), points
		case record.Chart != nil:
			return *record.Chart, points
		}
	}
	return Chart{}, points
}

// alarm returns the workload's open alarm, or empty.
func (history History) alarm(workload string) string {
	for i := len(history) - 1; i >= 0; i-- {
		record := &history[i]
		if record.Workload != workload {
			continue
		}
		if record.Kind == Accepted || record.Ended != "" {
			return ""
		}
		if record.Alarm != "" || record.measured() {
			return record.Alarm
		}
	}
	return ""
}

// measured reports whether a record has a figure.
func (record *Record) measured() bool {
	return record.Kind != Failed && record.Kind != Missing && record.Kind != Accepted
}

// doubted reports whether the newest comparison with the last good revision did not show non-inferiority.
func (history History) doubted(workload string) bool {
	for i := len(history) - 1; i >= 0; i-- {
		if history[i].Workload != workload {
			continue
		}
		switch history[i].Kind {
		case Compared:
			return !history[i].NonInferior
		case Noise, Accepted:
			return false
		}
	}
	return false
}

// Of returns the records of one workload, oldest first.
func (history History) Of(workload string) History {
	var own History
	for _, record := range history {
		if record.Workload == workload {
			own = append(own, record)
		}
	}
	return own
}

// afterGood is the index after the record that established the workload's last good revision.
func (history History) afterGood(workload string) int {
	good, start := history.Good(workload), 0
	for i := len(history) - 1; i >= 0; i-- {
		if history[i].Workload != workload || !history[i].carriesGood() {
			continue
		}
		if history[i].Good != good {
			break
		}
		if start = i + 1; history[i].Kind == Accepted {
			break
		}
	}
	return start
}

// sinceGood returns the workload's records after the one that established its last good revision.
func (history History) sinceGood(workload string) History {
	return history[history.afterGood(workload):].Of(workload)
}

// regressed reports whether the workload has an open alarm.
func (history History) regressed(workload string) bool { return history.alarm(workload) != "" }

// lastNight is the date of the newest record, or zero for an empty history.
func (history History) lastNight() time.Time {
	if len(history) == 0 {
		return time.Time{}
	}
	night, err := time.Parse(time.DateOnly, history[len(history)-1].Night)
	if err != nil { // readHistory has validated it
		return time.Time{}
	}
	return night
}
