package measure

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/chiasmus/chiasmus/harness/build"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/harness/session"
)

// measureAll measures the workloads one after the other, with the given builds.
//
// If the host is too busy for one workload, the others are still measured, so that their figures are reported.
func (r *run) measureAll(ctx context.Context, built map[schedule.Arm][]*build.Result) error {
	var tooBusy error
	for _, name := range r.decision.Workloads {
		progress := r.history.Workload(name)
		if progress.Measured {
			continue
		}
		if err := r.checkBuilds(ctx, built); err != nil {
			return err
		}
		m, err := r.newMeasurement(name, progress, built)
		if err != nil {
			return err
		}
		r.notify(Notice{Text: "measuring " + name, Workload: name, PairsPlanned: r.decision.Plan.Pairs})
		if err := m.measure(ctx); err != nil {
			if ctx.Err() != nil {
				return failure.ErrInterrupted
			}
			if !errors.Is(err, errBusy) {
				return err
			}
			tooBusy = cmp.Or(tooBusy, err)
			r.notify(Notice{Text: name + ": " + err.Error()})
		}
	}
	if err := r.checkBuilds(ctx, built); err != nil {
		return err
	}
	return tooBusy
}

func (r *run) newMeasurement(name string, p *record.Progress, built map[schedule.Arm][]*build.Result) (*measurement,
	error) {
	w := r.decision.Workload(name)
	s, err := r.decision.Schedule()
	if err != nil {
		return nil, err
	}
	m := &measurement{
		run: r, workload: w, metric: r.decision.Timed(w), schedule: s, progress: p,
		provers: map[schedule.Arm]session.Prover{}, ready: map[schedule.Arm]time.Duration{},
		wallTimed: map[schedule.Arm]bool{}, prepared: map[schedule.Arm][]float64{},
	}
	files, err := r.decision.File.Inputs(w)
	if err != nil {
		return nil, err
	}
	inputs := map[string]string{}
	for _, in := range files {
		inputs[in.Name] = in.File
	}
	for k := range r.decision.Plan.BuildCount() {
		runners := map[schedule.Arm]*runner{}
		for _, arm := range r.decision.Arms() {
			if runners[arm], err = newRunner(arm, r.decision.Arm(arm), built[arm][k], w, inputs, r.dir); err != nil {
				return nil, err
			}
			runners[arm].stdin = r.decision.Stdin
		}
		m.builds = append(m.builds, runners)
	}
	return m, nil
}
