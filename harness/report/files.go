package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/record"
)

// PathsIn returns the paths of a report that Write stores in a folder without a journal.
func PathsIn(folder string) Paths {
	if absolute, err := filepath.Abs(folder); err == nil {
		folder = absolute
	}
	return Paths{Directory: folder, Report: journal.Directory(folder).Report("json")}
}

// Write creates a folder with report.json, the output of the renderers and the tables of each workload.
func Write(folder string, report *Report, renderers map[string]Renderer, tables map[string]TableRenderer) error {
	dir := journal.Directory(folder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	if err := journal.WriteFile(dir.Report("json"), append(text, '\n')); err != nil {
		return err
	}
	for i := range report.Workloads {
		w := &report.Workloads[i]
		if err := os.MkdirAll(dir.Workload(w.Name), 0o755); err != nil {
			return err
		}
		for name, render := range tables {
			err := renderFile(filepath.Join(dir.Workload(w.Name), name), func(out io.Writer) error { return render(out, w) })
			if err != nil {
				return err
			}
		}
	}
	for extension, render := range renderers {
		err := renderFile(dir.Report(extension), func(out io.Writer) error { return render(out, report) })
		if err != nil {
			return err
		}
	}
	return nil
}

// renderFile replaces a file by the output of render.
func renderFile(path string, render func(io.Writer) error) error {
	var content bytes.Buffer
	if err := render(&content); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return journal.WriteFile(path, content.Bytes())
}

// Load reads the report of a run. Load makes the report from the journal if there is none, or if a resumption that was
// killed may have added to the run.
func Load(dir journal.Directory) (*Report, error) {
	text, err := os.ReadFile(dir.Report("json"))
	if errors.Is(err, os.ErrNotExist) {
		return fromJournal(dir)
	} else if err != nil {
		return nil, err
	}
	report := new(Report)
	if err := json.Unmarshal(text, report); err != nil {
		return nil, fmt.Errorf("%s: %w", dir.Report("json"), err)
	}
	if report.Schema != Schema {
		return nil, fmt.Errorf("%s: schema %q: this harness reads %s", dir.Report("json"), report.Schema, Schema)
	}
	if report.Resumable() {
		if later, err := fromJournal(dir); err == nil {
			return later, nil
		}
	}
	return report, nil
}

func fromJournal(dir journal.Directory) (*Report, error) {
	decision, err := plan.Read(dir)
	if err != nil {
		return nil, err
	}
	records, err := journal.Read(dir.JournalFile())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	h := record.NewHistory()
	for _, record := range records {
		if err := h.Fold(record); err != nil {
			return nil, err
		}
	}
	report, err := Assemble(decision, h, dir)
	if err != nil {
		return nil, err
	}
	switch {
	case h.Finished != nil:
		report.ExitCode = h.Finished.ExitCode
	case h.Failure != nil:
		report.ExitCode = ExitCode(report, &failure.Error{Failure: *h.Failure})
	case report.State != Complete:
		report.ExitCode = failure.ExitInterrupted
	}
	return report, nil
}
