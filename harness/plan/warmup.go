package plan

import (
	"github.com/chiasmus/chiasmus/stats"
)

// FirstWarmups is how many warm-up proofs either arm makes at its first start at least: enough to look for a drift.
// Where none is looked for it is plan.warmup, as at every other start.
func (p Plan) FirstWarmups() int {
	if p.Settle == 0 {
		return p.Warmup
	}
	return max(p.Warmup, stats.DriftWindow)
}

// PlanOf is the plan of a workload. Drift is looked for where both sessions stay: a session that ends at every turn,
// and a process that makes one proof, are warm or cold alike every time.
func (d *Decision) PlanOf(workload string) Plan {
	plan := d.Plan
	if d.Alone(workload) || !d.Workload(workload).IsSession() || plan.Warmup == 0 {
		plan.Settle = 0
	}
	return plan
}
