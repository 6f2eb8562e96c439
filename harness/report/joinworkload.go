package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/stats"
)

// joinWorkload joins the measurements of one workload on all hosts, and judges it if the report is complete.
func joinWorkload(d *plan.Decision, r *Report, hosts []HostReport, name string) (*Workload, error) {
	joined := &Workload{
		Name:      name,
		Metric:    metrics.Of(d.File.Metrics.Primary),
		Unbound:   d.Workload(name).Verifies() && !d.Workload(name).BindsStatement(),
		Secondary: []Secondary{},
		Exact:     []Exact{},
		Pairs:     []evidence.Pair{},
		Drops:     []evidence.Drop{},
		Samples:   evidence.Samples{},
		Warnings:  []plan.Warning{},
	}
	whole := true // the samples of every host are present
	for number, h := range hosts {
		own := h.workload(name)
		if own == nil && r.State == Complete {
			return nil, fmt.Errorf("host %s has not measured it", h.Name)
		} else if own == nil {
			continue
		}
		if r.State == Complete {
			judged := *own
			judged.Pairs = slices.Clone(own.Pairs)
			if err := Judge(d.File, h.Report.Plan, len(d.Workloads), &judged); err != nil {
				return nil, fmt.Errorf("host %s: %w", h.Name, err)
			}
			own = &judged
			joined.Clock = joined.Clock.join(own.Clock)
		}
		if err := joined.take(own, h.Name, number+1, d.Plan); err != nil {
			return nil, err
		}
		whole = whole && len(own.Samples) > 0
	}
	if !whole {
		joined.Samples = evidence.Samples{}
	}
	joined.Counters = counters(joined.Samples, d.Workload(name))
	if r.State != Complete {
		return joined, nil
	}
	if err := joined.rename(joined.Clock.By(d.File.Metrics.Primary).Name); err != nil {
		return nil, err
	}
	if !whole {
		var err error
		joined.Stats, _, err = judgePrimary(d, joined)
		if err != nil {
			return nil, err
		}
	} else if err := analyzePairs(d, joined); err != nil {
		return nil, err
	}
	return joined, compareHosts(d, joined, hosts)
}

// join adds the clocks of another host. If the harness's clock decides on one host, it decides on all. Both may be nil.
func (c *Clock) join(other *Clock) *Clock {
	if c == nil || other == nil {
		return cmp.Or(c, other)
	}
	all := *c
	all.BaseApart, all.HeadApart = max(c.BaseApart, other.BaseApart), max(c.HeadApart, other.HeadApart)
	if other.Disagrees() {
		all.Used = other.Used
	}
	return &all
}

// rename judges a workload by another metric than some of its pairs have; the values come from the samples.
func (w *Workload) rename(metric string) error {
	w.Metric.Name = metric
	for i := range w.Pairs {
		p := &w.Pairs[i]
		if len(w.Samples) == 0 {
			continue // its values belong to the metric in its host's report
		}
		a, inBase := w.Samples[p.Base].Metrics[metric]
		b, inHead := w.Samples[p.Head].Metrics[metric]
		if !inBase || !inHead {
			return fmt.Errorf("pair %d has no %s, which decides on another host", p.Number, metric)
		}
		p.A, p.B = a, b
	}
	return nil
}

// take adds the measurement of a host. Its pairs, blocks, processes and builds are renumbered.
func (w *Workload) take(own *Workload, host string, number int, common plan.Plan) error {
	if len(w.Pairs) == 0 {
		w.Mode, w.BaseSession, w.HeadSession, w.Inputs, w.Cross = own.Mode, own.BaseSession, own.HeadSession, own.Inputs,
			evidence.CrossCheck{Accepted: true}
	}
	switch {
	case own.BaseSession.Statement != w.BaseSession.Statement || own.HeadSession.Statement != w.HeadSession.Statement:
		return fmt.Errorf("host %s proved another statement (%.16s) than the first host (%.16s)", host,
			own.BaseSession.Statement, w.BaseSession.Statement)
	case !slices.Equal(own.Inputs, w.Inputs):
		return fmt.Errorf("host %s had other inputs than the first host", host)
	}
	before := number - 1
	for _, p := range own.Pairs {
		p.Host = number
		p.Number += before * common.Pairs
		p.Block += before * common.Pairs
		p.Process, p.Build = apartBy(p.Process, before*common.Pairs), apartBy(p.Build, before*common.Pairs)
		p.Base += len(w.Samples)
		p.Head += len(w.Samples)
		w.Pairs = append(w.Pairs, p)
	}
	for _, drop := range own.Drops {
		drop.Pair += before * common.Pairs
		drop.Block += before * common.Pairs
		w.Drops = append(w.Drops, drop)
	}
	w.Samples = append(w.Samples, own.Samples...)
	for _, warning := range own.Warnings {
		w.Warnings = append(w.Warnings, plan.Warning{Kind: warning.Kind, Text: host + ": " + warning.Text})
	}
	w.Verified.Base += own.Verified.Base
	w.Verified.Head += own.Verified.Head
	join(&w.Cross, own.Cross)
	w.Unbound = w.Unbound || own.Unbound
	w.Challenges = append(w.Challenges, own.Challenges...)
	w.Processes += own.Processes
	w.ProofsPlanned += own.ProofsPlanned
	w.ProofsMade += own.ProofsMade
	w.Seconds = max(w.Seconds, own.Seconds)
	return nil
}

// apartBy shifts a number unless it is 0, which means unknown.
func apartBy(number, by int) int {
	if number == 0 {
		return 0
	}
	return number + by
}

// join adds the results of base's verifier on another host.
func join(c *evidence.CrossCheck, other evidence.CrossCheck) {
	c.Done = c.Done || other.Done
	c.Accepted = c.Accepted && (other.Accepted || !other.Done)
	c.Proofs += other.Proofs
	c.Refused += other.Refused
	if other.Text != "" {
		c.Text = other.Text
	}
}

// compareHosts adds how well the hosts of a joined workload agree, and warns if they do not.
func compareHosts(d *plan.Decision, w *Workload, hosts []HostReport) error {
	options := d.StatsOptions(primary(d, w))
	options.Alpha = d.Plan.WholeAlpha()
	compared, err := stats.CompareHosts(evidence.StatsPairs(w.Pairs), options)
	if err != nil {
		return err
	}
	w.Hosts = &compared
	w.Stats.Warnings = append(w.Stats.Warnings,
		compared.Warnings(options.Alpha/float64(d.FamilySize()), func(number int) string { return hosts[number-1].Name })...)
	return nil
}

// judgeHosts computes the statistics of the primary metric over several hosts.
func judgeHosts(d *plan.Decision, w *Workload) (*stats.Result, error) {
	options := d.StatsOptions(primary(d, w))
	options.Alpha = d.Plan.WholeAlpha()
	result, err := stats.Analyze(evidence.StatsPairs(w.Pairs), options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Metric.Name, err)
	}
	return &result, nil
}
