package workflows

import (
	"context"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/harness"
)

// BaselinesFile holds baselines, one a line: on the history's branch what nights have measured, beside a plan what of
// it the run may use.
const BaselinesFile = "baselines.jsonl"

// maxCarried is the most baselines that a plan names: two of every night of a month, for two workloads.
const maxCarried = 128

// carry looks for what nights have measured, for a run that begins with a first tier: the newest baselines of its
// workloads on the history's branch. They are carried to the executor beside the plan, which names them by their
// digests, so that nothing that ran there before can have changed them. A bench.yaml with a folder of baselines on the
// host needs none.
func (controller *Controller) carry(ctx context.Context, plan *Plan) ([]harness.Baseline, error) {
	file := controller.Settings.File
	if file == nil || max(plan.Tier, controller.Settings.Tier) == 0 || file.GitHub.Baselines != "" ||
		file.Nightly.History.Branch == "" {
		return nil, nil
	}
	kept, err := controller.Client.ReadFile(ctx, file.Nightly.History.Branch, BaselinesFile)
	if err != nil {
		return nil, err
	}
	all, refused := harness.DecodeBaselines(kept.Content)
	if len(refused) > 0 {
		plan.Notes = append(plan.Notes,
			fmt.Sprintf("%d baselines of nights are not used: %s %s.", len(refused), BaselinesFile, clip(refused[0], 120)))
	}
	names := plan.Workloads
	if len(names) == 0 {
		for _, workload := range file.DefaultWorkloads() {
			names = append(names, workload.Name)
		}
	}
	var list []harness.Baseline
	for _, b := range all {
		if slices.Contains(names, b.Workload) && b.Fits(plan.Created) {
			list = append(list, b)
		}
	}
	harness.SortBaselines(list)
	list = list[:min(len(list), maxCarried)]
	for _, b := range list {
		plan.Baselines = append(plan.Baselines, b.SHA256)
	}
	return list, nil
}

// Carried reads the baselines that lie beside a plan: exactly those that it names.
func (plan *Plan) Carried(data []byte) ([]harness.Baseline, error) {
	list, refused := harness.DecodeBaselines(data)
	if len(refused) > 0 {
		return nil, fmt.Errorf("the baselines beside the plan: %s", refused[0])
	}
	var digests []string
	for _, b := range list {
		digests = append(digests, b.SHA256)
	}
	if !slices.Equal(digests, plan.Baselines) {
		return nil, fmt.Errorf("the %d baselines beside the plan are not the %d that it names", len(digests),
			len(plan.Baselines))
	}
	return list, nil
}

// checkCarried refuses a first tier that was decided by a baseline that the plan does not name, where it names any.
func (plan *Plan) checkCarried(report *harness.Report) error {
	if len(plan.Baselines) == 0 {
		return nil
	}
	for i := range report.Workloads {
		tier := report.Workloads[i].Tier
		if tier != nil && tier.Baseline != nil && !slices.Contains(plan.Baselines, tier.Baseline.SHA256) {
			return fmt.Errorf("a first tier was decided by a baseline that the plan does not name, %.16s",
				clip(tier.Baseline.SHA256, 16))
		}
	}
	return nil
}
