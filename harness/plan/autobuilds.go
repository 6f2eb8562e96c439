package plan

import (
	"slices"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/journal"
)

// mostAutoBuilds is the number of builds of each arm that `plan.builds: auto` makes, unless there are fewer blocks.
const mostAutoBuilds = 8

// AutoBuilds returns the number of builds that `plan.builds: auto` makes for a plan of n workloads. It returns 1 if
// several builds are impossible: the tests would have too few sampling units, or the plan fixes how processes are
// started.
func (p Plan) AutoBuilds(workloads int) int {
	p.Builds = min(mostAutoBuilds, p.Pairs/2)
	if p.Processes != 0 || p.Warmup == 0 || p.PreCheck != 0 || p.Resident == string(config.ResidentOne) ||
		!p.can(workloads) {
		return 1
	}
	return p.Builds
}

// chooseBuilds fixes the number of builds if the plan leaves it open. It chooses several if the layout can be
// randomized and if, by the times of the last run here, making them takes no longer than measuring. It returns the
// reason for a single build, or "" for several.
func (d *Decision) chooseBuilds() string {
	if d.Plan.Builds != 0 {
		if d.Plan.Builds == 1 {
			return "plan.builds is 1"
		}
		return ""
	}
	d.Plan.Builds = 1
	drawn := d.Plan.AutoBuilds(len(d.Workloads))
	building, measuring := d.lastTimes()
	switch {
	case len(d.File.Build.Layout.Env)+len(d.File.Build.Layout.Args) == 0:
		return "build.layout is not set"
	case drawn == 1:
		return "the rest of the plan leaves no room for several builds"
	case measuring == 0:
		return "no earlier run here shows how long a build takes"
	case float64(drawn)*building > measuring:
		return "building several times takes longer than measuring"
	}
	d.Plan.Builds = drawn
	return ""
}

// lastTimes returns the seconds of one build of both arms and of measuring these workloads, from the last complete run
// in this folder that measured all of them. Both are 0 if there is none.
func (d *Decision) lastTimes() (building, measuring float64) {
	runs, err := journal.List(journal.RunsFolder(d.Directory))
	if err != nil {
		return 0, 0
	}
	for _, dir := range slices.Backward(runs) {
		r, err := readEarlier(dir)
		if err != nil || !r.Complete {
			continue
		}
		measuring, found := 0.0, 0
		for _, w := range r.Workloads {
			if slices.Contains(d.Workloads, w.Name) {
				measuring += w.Seconds
				found++
			}
		}
		if found == len(d.Workloads) && r.Building > 0 {
			return r.Building, measuring
		}
	}
	return 0, 0
}
