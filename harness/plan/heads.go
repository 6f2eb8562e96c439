package plan

import (
	"context"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/revision"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// several reports whether more than one head is compared with base.
func (o Options) several() bool {
	return len(o.Heads) > 0 || o.Commands != nil && len(o.Commands.Further) > 0
}

// of returns the command of an arm.
func (c *Commands) of(arm schedule.Arm) Command {
	switch n := arm.Number(); n {
	case 0:
		return c.Base
	case 1:
		return c.Head
	default:
		return c.Further[n-2]
	}
}

// resolveHeads pins the heads after the first.
func (d *Decision) resolveHeads(ctx context.Context, repository *revision.Repository, options Options) error {
	if !options.several() {
		return nil
	}
	for _, ref := range options.Heads {
		r, err := repository.Pin(ctx, ref)
		if err != nil {
			return failure.Usage("%w", err)
		}
		d.Further = append(d.Further, newRevision(r, options.HeadEnv))
		d.Range += " " + ref
	}
	return d.checkHeads(options)
}

// checkHeads refuses settings that several heads do not support. All heads must be different programs with different
// names.
func (d *Decision) checkHeads(options Options) error {
	if !options.several() {
		return nil
	}
	heads := d.AllHeads()
	if len(heads) > stats.MostHeads {
		return failure.Usage("%d heads: at most %d can be compared with one base", len(heads), stats.MostHeads)
	}
	for i, head := range heads {
		same := func(r Revision) bool { return r.SHA == head.SHA }
		if at := slices.IndexFunc(heads, same); at < i {
			return failure.Usage("heads %s and %s are the same: name each once", heads[at].Label(), head.Label())
		}
		alike := func(r Revision) bool { return strings.EqualFold(r.Label(), head.Label()) }
		if at := slices.IndexFunc(heads, alike); at < i {
			return failure.Usage("heads %d and %d are both called %s: give each a name of its own", at+1, i+1, head.Label())
		}
	}
	for _, c := range []struct {
		asked bool
		why   string
	}{
		{options.Dirty, "--dirty measures the work tree as the only head: commit it, and name the commit"},
		{options.PreCheck == 1, "--precheck 1 compares one head with a baseline: leave it out"},
		{max(options.Analyses, 1) > 1 || options.Analyses == 0 && d.File.Plan.Analyses > 1,
			"several heads are judged once, at the end: set --analyses 1"},
		{options.OneWorkload, "the format shows only one head: choose another format, or one head"},
		{d.File.Metrics.Primary.Scale == config.PercentScale,
			"metrics.primary has the scale percent, which several heads do not support: choose log or difference"},
		{stats.SmallestHeadsP*float64(len(d.Workloads)) > d.File.Plan.Alpha,
			"plan.alpha is smaller than any p-value of the randomisation test over several heads: raise it, or compare one " +
				"head at a time"},
	} {
		if c.asked {
			return failure.Usage("%d heads: %s", len(heads), c.why)
		}
	}
	return nil
}
