package plan

import (
	"github.com/chiasmus/chiasmus/stats"
)

// FirstWarmups returns the least number of warm-up proofs of each arm at its first start: enough to detect a drift. If
// drift is not checked, it is plan.warmup, as at every later start.
func (p Plan) FirstWarmups() int {
	if p.Settle == 0 {
		return p.Warmup
	}
	return max(p.Warmup, stats.DriftWindow)
}

// PlanOf returns the plan of a workload. Drift is checked only if both sessions stay open: a session that ends at every
// change of arm, and a process that makes one proof, are equally warm every time.
func (d *Decision) PlanOf(workload string) Plan {
	plan := d.Plan
	if d.OneSession(workload) || !d.Workload(workload).IsSession() || plan.Warmup == 0 {
		plan.Settle = 0
	}
	return plan
}
