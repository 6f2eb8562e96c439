package workflows

import (
	"fmt"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
)

// checkAsked checks that a report was planned as the comment and the trusted bench.yaml specify, and that a complete
// report covers exactly the requested workloads.
func checkAsked(report *harness.Report, plan *Plan, trusted *config.File) error {
	if trusted == nil {
		return errNoRules
	}
	pairs, analyses := trusted.Plan.Pairs, trusted.Plan.Analyses
	if plan.Pairs != 0 {
		pairs = plan.Pairs
	}
	if plan.Analyses != 0 {
		analyses = plan.Analyses
	}
	if err := plan.checkCarried(report); err != nil {
		return err
	}
	switch was := report.Plan; {
	case was.Pairs != pairs:
		return fmt.Errorf("it was planned with %d pairs, %d were requested", was.Pairs, pairs)
	case was.Analyses != analyses:
		return fmt.Errorf("it was planned with %d analyses, %d were requested", was.Analyses, analyses)
	case was.PreCheck != max(plan.PreCheck, trusted.Plan.PreCheck):
		return fmt.Errorf("it was planned with precheck %d, %d was requested", was.PreCheck, max(plan.PreCheck,
			trusted.Plan.PreCheck))
	case was.Alpha != trusted.Plan.Alpha:
		return fmt.Errorf("it was planned with alpha %g, bench.yaml says %g", was.Alpha, trusted.Plan.Alpha)
	case was.Processes != trusted.Plan.Processes || !mayDraw(report, trusted):
		builds := "auto"
		if trusted.Plan.Builds > 0 {
			builds = fmt.Sprint(trusted.Plan.Builds)
		}
		return fmt.Errorf("it was planned with processes %d and builds %d, bench.yaml says %d and %s", was.Processes,
			was.Builds, trusted.Plan.Processes, builds)
	case was.Equivalence != trusted.Plan.Equivalence:
		return fmt.Errorf("it was planned with a margin of %g, bench.yaml says %g", was.Equivalence, trusted.Plan.Equivalence)
	}
	if err := checkDesign(&report.Plan, &trusted.Plan); err != nil {
		return err
	}
	if err := checkTime(report, plan); err != nil {
		return err
	}
	if report.State != harness.Complete {
		return nil
	}
	return checkNames(report, plan, trusted)
}

// checkMeasured checks the schedule and the cross-check of a complete report of a pull request, whose pairs are known
// to match the plan.
func checkMeasured(report *harness.Report, trusted *config.File) error {
	if report.State != harness.Complete {
		return nil
	}
	for i := range report.Workloads {
		workload := &report.Workloads[i]
		err := checkSchedule(report, workload)
		if err == nil {
			err = checkAccepted(workload, trusted, true)
		}
		if err != nil {
			return fmt.Errorf("workload %q: %w", clip(workload.Name, 64), err)
		}
	}
	return nil
}

// checkDesign checks the parts of a plan that a comment cannot change.
func checkDesign(was *harness.Plan, is *config.Plan) error {
	switch {
	case was.Design != string(is.Design):
		return fmt.Errorf("it was planned with the design %q, bench.yaml says %q", clip(was.Design, 20), is.Design)
	case was.Warmup != is.Warmup || was.Settle != is.Settle:
		return fmt.Errorf("it was planned with warmup %d and settle %d, bench.yaml says %d and %d", was.Warmup, was.Settle,
			is.Warmup, is.Settle)
	case was.Resident != string(is.Resident):
		return fmt.Errorf("it was planned with resident %q, bench.yaml says %q", clip(was.Resident, 20), is.Resident)
	case was.CooldownSeconds != is.Cooldown.Seconds():
		return fmt.Errorf("it was planned with a cooldown of %g s, bench.yaml says %g s", was.CooldownSeconds,
			is.Cooldown.Seconds())
	case !was.SeedDrawn || was.Seed == 0:
		return fmt.Errorf("it was planned with the seed %d, seed_drawn %v: an executor draws its seed", was.Seed,
			was.SeedDrawn)
	}
	return nil
}

// checkTime checks that a run took no longer than its plan allows, because the report shows its cost.
func checkTime(report *harness.Report, plan *Plan) error {
	most, err := time.ParseDuration(plan.Deadline)
	if err != nil {
		return fmt.Errorf("the plan's deadline: %w", err)
	}
	if took := report.Run.Finished.Sub(report.Run.Started); took < 0 || took > most {
		return fmt.Errorf("its run took %s, want 0 to %s", took, most)
	}
	return nil
}

// checkNames checks that a complete report covers the requested workloads, each once.
func checkNames(report *harness.Report, plan *Plan, trusted *config.File) error {
	var names []string
	seen := map[string]bool{}
	for i := range report.Workloads {
		one := &report.Workloads[i]
		switch {
		case seen[one.Name]:
			return fmt.Errorf("it has two workloads %q", clip(one.Name, 64))
		case one.Suite == "" || !slices.Contains(names, one.Suite): // a suite has several
			names = append(names, configured(one))
		}
		seen[one.Name] = true
	}
	want := slices.Clone(plan.Workloads)
	if len(want) == 0 {
		for _, one := range trusted.DefaultWorkloads() {
			want = append(want, one.Name)
		}
	}
	slices.Sort(names)
	slices.Sort(want)
	if !slices.Equal(names, want) {
		return fmt.Errorf("its workloads are not the requested ones")
	}
	return nil
}

// mayDraw reports whether a report has the number of builds that bench.yaml gives, or that auto allows.
func mayDraw(report *harness.Report, trusted *config.File) bool {
	was := max(1, report.Plan.Builds)
	if trusted.Plan.Builds == 0 {
		layout := trusted.Build.Layout
		return was == 1 || len(layout.Env)+len(layout.Args) > 0 && was == report.Plan.AutoBuilds(len(report.Workloads))
	}
	return was == trusted.Plan.Builds
}
