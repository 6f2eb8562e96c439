package harness

import (
	"context"

	"github.com/chiasmus/chiasmus/harness/build"
	"github.com/chiasmus/chiasmus/harness/session"
	"github.com/chiasmus/chiasmus/stats"
)

// measureAll measures the workloads one after the other, each with the builds that were made.
func (r *run) measureAll(ctx context.Context, built map[Arm]*build.Result) error {
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

func (r *run) newMeasurement(name string, p *progress, built map[Arm]*build.Result) (*measurement, error) {
	w := r.decision.workload(name)
	design, err := stats.NewDesign(r.decision.Plan.Pairs, r.decision.Plan.Looks, r.decision.Plan.WholeAlpha(), stats.Sampling{})
	if err != nil {
		return nil, err
	}
	s, err := r.decision.schedule()
	if err != nil {
		return nil, err
	}
	m := &measurement{
		run: r, workload: w, metric: r.decision.file.Metrics.Primary, schedule: s, design: design, progress: p,
		runners: map[Arm]*runner{}, provers: map[Arm]session.Prover{}, wallTimed: map[Arm]bool{},
	}
	files, err := r.decision.file.Inputs(w)
	if err != nil {
		return nil, err
	}
	inputs := map[string]string{}
	for _, in := range files {
		inputs[in.Name] = in.File
	}
	for _, arm := range []Arm{Base, Head} {
		if m.runners[arm], err = newRunner(arm, r.decision.arm(arm), built[arm], w, inputs, r.dir); err != nil {
			return nil, err
		}
	}
	return m, nil
}
