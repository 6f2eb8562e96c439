package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/revision"
	"github.com/chiasmus/chiasmus/internal/words"
)

// Begin starts a run of a decision and executes it to its end.
func Begin(ctx context.Context, repository *revision.Repository, decision *plan.Decision,
	controls Controls) (*report.Report, error) {
	dir, err := journal.Create(journal.RunsFolder(decision.Directory), decision.Created, decision.Base.SHA,
		decision.Head.SHA)
	if err != nil {
		return nil, err
	}
	decision.ID = dir.ID()
	if err := errors.Join(ignoreFolder(decision.Directory), decision.Write(dir)); err != nil {
		return nil, err
	}
	r, err := openRun(repository, decision, dir, controls)
	if err != nil {
		return nil, err
	}
	r.announce()
	return r.finish(ctx, r.execute(ctx))
}

// announce reports the run's ID, its revisions, its plan and its warnings.
func (r *run) announce() {
	d := r.decision
	r.notify(Notice{Text: "run " + d.ID})
	if d.OfCommands() {
		r.notify(Notice{Text: "stored in " + string(r.dir)})
	}
	for _, arm := range d.Arms() {
		rev := d.Arm(arm)
		if d.OfCommands() {
			r.notify(Notice{Text: fmt.Sprintf("%s: %s", arm, rev.Subject)})
			continue
		}
		r.notify(Notice{Text: fmt.Sprintf("%s %s %s %s", arm, rev.SHA, rev.Ref, rev.Subject)})
	}
	if d.AA {
		r.notify(Notice{Text: "base and head are the same: this is an A/A run"})
	}
	drawn := ""
	if d.Plan.SeedDrawn {
		drawn = " (random)"
	}
	r.notify(Notice{Text: fmt.Sprintf("%d pairs of %s, seed %d%s", d.Plan.Pairs, words.And(d.Workloads), d.Plan.Seed,
		drawn)})
	for _, w := range d.Warnings {
		r.notify(Notice{Text: "warning: " + w.Text})
	}
}

// ignoreFolder makes git ignore the folder of the harness.
func ignoreFolder(directory string) error {
	path := filepath.Join(directory, journal.FolderName, ".gitignore")
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	return os.WriteFile(path, []byte("*\n"), 0o644)
}
