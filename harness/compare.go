package harness

import (
	"context"
	"strings"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/revision"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// Compare measures base against head. The report is nil only if no run was started; with an error it is partial. See
// ExitCode for the errors.
func Compare(ctx context.Context, options Options) (*report.Report, error) {
	r, err := compare(ctx, options)
	if !options.Isolate || !options.OrOpen || r == nil || !r.Failure.OfBuild(schedule.Base) {
		return r, err
	}
	cause, _, _ := strings.Cut(r.Failure.Cause, measure.IsolatedHint)
	options.Isolate, options.Open = false, "base does not build isolated: "+cause
	options.Tell(measure.Notice{Text: "isolation: base does not build isolated, so both revisions are built and " +
		"measured without: " + cause})
	return compare(ctx, options)
}

// Resume continues an interrupted run from its journal: see [measure.Resume].
func Resume(ctx context.Context, dir journal.Directory, controls Controls) (*Report, error) {
	return measure.Resume(ctx, dir, controls)
}

// Join joins the reports of several hosts into one: see [report.Join].
func Join(file *config.File, hosts []HostReport, options JoinOptions) (*Report, error) {
	return report.Join(file, hosts, options)
}

// ExitCode returns the exit code for the results of Compare, Resume or Join. If several codes apply, the first of 130,
// 2, 3, 4, 1, 0 counts.
func ExitCode(r *Report, err error) int { return report.ExitCode(r, err) }

func compare(ctx context.Context, options Options) (*report.Report, error) {
	repository, decision, err := decideProbed(ctx, options)
	if err != nil {
		return nil, plan.StoppedOr(ctx, err)
	}
	if repository != nil {
		if err := decision.PlaceBuilds(options.Builds, repository.Dir()); err != nil {
			return nil, err
		}
	}
	return measure.Begin(ctx, repository, decision, options.Controls)
}

// decideProbed makes the decision. If the number of pairs of commands is open, it times the commands.
func decideProbed(ctx context.Context, options Options) (*revision.Repository, *plan.Decision, error) {
	choices := options.Choices
	choices.Caller = options.Controls.Caller()
	repository, decision, err := plan.Decide(ctx, choices)
	if err != nil || choices.Commands == nil || choices.Pairs != 0 {
		return repository, decision, err
	}
	seconds, benchmarks, err := measure.Probe(ctx, decision)
	if err != nil {
		return nil, nil, err
	}
	return nil, decision, decision.Probed(choices, seconds, benchmarks)
}
