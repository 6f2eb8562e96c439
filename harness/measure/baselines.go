package measure

import (
	"fmt"
	"path/filepath"

	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// baselines returns the folder of a run's baselines.
func (r *run) baselines() (string, error) {
	if r.controls.Baselines != "" {
		return r.controls.Baselines, nil
	}
	return baseline.Folder(r.decision.Directory)
}

// trustedBaselines returns the folder of baselines that a run trusts, or in why the reason that there is none.
// Untrusted code can write wherever the run's user can. The run of a pull request therefore trusts only a folder that
// bench.yaml names and that this user cannot write to. Head's own bench.yaml cannot circumvent this, because a baseline
// belongs to one bench.yaml.
func (r *run) trustedBaselines() (folder, why string) {
	if !r.decision.PullRequest {
		folder, err := r.baselines()
		if err != nil {
			return "", fmt.Sprintf("there is no folder for baselines: %v", err)
		}
		return folder, ""
	}
	folder = r.decision.File.GitHub.Baselines
	if folder == "" {
		return "", "the run of a pull request trusts no baseline in a cache, and bench.yaml names no github.baselines"
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return "", fmt.Sprintf("github.baselines: %v", err)
	}
	for _, path := range append([]string{folder}, paths...) {
		mine, err := writable(path)
		switch {
		case err != nil:
			return "", fmt.Sprintf("github.baselines: %v", err)
		case mine:
			return "", fmt.Sprintf("github.baselines: %s is writable by the user of this run, and so by the code of a pull "+
				"request", path)
		}
	}
	return folder, ""
}

// keepBaselines stores the baseline that a complete run measured of base, and with KeepHead of head. It stores nothing
// if pairs or processes could not be counted, if untrusted code ran, or if base ran in turn with several heads.
func (r *run) keepBaselines(made *report.Report) error {
	d := r.decision
	if made.State != report.Complete || d.PullRequest || d.Kind != plan.KindCompare || d.Plan.BuildCount() > 1 ||
		d.HeadCount() > 1 || made.Environment.Start == nil {
		return nil
	}
	folder, err := r.baselines()
	if err != nil {
		return r.event("no baseline is stored: %v", err)
	}
	arms := []schedule.Arm{schedule.Base}
	if d.KeepHead {
		arms = append(arms, schedule.Head)
	}
	for i := range made.Workloads {
		w := &made.Workloads[i]
		for _, arm := range arms {
			b, ok := report.BaselineOf(d, w, arm, made.Environment.Start)
			if !ok {
				continue
			}
			if err := b.Write(folder); err != nil {
				return r.event("no baseline is stored: %v", err) // a full cache does not fail a comparison
			}
		}
	}
	return nil
}

// baselinesFor returns the baselines of a workload that a run trusts, the newest first: those that the caller passed,
// else those of a folder. why is the reason if there are none.
func (r *run) baselinesFor(workload string) (list []baseline.Baseline, refused []string, why string) {
	if len(r.controls.Carried) > 0 {
		for _, b := range r.controls.Carried {
			if b.Workload == workload {
				list = append(list, b)
			}
		}
		baseline.Sort(list)
		return list, nil, ""
	}
	folder, why := r.trustedBaselines()
	if why != "" {
		return nil, nil, why
	}
	list, refused, err := baseline.Read(folder, workload)
	if err != nil {
		return nil, nil, fmt.Sprintf("the baselines cannot be read: %v", err)
	}
	return list, refused, ""
}
