package measure

import (
	"fmt"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// warnUncounted is the kind of warning about a run without cgroups.
const warnUncounted = "uncounted"

// delegation says how to get the missing cgroup.
const delegation = "a service gets one by Delegate=yes in its unit (`harness github runner --unit` prints one), a " +
	"desk by `systemd-run --user --scope -p Delegate=yes harness ...`"

// counted warns, on a host without a cgroup, that the work of waiting sessions is not fully visible. For a pull request
// it returns an error: a head that works after its replies, in orphaned processes, would be called faster.
func (r *run) counted() error {
	uncounted := group.Uncounted
	if r.controls.uncounted != nil {
		uncounted = r.controls.uncounted
	}
	why := uncounted()
	if why == "" {
		return nil
	}
	if r.decision.PullRequest {
		err := fmt.Errorf("nothing is measured for a pull request here, because %s: work of processes that nobody waits "+
			"for would not be seen; %s", why, delegation)
		return &failure.Error{Failure: failure.Failure{Step: failure.StepEnvironment, Cause: err.Error()}, Err: err}
	}
	return r.warnOnce(warnUncounted, fmt.Sprintf("%s, so work that a waiting session does in "+
		"processes that nobody waits for is not seen; %s", why, delegation))
}
