package measure

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/harness/session"
	"github.com/chiasmus/chiasmus/stats"
)

// The hooks of a workload: programs that run in each revision's worktree, with the rights and limits of its prover,
// outside every compared time.
const (
	hookSetup   = failure.StepSetup   // once per revision and build, before its first prover
	hookPrepare = failure.StepPrepare // before each proof
	hookCleanup = "cleanup"           // after the last proof, however the measurement ended
)

// cleanupGrace is the time limit of cleanup once the context is cancelled.
const cleanupGrace = 30 * time.Second

// hook runs one of the arm's hooks.
func (r *runner) hook(ctx context.Context, name string, t config.Template) error {
	argv, err := r.argv(t, config.Values{}, r.proofs)
	if err != nil {
		return err
	}
	command := r.command(name)
	command.Argv = argv
	return session.Run(ctx, command)
}

// setUp runs the workload's setup for every build of both arms.
func (m *measurement) setUp(ctx context.Context) error {
	if m.workload.Setup.Empty() {
		return nil
	}
	interruptible, cancel := m.run.untilStopped(ctx)
	defer cancel()
	for _, runners := range m.builds {
		for _, arm := range m.run.decision.Arms() {
			m.run.notify(Notice{Workload: m.workload.Name, Text: fmt.Sprintf("%s: setup of %s", m.workload.Name, arm)})
			err := runners[arm].hook(interruptible, hookSetup, m.workload.Setup)
			if err = m.hookEnded(runners[arm], hookSetup, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// prepare runs the workload's prepare hook before a proof of an arm. No measured time includes it; warnPrepared reports
// a head whose hook takes longer than base's.
func (m *measurement) prepare(ctx context.Context, arm schedule.Arm) error {
	if m.workload.Prepare.Empty() {
		return nil
	}
	interruptible, cancel := m.run.untilStopped(ctx)
	defer cancel()
	begun := time.Now()
	err := m.runners[arm].hook(interruptible, hookPrepare, m.workload.Prepare)
	m.prepared[arm] = append(m.prepared[arm], time.Since(begun).Seconds())
	return m.hookEnded(m.runners[arm], hookPrepare, err)
}

// cleanUp runs the workload's cleanup for every build of both arms, also after a failure or an interruption. A failed
// cleanup is a warning: everything was measured and verified before.
func (m *measurement) cleanUp(ctx context.Context) error {
	if m.workload.Cleanup.Empty() {
		return nil
	}
	detached, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(cleanupGrace, cancel) })
	defer stop()
	var failed error
	for _, runners := range m.builds {
		for _, arm := range m.run.decision.Arms() {
			r := runners[arm]
			err := r.hook(detached, hookCleanup, m.workload.Cleanup)
			if err != nil {
				text := fmt.Sprintf("cleanup of %s: %v", arm, err)
				var exited *session.Error
				if errors.As(err, &exited) {
					text = fmt.Sprintf("cleanup of %s: %s (%s)", arm, exited.Cause, r.dir.Relative(exited.Log))
				}
				m.run.notify(Notice{Workload: m.workload.Name, Text: m.workload.Name + ": " + text})
				err = m.warn(hookCleanup, text)
			}
			failed = errors.Join(failed, err, m.leftBy(r))
		}
	}
	return failed
}

// hookEnded turns the failure of a hook into the failure of the run, with hook, arm, exit code and the end of the log.
// A hook that was stopped with the run is an interruption.
func (m *measurement) hookEnded(r *runner, name string, err error) error {
	switch {
	case err == nil:
		return m.leftBy(r)
	case m.run.stopped(), errors.Is(err, context.Canceled), errors.Is(err, exec.ErrWaitDelay):
		return failure.ErrInterrupted
	}
	return r.failed(name, err)
}

// Head's prepare is reported if it takes longer than base's by more than prepareShare of the time of base's proofs, and
// by more than prepareSeconds, the scatter of starting a process.
const prepareShare, prepareSeconds = 0.05, 0.05

// warnPrepared reports a head whose prepare takes longer than base's: its prover may have moved work there.
func (m *measurement) warnPrepared() error {
	var walls []float64
	for _, s := range m.progress.Samples {
		if s.Arm == schedule.Base {
			walls = append(walls, s.Metrics[metrics.WallSeconds])
		}
	}
	for _, head := range m.run.decision.Heads() {
		if text := preparedLonger(m.prepared[schedule.Base], m.prepared[head], walls); text != "" {
			if err := m.warn(hookPrepare, m.named(head, text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// preparedLonger compares the mean seconds of both arms' prepare, and returns a warning if head's takes conspicuously
// longer, else "".
func preparedLonger(base, head, walls []float64) string {
	b, h, wall := stats.Mean(base), stats.Mean(head), stats.Mean(walls)
	if !b.Exists() || !h.Exists() || !wall.Exists() {
		return ""
	}
	if h.Float()-b.Float() <= max(prepareSeconds, prepareShare*wall.Float()) {
		return ""
	}
	return fmt.Sprintf("head's prepare takes %.3g s, base's %.3g s: no proof time includes it, and head may have moved "+
		"work there", h.Float(), b.Float())
}
