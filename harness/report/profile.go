package report

import (
	"fmt"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/profile"
	"github.com/chiasmus/chiasmus/stats"
)

// AddToProfile adds a complete A/A run of a workload to its noise profile, and returns the profile. It begins a new
// profile for another host or metric.
func AddToProfile(directory string, r *Report, workload string) (*profile.Profile, error) {
	var w *Workload
	for i := range r.Workloads {
		if r.Workloads[i].Name == workload {
			w = &r.Workloads[i]
		}
	}
	if w == nil || w.Stats == nil || !r.AA {
		return nil, fmt.Errorf("run %s is not a complete A/A run of %s, so it does not measure noise", r.Run.ID, workload)
	}
	p, err := profile.Load(directory, workload)
	if err != nil {
		return nil, err
	}
	if p == nil || !p.Fits(w.Metric, r.Environment.Start) {
		p = &profile.Profile{
			Schema:   profile.Schema,
			Workload: workload,
			Metric:   w.Metric.Name,
			Scale:    w.Metric.Scale,
			Host:     r.Environment.Start,
		}
	}
	run, err := profileRun(r, w)
	if err != nil {
		return nil, err
	}
	p.Runs = append(p.Runs, run)
	return p, p.Write(directory)
}

// profileRun extracts the noise of a run.
func profileRun(r *Report, w *Workload) (profile.Run, error) {
	components, err := stats.Components(evidence.StatsPairs(w.Pairs), w.Metric.Scale)
	if err != nil {
		return profile.Run{}, err
	}
	run := profile.Run{
		Run:          r.Run.ID,
		Time:         r.Run.Finished,
		SHA:          r.Base.SHA,
		Pairs:        w.Stats.Pairs,
		Alpha:        r.Plan.Alpha,
		SD:           w.Stats.Spread.Pair.Float(),
		Mean:         w.Stats.T.Mean.Float(),
		MeanA:        w.Stats.MeanA.Float(),
		Verdict:      w.Stats.Verdict,
		Components:   components,
		Processes:    w.Processes,
		Builds:       r.Plan.BuildCount(),
		BuildSeconds: r.Base.BuildSeconds + r.Head.BuildSeconds,
	}
	starting := float64(w.BaseSession.Starts)*w.BaseSession.SetupSeconds +
		float64(w.HeadSession.Starts)*w.HeadSession.SetupSeconds
	run.ProofSeconds = max(0, w.Seconds-starting) / float64(w.ProofsMade)
	run.StartSeconds = w.BaseSession.SetupSeconds + w.HeadSession.SetupSeconds + 2*float64(r.Plan.Warmup)*run.ProofSeconds
	return run, nil
}
