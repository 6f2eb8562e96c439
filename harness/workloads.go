package harness

import (
	"context"
	"time"

	"github.com/chiasmus/chiasmus/harness/build"
	"github.com/chiasmus/chiasmus/harness/session"
)

// measureAll measures the workloads one after the other, each with the builds that were made.
func (r *run) measureAll(ctx context.Context, built map[Arm][]*build.Result) error {
	for _, name := range r.decision.Workloads {
		progress := r.history.workload(name)
		if progress.measured {
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
				return ErrInterrupted
			}
			return err
		}
	}
	return r.checkBuilds(ctx, built)
}

func (r *run) newMeasurement(name string, p *progress, built map[Arm][]*build.Result) (*measurement, error) {
	w := r.decision.workload(name)
	s, err := r.decision.schedule()
	if err != nil {
		return nil, err
	}
	m := &measurement{
		run: r, workload: w, metric: r.decision.file.Metrics.Primary, schedule: s, progress: p,
		provers: map[Arm]session.Prover{}, ready: map[Arm]time.Duration{}, wallTimed: map[Arm]bool{},
	}
	files, err := r.decision.file.Inputs(w)
	if err != nil {
		return nil, err
	}
	inputs := map[string]string{}
	for _, in := range files {
		inputs[in.Name] = in.File
	}
	for k := range r.decision.Plan.builds() {
		runners := map[Arm]*runner{}
		for _, arm := range []Arm{Base, Head} {
			if runners[arm], err = newRunner(arm, r.decision.arm(arm), built[arm][k], w, inputs, r.dir); err != nil {
				return nil, err
			}
		}
		m.builds = append(m.builds, runners)
	}
	return m, nil
}
