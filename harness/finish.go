package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/files"
	"github.com/chiasmus/chiasmus/harness/journal"
)

// finish turns how the execution ended into the last records, the report and its files. The error it returns is the one
// that ExitCode reads.
func (r *run) finish(ctx context.Context, cause error) (*Report, error) {
	defer r.dropProofs()
	cause = r.classify(ctx, cause)
	var refused *UsageError
	if errors.As(cause, &refused) {
		return nil, errors.Join(cause, r.journal.Close()) // the run stays as it is
	}
	if err := r.note(cause); err != nil {
		return nil, errors.Join(cause, err, r.journal.Close())
	}
	return r.conclude(ctx, cause)
}

// conclude makes the report of a run whose end is in the journal, and its files. It can be done again where a harness
// was killed while it did so.
func (r *run) conclude(ctx context.Context, cause error) (*Report, error) {
	defer r.journal.Close()
	report, err := assemble(r.decision, r.history, r.dir)
	if err != nil && cause == nil {
		// The statistics refuse what was measured: the run failed after all.
		cause = r.classify(ctx, err)
		if err := r.note(cause); err != nil {
			return nil, errors.Join(cause, err)
		}
		report, err = assemble(r.decision, r.history, r.dir)
	}
	if err != nil {
		return nil, errors.Join(cause, err)
	}
	report.ExitCode = ExitCode(report, cause)
	if r.history.finished == nil {
		if err := r.record(recordFinished, finishedRecord{report.State, report.ExitCode}); err != nil {
			return report, errors.Join(cause, err)
		}
		report.Run.Finished = r.history.last
	}
	if err := r.keepBaselines(report); err != nil {
		return report, errors.Join(cause, err)
	}
	report.Events = notNil(r.history.events)
	if err := r.write(report); err != nil {
		return report, errors.Join(cause, err)
	}
	return report, errors.Join(cause, r.record(recordReported, struct{}{}))
}

// dropProofs removes what is left of the folder that the measured programs wrote into, but for a proof that was
// refused.
func (r *run) dropProofs() {
	if failure := r.history.failure; failure != nil && failure.Proof != "" {
		return
	}
	if err := files.RemoveAll(r.dir.Proofs()); err != nil {
		r.notify(Notice{Text: "what the measured programs left stays: " + err.Error()})
	}
}

// classify makes every end one of the errors that have an exit code.
func (r *run) classify(ctx context.Context, cause error) error {
	var failed *FailureError
	var wrong *UsageError
	switch {
	case cause == nil:
		return nil
	case errors.Is(cause, ErrInterrupted), errors.As(cause, &wrong):
		return cause
	case ctx.Err() != nil:
		return fmt.Errorf("%w: %w", ErrInterrupted, cause)
	case errors.As(cause, &failed):
		return cause
	}
	return &FailureError{Failure{Step: StepHarness, Cause: cause.Error()}, cause}
}

// note journals how the execution ended.
func (r *run) note(cause error) error {
	var failed *FailureError
	switch {
	case errors.Is(cause, ErrInterrupted):
		return r.record(recordInterrupted, Event{Time: time.Now().UTC(), Kind: recordInterrupted, Text: "interrupted"})
	case errors.As(cause, &failed):
		return r.record(recordFailed, failed.Failure)
	}
	return nil
}

// write writes report.json and what the renderers draw into the run's folder.
func (r *run) write(report *Report) error {
	return WriteReport(string(r.dir), report, r.controls.Renderers, r.controls.Tables)
}

// PathsIn are those of a report that WriteReport puts into a folder, which has no journal.
func PathsIn(folder string) Paths {
	if absolute, err := filepath.Abs(folder); err == nil {
		folder = absolute
	}
	return Paths{Directory: folder, Report: journal.Directory(folder).Report("json")}
}

// WriteReport writes report.json, what the renderers draw and the tables of each workload into a folder, which it
// makes.
func WriteReport(folder string, report *Report, renderers map[string]Renderer, tables map[string]TableRenderer) error {
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

// renderFile replaces a file by what render writes.
func renderFile(path string, render func(io.Writer) error) error {
	var content bytes.Buffer
	if err := render(&content); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return journal.WriteFile(path, content.Bytes())
}

// LoadReport reads the report of a run. Where there is none, or one that something may have followed, as after a
// resumed run was killed, the journal tells.
func LoadReport(dir journal.Directory) (*Report, error) {
	text, err := os.ReadFile(dir.Report("json"))
	if errors.Is(err, os.ErrNotExist) {
		return reportFromJournal(dir)
	} else if err != nil {
		return nil, err
	}
	report := new(Report)
	if err := json.Unmarshal(text, report); err != nil {
		return nil, fmt.Errorf("%s: %w", dir.Report("json"), err)
	}
	if report.Schema != ReportSchema {
		return nil, fmt.Errorf("%s: schema %q: this harness reads %s", dir.Report("json"), report.Schema, ReportSchema)
	}
	if report.Resumable() {
		if later, err := reportFromJournal(dir); err == nil {
			return later, nil
		}
	}
	return report, nil
}

func reportFromJournal(dir journal.Directory) (*Report, error) {
	decision, err := readDecision(dir)
	if err != nil {
		return nil, err
	}
	records, err := journal.Read(dir.JournalFile())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	h := newHistory()
	for _, record := range records {
		if err := h.fold(record); err != nil {
			return nil, err
		}
	}
	report, err := assemble(decision, h, dir)
	if err != nil {
		return nil, err
	}
	switch {
	case h.finished != nil:
		report.ExitCode = h.finished.ExitCode
	case h.failure != nil:
		report.ExitCode = ExitCode(report, &FailureError{Failure: *h.failure})
	case report.State != Complete:
		report.ExitCode = ExitInterrupted
	}
	return report, nil
}
