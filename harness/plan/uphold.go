package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/stats"
)

// Upholds returns an error for a plan that cannot find a change in any of n workloads, however large: with few sampling
// units, the smallest p-value of the sign-flip test stays above alpha after the adjustment for the number of workloads.
// Such a run would always exit with 0. The error names sufficient changes to the plan.
func (p Plan) Upholds(workloads int) error {
	counts, err := p.MayDraw()
	if err != nil {
		return err
	}
	least := stats.Number(0)
	for _, processes := range counts {
		design, err := p.Sequence(processes)
		if err != nil {
			return err
		}
		if !design.Upholds(workloads) {
			least = max(least, design.SmallestP()*stats.Number(workloads))
		}
	}
	if least == 0 {
		return nil
	}
	return fmt.Errorf("%s with %s cannot uphold a change in any of %s: however large it is, its p-value, adjusted for "+
		"the number of workloads (Holm), is %.3g at best, above alpha %g: %s", plural.Of(p.Pairs, "pair"),
		analyses(p.Analyses), plural.Of(workloads, "workload"), float64(min(1, least)), p.WholeAlpha(),
		strings.Join(p.remedies(workloads), ", or "))
}

// analyses counts the analyses of a run, the last one included.
func analyses(n int) string {
	if n == 1 {
		return "1 analysis"
	}
	return fmt.Sprintf("%d analyses", n)
}

// can reports whether Upholds accepts the plan.
func (p Plan) can(workloads int) bool {
	counts, err := p.MayDraw()
	return err == nil && !slices.ContainsFunc(counts, func(processes int) bool {
		design, err := p.Sequence(processes)
		return err != nil || !design.Upholds(workloads)
	})
}

// mostSearched bounds the search for a sufficient plan, as a multiple of the planned count.
const mostSearched = 8

// remedies returns the smallest sufficient changes to the plan.
func (p Plan) remedies(workloads int) []string {
	var list []string
	// The sampling unit: builds if several are planned, else processes if their number is, else blocks.
	name, count, step, with := "pairs", p.Pairs, 2, func(n int) Plan { q := p; q.Pairs = n; return q }
	switch {
	case p.BuildCount() > 1:
		name, count, step = "builds", p.BuildCount(), 1
		with = func(n int) Plan { return p.drawing(max(n, p.Processes*n/p.BuildCount()), n) }
	case p.Processes > 1:
		name, count, step = "processes", p.Processes, 1
		with = func(n int) Plan { return p.drawing(n, p.Builds) }
	}
	for n := count + step; n <= mostSearched*count; n += step {
		if q := with(n); q.can(workloads) {
			text := fmt.Sprintf("%s: %d", name, n)
			if q.Pairs != p.Pairs && name != "pairs" {
				text += fmt.Sprintf(" with pairs: %d", q.Pairs)
			}
			list = append(list, "take "+text)
			break
		}
	}
	for looks := p.Analyses - 1; looks >= 1; looks-- {
		q := p
		if q.Analyses = looks; q.can(workloads) {
			list = append(list, fmt.Sprintf("analyses: %d", looks))
			break
		}
	}
	for fewer := workloads - 1; fewer >= 1; fewer-- {
		if p.can(fewer) {
			list = append(list, fmt.Sprintf("at most %s", plural.Of(fewer, "workload")))
			break
		}
	}
	if len(list) == 0 {
		return []string{"take more pairs and fewer interim analyses"}
	}
	return list
}

// drawing returns the plan with the given number of processes and builds of each arm, and enough blocks for them.
func (p Plan) drawing(processes, builds int) Plan {
	if p.Processes > 0 {
		p.Processes = processes
	}
	p.Builds, p.Pairs = builds, max(p.Pairs, 2*max(processes, builds))
	return p
}

// MayDraw lists the possible numbers of processes of each arm; 0 means that processes are not randomized.
func (p Plan) MayDraw() ([]int, error) {
	if p.Processes > 0 {
		return []int{p.Processes}, nil
	}
	fresh, err := p.Fresh()
	if err != nil {
		return nil, err
	}
	if p.BuildCount() > 1 {
		return []int{p.BuildCount(), fresh}, nil
	}
	return []int{0, 1, fresh}, nil
}
