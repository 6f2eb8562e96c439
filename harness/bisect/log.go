package bisect

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// LogSchema is the version of a log's lines.
const LogSchema = "chiasmus.bisect/1"

// The kinds of an entry.
const (
	KindStart   = "start"
	KindEnds    = "ends"    // good against bad
	KindStep    = "step"    // good against a commit between
	KindConfirm = "confirm" // the culprit against its parent
)

// An Entry is one line of the log: the start of the search, or one decision.
type Entry struct {
	Schema   string `json:"schema"`
	Kind     string `json:"kind"`
	Good     string `json:"good,omitempty"`
	Bad      string `json:"bad,omitempty"`
	Workload string `json:"workload,omitempty"`

	Commit Commit `json:"commit"`
	// Skipped says why the commit could not be measured.
	Skipped string `json:"skipped,omitempty"`
	// IsBad is the decision. Confidence is one minus the one-sided p-value of its being wrong.
	IsBad      bool    `json:"is_bad"`
	Confidence float64 `json:"confidence"`
	// Difference is in units of d, as is its standard error; positive means faster.
	Difference float64 `json:"difference"`
	Error      float64 `json:"error"`
	Threshold  float64 `json:"threshold"`
	Pairs      int     `json:"pairs"`
	// Units is the number of units that the test counts; 0 in entries of earlier versions, whose tests counted pairs.
	Units int `json:"units,omitempty"`
}

// A log stores decisions in a file, or in memory if it has no path.
type log struct {
	path    string
	entries []Entry
}

// openLog reads a log. It cuts off a last line torn by a crash, and fails for a log of another search.
func openLog(path string, start Entry, earlier []Entry) (*log, error) {
	log := &log{path: path}
	if path == "" {
		log.entries = append([]Entry{start}, earlier...)
		return log, nil
	}
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		return log, log.begin(start, earlier)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	whole := int64(0)
	for line := 1; scanner.Scan(); line++ {
		var entry Entry
		if err := json.Unmarshal(scanner.Bytes(), &entry); err != nil {
			if scanner.Scan() {
				return nil, fmt.Errorf("%s:%d: %w", path, line, err)
			}
			break
		}
		whole += int64(len(scanner.Bytes())) + 1
		log.entries = append(log.entries, entry)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(log.entries) == 0 {
		if err := os.Truncate(path, 0); err != nil {
			return nil, err
		}
		return log, log.begin(start, earlier)
	}
	if first := log.entries[0]; first != start {
		return nil, fmt.Errorf("%s is the log of another search (%s..%s, workload %s): name another with --log", path,
			first.Good, first.Bad, first.Workload)
	}
	if information, err := file.Stat(); err != nil || information.Size() > whole {
		if err := os.Truncate(path, whole); err != nil {
			return nil, err
		}
	}
	return log, nil
}

// begin writes the start entry and the decisions of an earlier search.
func (log *log) begin(start Entry, earlier []Entry) error {
	for _, entry := range append([]Entry{start}, earlier...) {
		if err := log.append(entry); err != nil {
			return err
		}
	}
	return nil
}

// decisions returns the entries without the start.
func (log *log) decisions() []Entry {
	var list []Entry
	for _, entry := range log.entries {
		if entry.Kind != KindStart {
			list = append(list, entry)
		}
	}
	return list
}

// find returns the decision on a commit.
func (log *log) find(kind, sha string) (Entry, bool) {
	for _, entry := range log.entries {
		if entry.Kind == kind && entry.Commit.SHA == sha {
			return entry, true
		}
	}
	return Entry{}, false
}

// append adds a line and syncs it.
func (log *log) append(entry Entry) error {
	entry.Schema = LogSchema
	log.entries = append(log.entries, entry)
	if log.path == "" {
		return nil
	}
	data, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(log.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := file.Write(append(data, '\n')); err != nil {
		file.Close()
		return err
	}
	if err := file.Sync(); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
