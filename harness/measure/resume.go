package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/internal/files"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/revision"
)

// Resume continues a run from its journal. It refuses if a part of the decision has changed, or if the run has ended:
// an unplanned extension of a finished run would break its error rate, and a failure is a result unless the host caused
// it. If a run was killed while its reports were written, Resume writes them.
func Resume(ctx context.Context, dir journal.Directory, controls Controls) (*report.Report, error) {
	decision, err := plan.Read(dir)
	if err != nil {
		return nil, &failure.UsageError{Err: err}
	}
	if err := controls.Caller().CheckWorkloads(decision.Workloads); err != nil {
		return nil, err
	}
	var repository *revision.Repository
	if !decision.OfCommands() {
		if repository, err = revision.Open(decision.Directory, decision.Git()); err != nil {
			return nil, failure.Usage("%w", err)
		}
	}
	r, err := openRun(repository, decision, dir, controls)
	if err != nil {
		return nil, &failure.UsageError{Err: err}
	}
	left, err := r.endLeftovers()
	if len(left) > 0 {
		r.notify(Notice{Text: "killed the programs that the run left behind: " + strings.Join(left, ", ")})
	}
	if err = errors.Join(err, r.unchanged()); err != nil {
		r.journal.Close()
		return nil, err
	}
	if r.history.Ended() && !r.reported() {
		r.notify(Notice{Text: "run " + decision.ID + " has ended: its reports are finished"})
		defer r.dropProofs()
		return r.conclude(ctx, r.history.Cause())
	}
	if err := r.resumable(ctx); err != nil {
		r.journal.Close()
		return nil, err
	}
	text := fmt.Sprintf("resumed with %s", controls.Version)
	if len(left) > 0 {
		text += ", after killing leftover programs: " + strings.Join(left, ", ")
	}
	if err := r.record(record.KindResumed, evidence.Event{Time: time.Now().UTC(), Kind: record.KindResumed,
		Text: text}); err != nil {
		r.journal.Close()
		return nil, err
	}
	r.notify(Notice{Text: "run " + decision.ID + " continues"})
	return r.finish(ctx, r.execute(ctx))
}

// refuse returns the error of a run that cannot be resumed.
func (r *run) refuse(format string, arguments ...any) error {
	return failure.Usage("run %s cannot be resumed: %s", r.decision.ID, fmt.Sprintf(format, arguments...))
}

// unchanged refuses a run whose run.json differs from the identity in the journal.
func (r *run) unchanged() error {
	if h := r.history; h.Decided != nil {
		if changed := h.Decided.Changes(r.decision.Identity()); len(changed) > 0 {
			return r.refuse("its run.json was changed: %s", strings.Join(changed, "; "))
		}
	}
	return nil
}

// reported reports whether all files of a finished run were written.
func (r *run) reported() bool {
	_, err := os.Stat(r.dir.Report("json"))
	return r.history.Reported && err == nil
}

// resumable returns an error if the run cannot be resumed, before anything is written.
func (r *run) resumable(ctx context.Context) error {
	switch h := r.history; {
	case h.Failure != nil && !h.Failure.Passing():
		return r.refuse("it ended with a failure (%s: %s); start another run", h.Failure.Step, h.Failure.Cause)
	case h.Ended():
		return r.refuse("it is finished, and extending it would break its error rate; start another run")
	}
	if r.decision.OfCommands() {
		if err := errors.Join(r.checkCommands(), r.decision.SameInput()); err != nil {
			return r.refuse("%v", err)
		}
		return r.clearProofs()
	}
	for _, arm := range r.decision.Arms() {
		rev := r.decision.Arm(arm)
		if _, err := r.repository.Pin(ctx, rev.SHA); err != nil {
			return r.refuse("%s %s is no longer in the repository: %v", arm, rev.Short(), err)
		}
	}
	for _, name := range r.decision.Workloads {
		if err := r.sameInputs(name); err != nil {
			return r.refuse("%v", err)
		}
	}
	return r.clearProofs()
}

// sameInputs compares the hashes of a workload's input files.
func (r *run) sameInputs(name string) error {
	files, err := r.decision.File.Inputs(r.decision.Workload(name))
	if err != nil {
		return err
	}
	var now []plan.Input
	for _, in := range files {
		now = append(now, plan.Input{Name: in.Name, SHA256: in.SHA256, Bytes: in.Bytes})
	}
	before := r.decision.Inputs[name]
	for i, in := range before {
		if i >= len(now) || in != now[i] {
			return fmt.Errorf("the input %s of workload %s has changed", in.Name, name)
		}
	}
	return nil
}

// clearProofs removes proofs that were not verified before the run ended.
func (r *run) clearProofs() error {
	left, err := filepath.Glob(filepath.Join(r.dir.Proofs(), "*", "*"))
	if err != nil {
		return err
	}
	for _, path := range left {
		err = errors.Join(err, files.RemoveAll(path))
	}
	return err
}
