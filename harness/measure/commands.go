package measure

import (
	"fmt"

	"github.com/chiasmus/chiasmus/harness/build"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// inPlace returns results for commands that are run as they are, without a build.
func (r *run) inPlace() map[schedule.Arm][]*build.Result {
	one := func() []*build.Result { return []*build.Result{build.InPlace(r.decision.Directory)} }
	built := map[schedule.Arm][]*build.Result{}
	for _, arm := range r.decision.Arms() {
		built[arm] = one()
	}
	return built
}

// checkCommands hashes the files of all commands again. A changed program is an error. A changed file that an argument
// names is only a warning: it may be the command's output.
func (r *run) checkCommands() error {
	d := r.decision
	for _, arm := range d.Arms() {
		for i, before := range d.Arm(arm).Artifacts {
			now, err := plan.HashProgram(d.Directory, before.Name)
			switch {
			case err == nil && now == before:
			case i == 0:
				return r.artifactsFailed(arm, fmt.Errorf("the program %s was changed or removed since the run began",
					before.Name))
			default:
				if err := r.warnOnce(warnWorktree, fmt.Sprintf("%s, which the command line of %s names, changed while it was "+
					"measured", before.Name, arm)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
