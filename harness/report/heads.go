package report

import (
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/harness/adapter"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// The report of a run with several heads has a Workload for each workload and head, as in a run of base and that head
// alone. The heads of one workload are judged together: see [stats.CompareHeads].

// assembleHeads describes a workload once for each head. All heads are judged by one clock: if the prover's clock does
// not decide for one head, it decides for none.
func assembleHeads(d *plan.Decision, r *Report, name string, p *record.Progress, ended, analyze bool) ([]Workload,
	error) {
	for _, w := range p.Warnings { // they name arms of the run
		r.Warnings = append(r.Warnings, plan.Warning{Kind: w.Kind, Text: name + ": " + w.Text})
	}
	var views []*record.Progress
	var clocks []*Clock
	for _, head := range d.Heads() {
		views = append(views, p.Against(head))
		clocks = append(clocks, clockOf(d, views[len(views)-1]))
	}
	apart := slices.IndexFunc(clocks, (*Clock).Disagrees)
	labels := headLabels(d.AllHeads())
	var all []Workload
	for i, view := range views {
		clock := clocks[i]
		if apart >= 0 {
			clock = clocks[apart]
		}
		list, err := assembleOne(d, r, name, view, clock, ended, analyze)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", schedule.HeadArm(i+1), err)
		}
		for _, w := range list {
			w.Of, w.HeadNumber = w.Name, i+1
			if w.ProofsPlanned, err = plannedOf(d, name, p, schedule.HeadArm(i+1)); err != nil {
				return nil, err
			}
			w.Name += "." + labels[i]
			all = append(all, w)
		}
	}
	return byWorkload(all), nil
}

// plannedOf counts the planned proofs of base and one head.
func plannedOf(d *plan.Decision, name string, p *record.Progress, head schedule.Arm) (int, error) {
	order, err := d.Schedule()
	if err != nil {
		return 0, err
	}
	processes := 0
	if p.Processes != nil {
		processes = *p.Processes
	}
	warm, warmups := p.Settling(d.PlanOf(name))
	planned := plan.PlannedByArm(order.WithReplicates(processes, d.Plan.Builds), warm, warmups, d.OneSession(name))
	return planned[schedule.Base] + planned[head], nil
}

// byWorkload puts the heads of each workload next to each other. In a suite, a head has many workloads.
func byWorkload(list []Workload) []Workload {
	first := map[string]int{}
	for i, w := range list {
		if _, known := first[w.Of]; !known {
			first[w.Of] = i
		}
	}
	slices.SortStableFunc(list, func(a, b Workload) int { return first[a.Of] - first[b.Of] })
	return list
}

// headLabels returns short, distinct names of heads that are valid in the name of a folder.
func headLabels(heads []plan.Revision) []string {
	var names []string
	for _, head := range heads {
		names = append(names, head.Label())
	}
	folders := adapter.FolderNames(names)
	for i, name := range names {
		names[i] = folders[name]
	}
	return names
}

// HeadOf returns the head of a workload of the report.
func (r *Report) HeadOf(w *Workload) plan.Revision {
	if w.HeadNumber > 0 && w.HeadNumber <= len(r.Heads) {
		return r.Heads[w.HeadNumber-1]
	}
	return r.Head
}

// EachHead returns a report for each head, as in a run of base and that head alone, but with the verdicts of the whole
// run. For a run with one head it returns the report itself.
func (r *Report) EachHead() []*Report {
	if len(r.Heads) == 0 {
		return []*Report{r}
	}
	var list []*Report
	for i, head := range r.Heads {
		one := *r
		one.Head, one.Heads, one.Workloads = head, nil, []Workload{}
		for _, w := range r.Workloads {
			if w.HeadNumber == i+1 {
				w.Name, w.Of, w.HeadNumber = w.Of, "", 0
				one.Workloads = append(one.Workloads, w)
			}
		}
		list = append(list, &one)
	}
	return list
}

// judgeHeads adjusts the verdicts of a run with several heads: first over the heads of each workload, then over
// workloads.
func judgeHeads(plan plan.Plan, workloads []Workload) error {
	var groups [][]int
	place := map[string]int{}
	for i, w := range workloads {
		at, known := place[w.Of]
		if !known {
			at = len(groups)
			place[w.Of] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], i)
	}
	p := make([][]stats.Number, len(groups))
	for g, group := range groups {
		var list []stats.Measured
		for _, i := range group {
			w := &workloads[i]
			list = append(list, stats.Measured{Result: w.Stats, Pairs: evidence.StatsPairs(w.Pairs)})
		}
		judged, err := stats.CompareHeads(list, plan.WholeAlpha())
		if err != nil {
			return fmt.Errorf("%s: %w", workloads[group[0]].Of, err)
		}
		for k, i := range group {
			workloads[i].Family = &Family{Workloads: len(groups), Heads: len(group), OfHead: &judged[k]}
			p[g] = append(p[g], min(1, orOne(judged[k].P)))
		}
	}
	for g, adjusted := range stats.HolmOfGroups(p) {
		for k, i := range groups[g] {
			f := workloads[i].Family
			f.P, f.Upheld = adjusted[k], adjusted[k].Float() <= plan.WholeAlpha()
		}
	}
	return nil
}

// orOne returns a p-value, or 1 if there is none.
func orOne(p stats.Number) stats.Number {
	if !p.Exists() {
		return 1
	}
	return p
}
