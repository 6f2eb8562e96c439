package measure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/harness/build"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/internal/logfile"
	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/revision"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// A run is a comparison being executed.
type run struct {
	repository *revision.Repository
	decision   *plan.Decision
	dir        journal.Directory
	controls   Controls
	journal    *journal.Journal
	history    *record.History
	requests   int64
	// isolation is the program that isolates the run, set by build.
	isolation isolate.Program
}

// openRun opens the journal of a new or resumed run and folds its records.
func openRun(repository *revision.Repository, d *plan.Decision, dir journal.Directory, controls Controls) (*run,
	error) {
	j, records, err := journal.Open(dir.JournalFile())
	if err != nil {
		return nil, err
	}
	r := &run{repository: repository, decision: d, dir: dir, controls: controls, journal: j, history: record.NewHistory()}
	for _, record := range records {
		if err := r.history.Fold(record); err != nil {
			j.Close()
			return nil, err
		}
	}
	r.requests = r.history.Proofs
	return r, nil
}

// record journals a record and then folds it.
func (r *run) record(kind string, data any) error {
	record, err := r.journal.Append(kind, data)
	if err != nil {
		return err
	}
	return r.history.Fold(record)
}

func (r *run) event(format string, arguments ...any) error {
	text := fmt.Sprintf(format, arguments...)
	r.notify(Notice{Text: text})
	return r.record(record.KindEvent, evidence.Event{Time: time.Now().UTC(), Kind: record.KindEvent, Text: text})
}

func (r *run) warn(kind, text string) error {
	return r.record(record.KindWarning, record.Warning{Warning: plan.Warning{Kind: kind, Text: text}})
}

// warnOnce warns unless the run already has this warning.
func (r *run) warnOnce(kind, text string) error {
	if slices.Contains(r.history.Warnings, plan.Warning{Kind: kind, Text: text}) {
		return nil
	}
	return r.warn(kind, text)
}

func (r *run) notify(n Notice) { r.controls.Tell(n) }

func (r *run) stopped() bool { return r.controls.stopped() }

// nextID numbers requests.
func (r *run) nextID() int64 {
	r.requests++
	return r.requests
}

// execute runs everything from the builds to the last proof.
func (r *run) execute(ctx context.Context) error {
	if r.history.Decided == nil {
		if err := r.record(record.KindDecided, r.decision.Identity()); err != nil {
			return err
		}
	}
	if err := r.counted(); err != nil {
		return err
	}
	interruptible, cancel := r.untilStopped(ctx)
	defer cancel()
	built := r.inPlace()
	if !r.decision.OfCommands() {
		var err error
		if built, err = r.build(interruptible); err != nil {
			return err
		}
	}
	defer func() {
		for _, list := range built {
			for _, b := range list {
				_ = b.Close() // only unlocks; the process ends soon anyway
			}
		}
	}()
	unlock, err := r.lock(interruptible)
	if err != nil {
		return err
	}
	defer unlock()
	if err := r.captureStart(interruptible); err != nil {
		return err
	}
	err = r.measureAll(ctx, built)
	if err = errors.Join(err, r.captureEnd()); err != nil {
		return err
	}
	if err := r.record(record.KindChecked, struct{}{}); err != nil {
		return err
	}
	return r.profileAll(ctx, built)
}

// untilStopped returns a context that is cancelled when the run is asked to stop. It is for steps during which no proof
// runs.
func (r *run) untilStopped(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-r.controls.Stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// build builds base, then every head, before anything is measured.
func (r *run) build(ctx context.Context) (map[schedule.Arm][]*build.Result, error) {
	cache, err := build.Open(r.decision.Builds)
	if err != nil {
		return nil, err
	}
	if r.decision.Plan.Isolated {
		if r.isolation, err = isolate.Find(ctx); err != nil {
			return nil, &failure.Error{Failure: failure.Failure{Step: failure.StepEnvironment, Cause: err.Error()}, Err: err}
		}
	}
	results := map[schedule.Arm][]*build.Result{}
	for _, arm := range r.decision.Arms() {
		rev := r.decision.Arm(arm)
		before, layouts := rev.Artifacts, rev.Layouts
		rev.Layouts = nil
		for k := range r.decision.Plan.BuildCount() {
			seed, recipe := r.layout(arm, k+1)
			result, err := r.buildArm(ctx, cache, arm, recipe)
			if err != nil {
				return results, err
			}
			results[arm] = append(results[arm], result)
			if err := r.checkReplaced(arm, result); err != nil {
				return results, err
			}
			artifacts := artifactsOf(result)
			if k == 0 {
				if err := r.noteBuild(arm, result, artifacts); err != nil {
					return results, err
				}
			} else if k < len(layouts) {
				before = layouts[k].Artifacts
			}
			if err := r.sameArtifacts(arm, before, artifacts); err != nil {
				return results, err
			}
			before = nil
			if seed != 0 {
				rev.Layouts = append(rev.Layouts, plan.Layout{Seed: seed, Artifacts: artifacts})
			}
		}
		if err := r.warnAlike(arm); err != nil {
			return results, err
		}
	}
	if err := r.warnToolchains(); err != nil {
		return results, err
	}
	return results, r.decision.Write(r.dir)
}

// warnToolchains warns if the arms were built with different compilers: a revision chose another compiler, or a release
// channel moved since base was built.
func (r *run) warnToolchains() error {
	base := r.decision.Base.Toolchain
	for _, arm := range r.decision.Heads() {
		head := r.decision.Arm(arm).Toolchain
		if base == head {
			continue
		}
		text := fmt.Sprintf("base was built with %s, and %s with %s: a difference may come from the compiler", base, arm,
			head)
		if err := r.warn(plan.WarnToolchain, text); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) buildArm(ctx context.Context, cache *build.Cache, arm schedule.Arm, recipe config.Build) (*build.Result,
	error) {
	rev := r.decision.Arm(arm)
	request := build.Request{
		Repository: r.repository, Build: recipe, ExtraEnv: rev.Env,
		Revision: revision.Revision{
			SHA:      rev.SHA,
			Ref:      rev.Ref,
			Subject:  rev.Subject,
			Time:     rev.Time,
			Dirty:    rev.Dirty,
			TreeHash: rev.TreeHash,
		},
	}
	request.Sealed, request.Fetched = r.decision.Sealed, r.decision.FetchedOf(rev.SHA)
	if r.decision.Kind == plan.KindCalibrate {
		request.Variant = string(arm)
	}
	if r.decision.Plan.Isolated {
		request.Isolation = &isolate.Spec{
			Program: r.isolation,
			Hidden:  []string{filepath.Join(r.decision.Directory, journal.FolderName)},
		}
	}
	if err := r.event("building %s %s (%s)", arm, rev.Short(), rev.Ref); err != nil {
		return nil, err
	}
	path := filepath.Join(r.dir.Logs(), "build-"+string(arm)+".log")
	log, err := logfile.Open(path, logfile.Default)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	var left []string
	ticker := time.NewTicker(buildTick)
	defer ticker.Stop()
	watch := watchBuild(fmt.Sprintf("%s %s", arm, rev.Short()), r.notify, ticker.C)
	request.Log, request.Run = io.MultiWriter(log, watch), r.dir.ID()
	var told error
	request.Missed = func(why string) { watch.while(func() { told = r.event("%s: %s", arm, why) }) }
	request.Left = func(programs []string) { left = append(left, programs...) }
	result, err := cache.Build(ctx, request)
	watch.end()
	if told != nil {
		return nil, told
	}
	if err := r.warnBuildLeft(arm, left); err != nil {
		return nil, err
	}
	if err == nil {
		return result, nil
	}
	if ctx.Err() != nil {
		return nil, failure.ErrInterrupted
	}
	return nil, r.buildFailed(arm, path, err)
}

// IsolatedHint is appended to the cause of an isolated build's failure.
const IsolatedHint = " (it was isolated: with an empty HOME, without files beyond the revision and the system, and " +
	"with the public internet in build.fetch alone; --isolate=off builds with the rights of the user, and trusts head)"

// buildFailed turns an error into a failure with revision, step, cause and the end of the log.
func (r *run) buildFailed(arm schedule.Arm, log string, err error) error {
	f := failure.Failure{
		Step:  failure.StepBuild,
		Arm:   arm,
		SHA:   r.decision.Arm(arm).SHA,
		Cause: err.Error(),
		Log:   r.dir.Relative(log),
	}
	var failed *build.Error
	if errors.As(err, &failed) {
		f.Cause = fmt.Sprintf("%s: %v", failed.Step, failed.Cause)
		f.LogTail = failed.Tail
	}
	if r.decision.Plan.Isolated && !r.decision.Sealed {
		f.Cause += IsolatedHint
	}
	return &failure.Error{Failure: f, Err: err}
}

// noteBuild records the result of a build.
func (r *run) noteBuild(arm schedule.Arm, result *build.Result, artifacts []plan.Artifact) error {
	rev := r.decision.Arm(arm)
	rev.Artifacts = artifacts
	rev.BuildSeconds, rev.BuildCached = result.Provenance.Seconds, result.Cached
	rev.Tools = result.Provenance.Versions()
	rev.Toolchain = toolchain(rev.Tools)
	switch {
	case result.Cached:
		return r.event("%s %s was built before", arm, rev.Short())
	case result.Again != "":
		return r.event("built %s %s again in %.1f s: %s", arm, rev.Short(), rev.BuildSeconds, result.Again)
	}
	return r.event("built %s %s in %.1f s", arm, rev.Short(), rev.BuildSeconds)
}

// lock takes the lock of the host. It waits unless the controls forbid it.
func (r *run) lock(ctx context.Context) (unlock func(), err error) {
	what := fmt.Sprintf("%s %s of %s", r.decision.Kind, r.decision.Range, filepath.Base(r.decision.Directory))
	me := journal.Holder{PID: os.Getpid(), Run: string(r.dir), What: what, Started: time.Now()}
	waiting := func(h journal.Holder) {
		r.notify(Notice{Text: "waiting for the measurement that runs on this host: " + h.String()})
	}
	if r.controls.NoWait {
		waiting = nil
	}
	held, err := journal.LockHost(ctx, r.controls.LockFile, me, waiting)
	var busy *journal.BusyError
	switch {
	case err == nil:
		return func() { _ = held.Unlock() }, nil
	case errors.As(err, &busy):
		return nil, &failure.Error{Failure: failure.Failure{Step: failure.StepEnvironment, Cause: err.Error()}, Err: err}
	case ctx.Err() != nil:
		return nil, failure.ErrInterrupted
	}
	return nil, err
}
