package measure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/internal/files"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/report"
)

// finish journals how the execution ended, and writes the report and its files. The exit code follows from the returned
// error.
func (r *run) finish(ctx context.Context, cause error) (*report.Report, error) {
	defer r.dropProofs()
	cause = r.classify(ctx, cause)
	var refused *failure.UsageError
	if errors.As(cause, &refused) {
		return nil, errors.Join(cause, r.journal.Close()) // the run stays as it is
	}
	if err := r.note(cause); err != nil {
		return nil, errors.Join(cause, err, r.journal.Close())
	}
	return r.conclude(ctx, cause)
}

// conclude writes the report and its files for a run whose end is in the journal. It can be repeated if the harness is
// killed before it returns.
func (r *run) conclude(ctx context.Context, cause error) (*report.Report, error) {
	defer r.journal.Close()
	made, err := report.Assemble(r.decision, r.history, r.dir)
	if err != nil && cause == nil {
		// The statistics refuse the measured pairs, so the run has failed.
		cause = r.classify(ctx, err)
		if err := r.note(cause); err != nil {
			return nil, errors.Join(cause, err)
		}
		made, err = report.Assemble(r.decision, r.history, r.dir)
	}
	if err != nil {
		return nil, errors.Join(cause, err)
	}
	made.ExitCode = report.ExitCode(made, cause)
	if r.history.Finished == nil {
		if err := r.record(record.KindFinished, record.Finished{State: string(made.State),
			ExitCode: made.ExitCode}); err != nil {
			return made, errors.Join(cause, err)
		}
		made.Run.Finished = r.history.Last
	}
	if err := r.keepBaselines(made); err != nil {
		return made, errors.Join(cause, err)
	}
	made.Events = report.NotNil(r.history.Events)
	if err := r.write(made); err != nil {
		return made, errors.Join(cause, err)
	}
	return made, errors.Join(cause, r.record(record.KindReported, struct{}{}))
}

// dropProofs removes the folder that the measured programs wrote to, unless it contains a refused proof.
func (r *run) dropProofs() {
	if failure := r.history.Failure; failure != nil && failure.Proof != "" {
		return
	}
	if err := files.RemoveAll(r.dir.Proofs()); err != nil {
		r.notify(Notice{Text: "files of the measured programs were not removed: " + err.Error()})
	}
}

// classify turns any error into one that has an exit code.
func (r *run) classify(ctx context.Context, cause error) error {
	var failed *failure.Error
	var wrong *failure.UsageError
	switch {
	case cause == nil:
		return nil
	case errors.Is(cause, failure.ErrInterrupted), errors.As(cause, &wrong):
		return cause
	case ctx.Err() != nil:
		return fmt.Errorf("%w: %w", failure.ErrInterrupted, cause)
	case errors.As(cause, &failed):
		return cause
	}
	return &failure.Error{Failure: failure.Failure{Step: failure.StepHarness, Cause: cause.Error()}, Err: cause}
}

// note journals how the execution ended.
func (r *run) note(cause error) error {
	var failed *failure.Error
	switch {
	case errors.Is(cause, failure.ErrInterrupted):
		return r.record(record.KindInterrupted, evidence.Event{Time: time.Now().UTC(), Kind: record.KindInterrupted,
			Text: "interrupted"})
	case errors.As(cause, &failed):
		return r.record(record.KindFailed, failed.Failure)
	}
	return nil
}

// write writes report.json and the output of the renderers into the run directory.
func (r *run) write(made *report.Report) error {
	return report.Write(string(r.dir), made, r.controls.Renderers, r.controls.Tables)
}
