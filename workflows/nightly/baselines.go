package nightly

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/workflows"
	"github.com/chiasmus/chiasmus/workflows/api"
)

// maxBaselines is the maximum total size of the baselines on a branch, enough for hundreds of nights of a workload.
const maxBaselines = 1 << 20

// Of filters list to the baselines of the plan's workloads and revisions.
func (plan *Plan) Of(list []baseline.Baseline) []baseline.Baseline {
	return slices.DeleteFunc(list, func(b baseline.Baseline) bool { return plan.checkBaseline(&b) != nil })
}

func (plan *Plan) checkBaseline(b *baseline.Baseline) error {
	if err := b.Check(); err != nil {
		return err
	}
	for _, one := range plan.expected() {
		if one.Workload == b.Workload && (one.Base == b.Revision || one.Head == b.Revision) {
			return nil
		}
	}
	return fmt.Errorf("the baseline of run %s measured %.7s on the workload %q, which is not in the night's plan", b.Run,
		b.Revision, b.Workload)
}

// checkBaselines validates the baselines from an executor: complete, unique, and of the plan's revisions.
func (plan *Plan) checkBaselines(list []baseline.Baseline) error {
	seen := map[[2]string]bool{}
	for i := range list {
		b := &list[i]
		if err := plan.checkBaseline(b); err != nil {
			return err
		}
		key := [2]string{b.Workload, b.Build}
		if seen[key] {
			return fmt.Errorf("two baselines of one build on the workload %q", b.Workload)
		}
		seen[key] = true
	}
	if most := 2 * len(plan.expected()); len(list) > most {
		return fmt.Errorf("%d baselines of one night, want at most %d", len(list), most)
	}
	return nil
}

// KeepBaselines adds baselines to the branch, for pre-checks of pull requests. It drops expired baselines, the oldest
// ones beyond maxBaselines bytes, and lines that this harness cannot read. It adds no duplicates.
func (store BranchStore) KeepBaselines(ctx context.Context, list []baseline.Baseline, message string,
	now time.Time) error {
	if len(list) == 0 {
		return nil
	}
	for attempt := 0; ; attempt++ {
		file, err := store.Client.ReadFile(ctx, store.Branch, workflows.BaselinesFile)
		if err != nil {
			return err
		}
		existing, _ := baseline.Decode(file.Content)
		data, err := keptBaselines(append(existing, list...), now)
		if err != nil || bytes.Equal(data, file.Content) {
			return err
		}
		file.Content = data
		err = store.Client.WriteFile(ctx, store.Branch, workflows.BaselinesFile, message, file)
		if !errors.Is(err, api.ErrConflict) || attempt == 4 {
			return err
		}
	}
}

// keptBaselines returns the lines of a branch's baselines, newest first.
func keptBaselines(list []baseline.Baseline, now time.Time) ([]byte, error) {
	baseline.Sort(list)
	var data []byte
	last := ""
	for i := range list {
		if list[i].SHA256 == last || !list[i].Fits(now) {
			continue
		}
		last = list[i].SHA256
		line, err := baseline.Encode(list[i : i+1])
		if err != nil {
			return nil, err
		}
		if len(data)+len(line) > maxBaselines {
			break
		}
		data = append(data, line...)
	}
	return data, nil
}
