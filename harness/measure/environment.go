package measure

import (
	"context"
	"errors"
	"time"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/internal/words"
)

// captureStart waits for a quiet host if asked, and records the host. A resumed run must continue on the same host.
func (r *run) captureStart(ctx context.Context) error {
	if r.decision.RequireQuiet {
		if err := r.waitQuiet(ctx); err != nil {
			return err
		}
	}
	before := r.history.Start
	now, err := r.capture(ctx, record.PhaseStart)
	if err != nil {
		return err
	}
	if before != nil {
		if moved := environment.Moved(before, now); moved != "" {
			return failure.Usage("run %s cannot be resumed: the host has changed: %s", r.decision.ID, moved)
		}
		return nil
	}
	for _, name := range r.decision.Workloads {
		w, err := r.decision.Predict(name, now)
		if err != nil {
			return err
		}
		if err := r.event("%s", w.Text()); err != nil {
			return err
		}
	}
	for _, text := range now.Warnings(r.decision.File.Environment) {
		r.notify(Notice{Text: "warning: " + text})
		if err := r.warn("environment", text); err != nil {
			return err
		}
	}
	return nil
}

// waitQuiet waits until nothing disturbs the host.
func (r *run) waitQuiet(ctx context.Context) error {
	if err := r.event("waiting until the host is quiet"); err != nil {
		return err
	}
	told, disturbed, started := false, 0, time.Now()
	wait := environment.WaitQuiet
	if r.controls.waitQuiet != nil {
		wait = r.controls.waitQuiet
	}
	err := wait(ctx, r.decision.File.Environment, func(causes []environment.Cause) {
		if disturbed += min(1, len(causes)); !told && len(causes) > 0 {
			told = true
			r.notify(Notice{Text: "not quiet yet: " + causes[0].Detail})
		}
	})
	var noisy *environment.NotQuietError
	switch {
	case errors.As(err, &noisy):
		return &failure.Error{Failure: failure.Failure{Step: failure.StepEnvironment, Cause: err.Error()}, Err: err}
	case err != nil && ctx.Err() != nil:
		return failure.ErrInterrupted
	case err != nil:
		return err
	}
	return r.event("the host is quiet, after %s in which it was disturbed %d times", words.Span(time.Since(started)),
		disturbed)
}

// captureEnd records the host after the measurement, even if it failed.
func (r *run) captureEnd() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, err := r.capture(ctx, record.PhaseEnd)
	return err
}

func (r *run) capture(ctx context.Context, phase string) (*environment.Snapshot, error) {
	snapshot, err := environment.Capture(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, failure.ErrInterrupted
		}
		return nil, err
	}
	return snapshot, r.record(record.KindEnvironment, record.Environment{Phase: phase, Snapshot: snapshot})
}
