package plan

import (
	"slices"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/journal"
)

// mostAutoBuilds is the number of builds of either arm that `plan.builds: auto` draws, or as many as there are blocks
// where those are fewer.
const mostAutoBuilds = 8

// AutoBuilds is the number of builds that `plan.builds: auto` may draw for a plan of so many workloads, 1 where it
// cannot: builds would then be too few for the tests to count them, or the plan says otherwise how processes are drawn.
func (p Plan) AutoBuilds(workloads int) int {
	p.Builds = min(mostAutoBuilds, p.Pairs/2)
	if p.Launches != 0 || p.Warmup == 0 || p.Tier != 0 || p.Resident == string(config.ResidentOne) || !p.can(workloads) {
		return 1
	}
	return p.Builds
}

// chooseBuilds fixes the number of builds where the plan leaves it open: several where a layout can be drawn and making
// them takes no longer than measuring did, by the last run here that tells. It says why there is only one.
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
		return "build.layout says of no toolchain how to draw one"
	case drawn == 1:
		return "the rest of the plan leaves no room for several builds"
	case measuring == 0:
		return "no earlier run here tells how long a build takes"
	case float64(drawn)*building > measuring:
		return "building several times takes longer than measuring"
	}
	d.Plan.Builds = drawn
	return ""
}

// lastTimes returns the seconds that one build of both arms took, and those that measuring these workloads took, in the
// last complete run of this folder that measured all of them; both are 0 where there is none.
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
