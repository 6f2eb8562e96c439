package workflows

import (
	"context"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/internal/plural"
)

// BaselinesFile holds baselines, one per line: on the history's branch, those measured by nights; next to a plan, those
// that the run may use.
const BaselinesFile = "baselines.jsonl"

// maxCarried bounds the baselines that a plan names: two for every night of a month, for two workloads.
const maxCarried = 128

// carry collects the newest baselines of the run's workloads from the history's branch, for a run that starts with a
// baseline pre-check. They are passed to the executor next to the plan, which names them by their digests, so earlier
// code on the executor cannot have changed them. A bench.yaml with a folder of baselines on the host needs none.
func (controller *Controller) carry(ctx context.Context, plan *Plan) ([]baseline.Baseline, error) {
	file := controller.Settings.File
	if file == nil || max(plan.PreCheck, controller.Settings.PreCheck) == 0 || file.GitHub.Baselines != "" ||
		file.Nightly.History.Branch == "" {
		return nil, nil
	}
	kept, err := controller.Client.ReadFile(ctx, file.Nightly.History.Branch, BaselinesFile)
	if err != nil {
		return nil, err
	}
	all, refused := baseline.Decode(kept.Content)
	if len(refused) > 0 {
		plan.Notes = append(plan.Notes,
			fmt.Sprintf("The run ignores %s of nights: %s %s.", plural.Of(len(refused), "baseline"), BaselinesFile,
				clip(refused[0], 120)))
	}
	names := plan.Workloads
	if len(names) == 0 {
		for _, workload := range file.DefaultWorkloads() {
			names = append(names, workload.Name)
		}
	}
	var list []baseline.Baseline
	for _, b := range all {
		if slices.Contains(names, b.Workload) && b.Fits(plan.Created) {
			list = append(list, b)
		}
	}
	baseline.Sort(list)
	list = list[:min(len(list), maxCarried)]
	for _, b := range list {
		plan.Baselines = append(plan.Baselines, b.SHA256)
	}
	return list, nil
}

// Carried reads the baselines next to a plan, which must be exactly those that the plan names.
func (plan *Plan) Carried(data []byte) ([]baseline.Baseline, error) {
	list, refused := baseline.Decode(data)
	if len(refused) > 0 {
		return nil, fmt.Errorf("the baselines next to the plan: %s", refused[0])
	}
	var digests []string
	for _, b := range list {
		digests = append(digests, b.SHA256)
	}
	if !slices.Equal(digests, plan.Baselines) {
		return nil, fmt.Errorf("the %d baselines next to the plan are not the %d that it names", len(digests),
			len(plan.Baselines))
	}
	return list, nil
}

// checkCarried refuses a pre-check that was decided by a baseline the plan does not name, if the plan names any.
func (plan *Plan) checkCarried(report *harness.Report) error {
	if len(plan.Baselines) == 0 {
		return nil
	}
	for i := range report.Workloads {
		preCheck := report.Workloads[i].PreCheck
		if preCheck != nil && preCheck.Baseline != nil && !slices.Contains(plan.Baselines, preCheck.Baseline.SHA256) {
			return fmt.Errorf("a pre-check was decided by a baseline that the plan does not name, %.16s",
				clip(preCheck.Baseline.SHA256, 16))
		}
	}
	return nil
}
