package nightly

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
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
	Noise    Kind = "noise" // a revision against itself
	Baseline Kind = "baseline"
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
	// Good is the workload's last good revision after this record.
	Good string `json:"good,omitempty"`

	Verdict stats.Verdict `json:"verdict,omitempty"`
	// Confirmed says that a second comparison said regression too.
	Confirmed bool `json:"confirmed,omitempty"`
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

// A figure that does not exist is null in JSON.
var (
	none       = stats.Number(math.NaN())
	noInterval = stats.Interval{Low: math.NaN(), High: math.NaN()}
)

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
			return nil, fmt.Errorf("%s:%d: night %q is no date such as 2026-01-31", name, line, record.Night)
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

// Good is the last good revision of a workload, empty before its first night.
func (history History) Good(workload string) string {
	for i := len(history) - 1; i >= 0; i-- {
		if history[i].Workload == workload && history[i].Good != "" {
			return history[i].Good
		}
	}
	return ""
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

// SinceGood lists the workload's records after the one that made its last good revision good.
func (history History) SinceGood(workload string) History {
	own := history.Of(workload)
	good := own.Good(workload)
	start := 0
	for i, record := range own {
		if record.Good != good {
			start = i + 1
		} else if i > 0 && own[i-1].Good != good || record.Kind == Accepted {
			start = i + 1
		}
	}
	return own[min(start, len(own)):]
}

// Regressed reports whether the workload's newest measured night was a confirmed regression.
func (history History) Regressed(workload string) bool {
	own := history.Of(workload)
	for i := len(own) - 1; i >= 0; i-- {
		switch own[i].Kind {
		case Compared:
			return own[i].Confirmed
		case Noise, Accepted:
			return false
		}
	}
	return false
}

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
