package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/plan"
)

// frame returns a joined report without its workloads.
func frame(taken, hosts []HostReport, options JoinOptions) *Report {
	first := taken[0].Report
	r := &Report{
		Schema:         Schema,
		State:          Complete,
		Base:           first.Base,
		Head:           first.Head,
		AA:             first.AA,
		NewProofFormat: first.NewProofFormat,
		Run: Run{
			Command:      options.Command,
			Version:      options.Version,
			Kind:         plan.KindCompare,
			ConfigSHA256: first.Run.ConfigSHA256,
		},
		Plan:        first.Plan,
		Workloads:   []Workload{},
		Warnings:    []plan.Warning{},
		Events:      []evidence.Event{},
		Environment: Environment{Differences: []EnvironmentDifference{}},
		Host:        first.Host,
	}
	r.Plan.Seed, r.Plan.SeedDrawn = 0, false
	r.Host.Name = fmt.Sprintf("%d hosts", len(taken))
	for _, h := range taken {
		r.Trust = cmp.Or(r.Trust, h.Report.Trust)
	}
	for _, h := range hosts {
		run := HostRun{
			Name:  h.Name,
			Run:   h.Report.Run.ID,
			State: h.Report.State,
			Host:  h.Report.Host,
			Seed:  h.Report.Plan.Seed,
		}
		run.LeftOut = !slices.ContainsFunc(taken, func(t HostReport) bool { return t.Name == h.Name })
		for i := range h.Report.Workloads {
			run.Pairs += len(h.Report.Workloads[i].Pairs)
		}
		r.Hosts = append(r.Hosts, run)
		if run.LeftOut {
			r.warnHosts("%s was left out (--without), %s, with %d pairs", h.Name, h.Report.State, run.Pairs)
		} else {
			r.add(h)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(options.Missing)) {
		if slices.Contains(options.Without, name) {
			r.warnHosts("%s left no result (%s) and was left out (--without)", name, options.Missing[name])
		} else {
			r.unfinished(fmt.Sprintf("%s left no result: %s", name, options.Missing[name]))
		}
	}
	if missing := options.Hosts - len(hosts) - len(options.Missing); missing > 0 {
		r.unfinished(fmt.Sprintf("%d of %d hosts left no result", missing, options.Hosts))
	}
	r.Run.ID = fmt.Sprintf("%s-%.7s-%.7s-%dhosts", r.Run.Started.UTC().Format("20060102T150405Z"), r.Base.SHA, r.Head.SHA,
		len(taken))
	return r
}

func (r *Report) warnHosts(format string, arguments ...any) {
	r.Warnings = append(r.Warnings, plan.Warning{Kind: warnHosts, Text: fmt.Sprintf(format, arguments...)})
}

// unfinished makes the report partial, unless it has failed.
func (r *Report) unfinished(why string) {
	r.warnHosts("%s: no verdict until its run is resumed, or the host is left out (--without)", why)
	if r.State == Complete {
		r.State = Partial
	}
}

// add adds a host's run to the frame.
func (r *Report) add(h HostReport) {
	own := h.Report
	if r.Run.Started.IsZero() || own.Run.Started.Before(r.Run.Started) {
		r.Run.Started = own.Run.Started
	}
	if own.Run.Finished.After(r.Run.Finished) {
		r.Run.Finished = own.Run.Finished
	}
	r.DifferentStatement = r.DifferentStatement || own.DifferentStatement
	switch {
	case own.State == Failed && own.Failure != nil && !own.Failure.Passing() && r.State != Failed:
		failure := *own.Failure
		failure.Cause = fmt.Sprintf("on host %s: %s", h.Name, failure.Cause)
		r.State, r.Failure = Failed, &failure
	case own.State == Failed && own.Failure != nil:
		r.unfinished(fmt.Sprintf("%s could not measure: %s", h.Name, own.Failure.Cause))
	case own.State != Complete:
		r.unfinished(fmt.Sprintf("%s did not finish its run", h.Name))
	}
	r.sameKind(h)
	for _, w := range own.Warnings {
		r.Warnings = append(r.Warnings, plan.Warning{Kind: w.Kind, Text: h.Name + ": " + w.Text})
	}
	for _, e := range own.Events {
		e.Text = h.Name + ": " + e.Text
		r.Events = append(r.Events, e)
	}
	slices.SortStableFunc(r.Events, func(a, b evidence.Event) int { return a.Time.Compare(b.Time) })
	if c := own.Cost; c != nil {
		if r.Cost == nil {
			r.Cost = &Cost{PerHour: c.PerHour, Currency: c.Currency}
		}
		r.Cost.Total += c.Total
		r.Cost.Hours += c.Hours
	}
}

// sameKind warns if the hardware or the builds of hosts differ.
func (r *Report) sameKind(h HostReport) {
	var differs []string
	for _, what := range []struct{ name, is, was string }{
		{"CPU", h.Report.Host.CPU, r.Host.CPU},
		{"cores", fmt.Sprint(h.Report.Host.Cores), fmt.Sprint(r.Host.Cores)},
		{"GPUs", strings.Join(h.Report.Host.GPUs, ", "), strings.Join(r.Host.GPUs, ", ")},
	} {
		if what.is != what.was {
			differs = append(differs, fmt.Sprintf("%s %q, not %q", what.name, what.is, what.was))
		}
	}
	if len(differs) > 0 {
		r.warnHosts("%s has other hardware than the first host: %s", h.Name, strings.Join(differs, "; "))
	}
	for _, arm := range []struct {
		name     string
		own, was []plan.Artifact
	}{{"base", h.Report.Base.Artifacts, r.Base.Artifacts}, {"head", h.Report.Head.Artifacts, r.Head.Artifacts}} {
		if !slices.Equal(arm.own, arm.was) {
			r.warnHosts("%s built another %s than the first host: the build is not reproducible, and its variation is part "+
				"of the variation between hosts", h.Name, arm.name)
		}
	}
}
