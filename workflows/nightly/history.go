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

// RecordSchema is the version of a history line.
const RecordSchema = "chiasmus.night/1"

// A Kind says what a record is of.
type Kind string

// The kinds of record. Failed and Missing are nights without a measurement; Accepted moves the last good revision.
const (
	Compared Kind = "compared"
	Noise    Kind = "noise"    // a revision against itself
	Anchor   Kind = "anchor"   // against the anchor, where bench.yaml names no baseline
	Baseline Kind = "baseline" // against the anchor, where it does
	Failed   Kind = "failed"
	Missing  Kind = "missing"
	Accepted Kind = "accepted"
)

// A Record is one line of the history: one workload of one night.
type Record struct {
	Schema   string `json:"schema"`
	Night    string `json:"night"` // the date, UTC
	Workload string `json:"workload"`
	Kind     Kind   `json:"kind"`
	Base     string `json:"base,omitempty"`
	Head     string `json:"head,omitempty"`
	// Good is the workload's last good revision after this record. Only compared, noise and accepted records have one.
	Good string `json:"good,omitempty"`
	// Anchor is the anchor of the night, and Named what nightly.baseline was: accepting takes its place until it changes.
	Anchor string `json:"anchor,omitempty"`
	Named  string `json:"baseline,omitempty"`

	// Alarm is the name of the alarm that is open after this record; of an accepted one, that of the alarm it ends.
	Alarm string `json:"alarm,omitempty"`
	// Ended is the alarm that this night has ended.
	Ended string `json:"ended,omitempty"`
	// Recovery is the evidence so far that the alarm is over.
	Recovery float64 `json:"recovery,omitempty"`

	Verdict stats.Verdict `json:"verdict,omitempty"`
	// Confirmed says that both sets of rounds said regression, beyond what the host explains.
	Confirmed bool `json:"confirmed,omitempty"`
	// NonInferior says that head was shown to be worse by less than the margin, and is beyond no other bound.
	NonInferior bool `json:"non_inferior,omitempty"`
	// Breaches are the stages that add more to the whole than metrics.stages lets one add, and the counters that have
	// grown beyond metrics.exact, in every round.
	Breaches []string `json:"breaches,omitempty"`
	// Better is the figure that the rule works with: in percent, positive when head is better, with its variance from
	// pairs and processes.
	Better stats.Number `json:"better_percent"`
	Within stats.Number `json:"within"`
	// Scatter is what the rounds said of the host, and Chart the chart after this record; nil in a record without them.
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
	Changes []string       `json:"environment_changes,omitempty"` // of the environment during the run
	Run     string         `json:"run,omitempty"`                 // a link to, or the name of, the run
	Search  *Search        `json:"search,omitempty"`              // the bisect that a confirmed regression started
	Reason  string         `json:"reason,omitempty"`              // of a failed, missing or accepted record
}

// History is every record, oldest first.
type History []Record

// ReadHistory reads JSON Lines. The error names the file and the line.
func ReadHistory(reader io.Reader, name string) (History, error) {
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
		if record.Schema != RecordSchema {
			return nil, fmt.Errorf("%s:%d: schema %q, this harness reads %s", name, line, record.Schema, RecordSchema)
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

// Encode returns records as JSON Lines.
func Encode(records []Record) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	for i := range records {
		records[i].Schema = RecordSchema
		if err := encoder.Encode(bounded(records[i])); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// carriesGood reports whether a record may say what the last good revision is.
func (record *Record) carriesGood() bool {
	return record.Good != "" && (record.Kind == Compared || record.Kind == Noise || record.Kind == Accepted)
}

// Good is the last good revision of a workload, empty before its first night.
func (history History) Good(workload string) string {
	for i := len(history) - 1; i >= 0; i-- {
		if history[i].Workload == workload && history[i].carriesGood() {
			return history[i].Good
		}
	}
	return ""
}

// anchor is the revision that the chart measures from, empty before the first night: the one that people accepted last
// or, until they accept one, the baseline that bench.yaml names, else the first good revision.
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

// chart is the workload's chart after the newest record.
func (history History) chart(workload string) Chart {
	chart, _ := history.chartBefore(workload, "")
	return chart
}

// chartBefore is the chart before head was first measured, if it was the last one that was, and the records of its
// points since. Accepting starts the level anew.
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

// alarm is the name of the workload's open alarm, empty for none.
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

// Of lists the records of one workload, oldest first.
func (history History) Of(workload string) History {
	var own History
	for _, record := range history {
		if record.Workload == workload {
			own = append(own, record)
		}
	}
	return own
}

// sinceGood is the index after the record that made the workload's last good revision good.
func (history History) sinceGood(workload string) int {
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

// SinceGood lists the workload's records after the one that made its last good revision good.
func (history History) SinceGood(workload string) History {
	return history[history.sinceGood(workload):].Of(workload)
}

// Regressed reports whether the workload is under an alarm.
func (history History) Regressed(workload string) bool { return history.alarm(workload) != "" }

// LastNight is the date of the newest record, zero for an empty history.
func (history History) LastNight() time.Time {
	if len(history) == 0 {
		return time.Time{}
	}
	night, err := time.Parse(time.DateOnly, history[len(history)-1].Night)
	if err != nil { // ReadHistory has checked it
		return time.Time{}
	}
	return night
}
