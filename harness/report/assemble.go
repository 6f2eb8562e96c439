package report

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/words"
	"github.com/chiasmus/chiasmus/stats"
)

// Assemble makes the report of a run from the decision and the history alone.
func Assemble(d *plan.Decision, h *record.History, dir journal.Directory) (*Report, error) {
	r := &Report{
		Schema: Schema,
		State:  stateOf(h),
		Run: Run{
			ID:           d.ID,
			Command:      d.Command,
			Version:      d.Version,
			Started:      d.Created,
			Finished:     h.Last,
			Resumed:      h.Resumed,
			Kind:         d.Kind,
			Config:       d.Config,
			ConfigSHA256: d.ConfigSHA256,
		},
		Base:      d.Base,
		Head:      d.Head,
		Heads:     d.AllHeads(),
		AA:        d.AA,
		Plan:      d.Plan,
		Warnings:  append(slices.Clone(d.Warnings), h.Warnings...),
		Events:    NotNil(h.Events),
		Failure:   h.Failure,
		Workloads: []Workload{},
		Paths:     Paths{Directory: string(dir), Report: dir.Report("json"), Journal: dir.JournalFile(), Logs: dir.Logs()},
	}
	r.NewProofFormat, r.Rate, r.OneBuild = d.NewProofFormat, d.Rate, d.OneBuild
	r.Trust = d.Trust()
	describeEnvironment(r, d, h)
	if price := d.File.Host.CostPerHour; price != nil {
		hours := max(0, h.Last.Sub(d.Created)).Hours()
		r.Cost = &Cost{PerHour: price.Amount, Total: hours * price.Amount, Currency: price.Currency, Hours: hours}
	}
	d.Benchmarks = countBenchmarks(d, h)
	for _, name := range d.Workloads {
		p, begun := h.Workloads[name]
		if !begun {
			continue
		}
		refused := h.Failure != nil &&
			(h.Failure.Step == failure.StepArtifacts || h.Failure.Step == failure.StepStatistics && h.Failure.Workload == name)
		list, err := assembleAll(d, r, name, p, h.Ended() && r.State != Partial, r.State != Partial && p.Measured && !refused)
		if err != nil {
			return nil, &failure.Error{Failure: failure.Failure{Step: failure.StepStatistics, Workload: name,
				Cause: err.Error()}, Err: err}
		}
		r.DifferentStatement = r.DifferentStatement ||
			slices.ContainsFunc(p.Warnings, func(w plan.Warning) bool { return w.Kind == WarnDifferentStatement })
		r.Workloads = append(r.Workloads, list...)
	}
	warnFamily(d, r)
	if r.State == Complete {
		if err := JudgeFamily(d.Plan, r.Workloads); err != nil {
			return nil, &failure.Error{Failure: failure.Failure{Step: failure.StepStatistics, Cause: err.Error()}, Err: err}
		}
	}
	r.ExitCode = verdictCode(r.Workloads, d.FailOn)
	return r, nil
}

// stateOf returns the state of a run at the end of its journal.
func stateOf(h *record.History) State {
	switch {
	case h.Interrupted:
		return Partial
	case h.Failure != nil:
		return Failed
	case !h.Checked:
		return Partial
	}
	return Complete
}

// assembleAll describes a workload, or every benchmark of a suite.
func assembleAll(d *plan.Decision, r *Report, name string, p *record.Progress, ended, analyze bool) ([]Workload,
	error) {
	if d.HeadCount() > 1 {
		return assembleHeads(d, r, name, p, ended, analyze)
	}
	return assembleOne(d, r, name, p, clockOf(d, p), ended, analyze)
}

// assembleOne describes a workload, or the benchmarks of a suite, on base and one head.
func assembleOne(d *plan.Decision, r *Report, name string, p *record.Progress, clock *Clock, ended,
	analyze bool) ([]Workload, error) {
	if d.Workload(name).Adapter == "" {
		w, err := assembleBy(d, clock, name, p, ended, analyze)
		return []Workload{w}, err
	}
	list, warnings, err := assembleSuite(d, d.Workload(name), p, ended, analyze)
	r.Warnings = append(r.Warnings, warnings...)
	return list, err
}

// clockOf returns the clock that a workload is judged by.
func clockOf(d *plan.Decision, p *record.Progress) *Clock {
	return ClockSoFar(p, d.File.Metrics.Primary.Name, d.Plan.Equivalence)
}

// AssembleWorkload describes a workload. It adds statistics only if analyze is set, which requires that the measurement
// of the workload has ended. ended means that nothing can be added to the run.
func AssembleWorkload(d *plan.Decision, name string, p *record.Progress, ended, analyze bool) (Workload, error) {
	return assembleBy(d, clockOf(d, p), name, p, ended, analyze)
}

func assembleBy(d *plan.Decision, clock *Clock, name string, p *record.Progress, ended, analyze bool) (Workload,
	error) {
	w := Workload{Name: name, Metric: metrics.Of(clock.By(d.File.Metrics.Primary)), Clock: clock}
	return complete(d, w, d.Workload(name), p, ended, analyze)
}

// complete fills in the rest of a workload whose name and metric are set.
func complete(d *plan.Decision, w Workload, c config.Workload, p *record.Progress, ended, analyze bool) (Workload,
	error) {
	name := c.Name
	w.Mode, w.Secondary, w.Exact = "process", []Secondary{}, []Exact{}
	w.Pairs, w.Drops = p.Counted(w.Metric.Name), p.Drops(w.Metric.Name)
	w.Samples, w.ProofsMade, w.Counters = p.Samples, len(p.Samples), counters(p.Samples, c)
	w.BaseSession, w.HeadSession = p.Sessions[schedule.Base], p.Sessions[schedule.Head]
	w.Inputs, w.Cross = d.Inputs[name], p.Crosses[schedule.Head]
	w.BaseIdle, w.HeadIdle = idleOf(p, schedule.Base), idleOf(p, schedule.Head)
	w.Seconds, w.Warnings, w.CodeProfile = p.Seconds, slices.Clone(p.Warnings), p.Profile
	if c.IsSession() {
		w.Mode = "session"
		w.Warnings = append(w.Warnings, wallWarnings(p.Samples)...)
		w.Deferred = deferredOf(p, d.Plan.Equivalence)
	}
	w.challenged(p, c)
	w.Pairs, w.Samples, w.Inputs, w.Warnings = NotNil(w.Pairs), NotNil(w.Samples), NotNil(w.Inputs), NotNil(w.Warnings)
	for _, s := range p.Samples {
		if s.Verified && s.Arm == schedule.Base {
			w.Verified.Base++
		} else if s.Verified {
			w.Verified.Head++
		}
	}
	order, err := d.Schedule()
	if err != nil {
		return w, err
	}
	if p.Processes != nil {
		w.Processes = *p.Processes
	}
	order = order.WithReplicates(w.Processes, d.Plan.Builds)
	for i, pair := range w.Pairs {
		planned := order.Pair(pair.Number)
		w.Pairs[i].Process, w.Pairs[i].Build = planned.Process, planned.Build
	}
	warm, warmups := p.Settling(d.PlanOf(name))
	if p.PreCheck != nil {
		w.PreCheck = &p.PreCheck.PreCheck
	}
	w.ProofsPlanned, w.Warmups = plan.PlannedProofs(order, warm, warmups, d.OneSession(name))+w.alone(), warm.Warmup
	switch {
	case !analyze:
		if ended {
			w.Busy = busy(d, &w, p)
		}
		return w, nil
	case p.PreCheck != nil && p.PreCheck.Decided == 1:
		w.ProofsPlanned = len(p.Samples)
		w.Metric.Name = w.PreCheck.Baseline.Metric
		JudgePreCheck(d, &w, w.PreCheck)
		return w, nil
	}
	if err := analyzePairs(d, &w); err != nil {
		return w, err
	}
	if p.PreCheck != nil {
		w.Stats.Phase = 2
	}
	return w, nil
}

// analyzePairs fills in everything that is computed from the counted pairs.
func analyzePairs(d *plan.Decision, w *Workload) error {
	var err error
	if w.Stats, w.Sequential, err = judgePrimary(d, w); err != nil {
		return err
	}
	w.Warnings = append(w.Warnings, w.stageSums(d.Plan.Equivalence)...)
	if warning, ok := stats.CompareScatter(evidence.StatsPairs(w.Pairs), w.Metric.Scale).Warning(); ok {
		w.Stats.Warnings = append(w.Stats.Warnings, warning)
	}
	w.Secondary, w.Exact = secondary(d, w), exact(d, w)
	missing := ""
	if w.Throughput, missing = throughput(d, w); missing != "" {
		w.Warnings = append(w.Warnings, plan.Warning{Kind: warnUnits, Text: missing})
	}
	if err := contribute(d, w); err != nil {
		return err
	}
	for _, s := range w.Secondary {
		if s.ControlMoved {
			text := fmt.Sprintf("%s is marked as untouched by the change, and changed by %+.2f %% (Holm-adjusted p = %.2g): "+
				"the two arms may differ in more than the change",
				s.Metric, -s.Stats.EffectPercent.Float(), s.PHolm.Float())
			w.Warnings = append(w.Warnings, plan.Warning{Kind: string(stats.WarnControl), Text: text})
		}
	}
	return nil
}

// judgePrimary computes the statistics of the primary metric. The sequential statistics are nil in a plan without
// interim analyses.
func judgePrimary(d *plan.Decision, w *Workload) (*stats.Result, *stats.Sequential, error) {
	if len(w.Pairs) > 0 && w.Pairs[0].Host > 0 {
		result, err := judgeHosts(d, w)
		return result, nil, err
	}
	design, err := d.Plan.Sequence(w.Processes)
	if err != nil {
		return nil, nil, err
	}
	result, sequential, err := design.Analyze(evidence.StatsPairs(w.Pairs), d.StatsOptions(primary(d, w)))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", w.Metric.Name, err)
	}
	if d.Plan.Analyses > 1 {
		return &result, &sequential, nil
	}
	return &result, nil, nil
}

// counters returns the range of every counter on both arms.
func counters(samples evidence.Samples, c config.Workload) []Counter {
	found := map[string]*Counter{}
	missing := stats.Number(math.NaN())
	for _, s := range samples {
		for name, value := range s.Counters {
			counter := found[name]
			if counter == nil {
				counter = &Counter{Name: name, BaseMin: missing, BaseMax: missing, HeadMin: missing, HeadMax: missing}
				if want, ok := c.Expect.Counters[name]; ok {
					counter.Expected = want.String()
				}
				found[name] = counter
			}
			low, high := &counter.BaseMin, &counter.BaseMax
			if s.Arm == schedule.Head {
				low, high = &counter.HeadMin, &counter.HeadMax
			}
			if x := stats.Number(value); !low.Exists() {
				*low, *high = x, x
			} else {
				*low, *high = min(*low, x), max(*high, x)
			}
		}
	}
	out := []Counter{}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		out = append(out, *found[name])
	}
	return out
}

// wallWarnings reports, for each arm, how often the wall time exceeded the prover's time, and the largest excess.
func wallWarnings(samples evidence.Samples) []plan.Warning {
	var warnings []plan.Warning
	for _, arm := range []schedule.Arm{schedule.Base, schedule.Head} {
		proofs, over, most := 0, 0, 0.0
		for _, s := range samples {
			if s.Arm != arm {
				continue
			}
			proofs++
			if excess := metrics.Unexplained(s.Metrics[metrics.WallSeconds], s.Metrics[metrics.ProveSeconds]); excess > 0 {
				over++
				most = max(most, excess)
			}
		}
		if over > 0 {
			warnings = append(warnings,
				plan.Warning{Kind: "wall time",
					Text: fmt.Sprintf("%s: the wall time of %d of %d requests exceeds prove_seconds by more than 2 %% "+
						"and 5 ms, by %s at most",
						arm, over, proofs, words.Span(words.Duration(most)))})
		}
	}
	return warnings
}

// NotNil replaces nil by an empty list, whose JSON is [] instead of null.
func NotNil[S ~[]E, E any](list S) S {
	if list == nil {
		return S{}
	}
	return list
}
