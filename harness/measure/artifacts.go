package measure

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/build"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// warnWorktree is the kind of warning about a build that gained files while it was measured.
const warnWorktree = "worktree"

// checkBuilds hashes the worktrees of all arms again. It runs before each workload and after the last: in between,
// programs of the other arms ran, and without isolation they can write wherever the user can.
func (r *run) checkBuilds(ctx context.Context, built map[schedule.Arm][]*build.Result) error {
	if r.decision.OfCommands() {
		return r.checkCommands()
	}
	for _, arm := range r.decision.Arms() {
		for _, result := range built[arm] {
			err := result.Check(ctx)
			var added *build.AddedError
			switch {
			case err == nil:
			case ctx.Err() != nil:
				return failure.ErrInterrupted
			case errors.As(err, &added):
				if err := r.warnOnce(warnWorktree, fmt.Sprintf("files appeared in the build of %s while it was measured, "+
					"and programs may read them: %v", arm, added)); err != nil {
					return err
				}
			default:
				return r.artifactsFailed(arm, fmt.Errorf("the build of %s was changed after it was made: %w", arm, err))
			}
		}
	}
	return nil
}

// checkReplaced ends a resumed run whose build had to be replaced. An equal hash of the new build proves nothing about
// the build that made the earlier proofs.
func (r *run) checkReplaced(arm schedule.Arm, result *build.Result) error {
	if result.Replaced == "" || r.history.Proofs == 0 {
		return nil
	}
	return r.artifactsFailed(arm,
		fmt.Errorf("the build of %s was changed since the run began, and proofs were made in between: %s", arm,
			result.Replaced))
}

func (r *run) artifactsFailed(arm schedule.Arm, err error) error {
	return &failure.Error{Failure: failure.Failure{Step: failure.StepArtifacts, Arm: arm, SHA: r.decision.Arm(arm).SHA,
		Cause: err.Error()}, Err: err}
}

// sameArtifacts refuses a run whose builds differ from those measured before.
func (r *run) sameArtifacts(arm schedule.Arm, before, now []plan.Artifact) error {
	if len(before) == 0 || slices.Equal(before, now) {
		return nil
	}
	var changed []string
	for i, a := range before {
		if i >= len(now) || a != now[i] {
			changed = append(changed, a.Name)
		}
	}
	return r.refuse("after a rebuild, %s of %s differs from the measured artifact (the build is not reproducible, or its "+
		"tools changed)",
		strings.Join(changed, ", "), arm)
}
