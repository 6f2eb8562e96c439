package harness

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/session"
	"github.com/chiasmus/chiasmus/stats"
)

// assemble makes the report of a run out of what was decided and what was seen, and nothing else.
func assemble(d *Decision, h *history, dir journal.Directory) (*Report, error) {
	r := &Report{
		Schema: ReportSchema,
		State:  h.state(),
		Run: Run{
			ID:           d.ID,
			Command:      d.Command,
			Version:      d.Version,
			Started:      d.Created,
			Finished:     h.last,
			Resumed:      h.resumed,
			Kind:         d.Kind,
			Config:       d.Config,
			ConfigSHA256: d.ConfigSHA256,
		},
		Base:      d.Base,
		Head:      d.Head,
		AA:        d.AA,
		Plan:      d.Plan,
		Warnings:  append(slices.Clone(d.Warnings), h.warnings...),
		Events:    notNil(h.events),
		Failure:   h.failure,
		Workloads: []Workload{},
		Paths:     Paths{Directory: string(dir), Report: dir.Report("json"), Journal: dir.JournalFile(), Logs: dir.Logs()},
	}
	r.NewProofFormat, r.Rate, r.OneBuild = d.NewProofFormat, d.Rate, d.OneBuild
	r.Trust = d.trust()
	describeEnvironment(r, d, h)
	if price := d.file.Host.CostPerHour; price != nil {
		hours := max(0, h.last.Sub(d.Created)).Hours()
		r.Cost = &Cost{PerHour: price.Amount, Total: hours * price.Amount, Currency: price.Currency, Hours: hours}
	}
	d.benchmarks = d.countBenchmarks(h)
	for _, name := range d.Workloads {
		p, begun := h.workloads[name]
		if !begun {
			continue
		}
		refused := h.failure != nil &&
			(h.failure.Step == StepArtifacts || h.failure.Step == StepStatistics && h.failure.Workload == name)
		list, err := d.assembleAll(r, name, p, h.ended() && r.State != Partial, r.State != Partial && p.measured && !refused)
		if err != nil {
			return nil, &FailureError{Failure{Step: StepStatistics, Workload: name, Cause: err.Error()}, err}
		}
		for _, w := range list {
			r.DifferentStatement = r.DifferentStatement ||
				slices.ContainsFunc(w.Warnings, func(w Warning) bool { return w.Kind == warnDifferentStatement })
		}
		r.Workloads = append(r.Workloads, list...)
	}
	d.warnFamily(r)
	if r.State == Complete {
		if err := JudgeFamily(d.Plan, r.Workloads); err != nil {
			return nil, &FailureError{Failure{Step: StepStatistics, Cause: err.Error()}, err}
		}
	}
	r.ExitCode = verdictCode(r.Workloads, d.FailOn)
	return r, nil
}

// state says how the journal ends.
func (h *history) state() State {
	switch {
	case h.interrupted:
		return Partial
	case h.failure != nil:
		return Failed
	case !h.checked:
		return Partial
	}
	return Complete
}

// assembleAll describes a workload, or all benchmarks of a suite.
func (d *Decision) assembleAll(r *Report, name string, p *progress, ended, analyze bool) ([]Workload, error) {
	if d.workload(name).Adapter == "" {
		w, err := d.assembleWorkload(name, p, ended, analyze)
		return []Workload{w}, err
	}
	list, warnings, err := d.assembleSuite(d.workload(name), p, ended, analyze)
	r.Warnings = append(r.Warnings, warnings...)
	return list, err
}

// assembleWorkload describes a workload, with statistics only where its measurement has ended. The run has ended where
// nothing can be added to it.
func (d *Decision) assembleWorkload(name string, p *progress, ended, analyze bool) (Workload, error) {
	clock := p.clock(d.file.Metrics.Primary.Name, d.Plan.Equivalence)
	w := Workload{Name: name, Metric: metricOf(clock.by(d.file.Metrics.Primary)), Clock: clock}
	return d.complete(w, d.workload(name), p, ended, analyze)
}

// complete describes the rest of a workload whose name and metric are known.
func (d *Decision) complete(w Workload, c config.Workload, p *progress, ended, analyze bool) (Workload, error) {
	name := c.Name
	w.Mode, w.Secondary, w.Exact = "process", []Secondary{}, []Exact{}
	w.Pairs, w.Drops = p.counted(w.Metric.Name), p.drops(w.Metric.Name)
	w.Samples, w.ProofsMade, w.Counters = p.samples, len(p.samples), counters(p.samples, c)
	w.BaseSession, w.HeadSession = p.sessions[Base], p.sessions[Head]
	w.Inputs, w.Cross = d.Inputs[name], p.cross
	w.BaseIdle, w.HeadIdle = p.idle(Base), p.idle(Head)
	w.Seconds, w.Warnings, w.CodeProfile = p.seconds, slices.Clone(p.warnings), p.profile
	if c.IsSession() {
		w.Mode = "session"
		w.Warnings = append(w.Warnings, wallWarnings(p.samples)...)
		w.Deferred = p.deferred(d.Plan.Equivalence)
	}
	w.challenged(p, c)
	w.Pairs, w.Samples, w.Inputs, w.Warnings = notNil(w.Pairs), notNil(w.Samples), notNil(w.Inputs), notNil(w.Warnings)
	for _, s := range p.samples {
		if s.Verified && s.Arm == Base {
			w.Verified.Base++
		} else if s.Verified {
			w.Verified.Head++
		}
	}
	plan, err := d.schedule()
	if err != nil {
		return w, err
	}
	if p.launches != nil {
		w.Launches = *p.launches
	}
	plan = plan.Drawing(w.Launches, d.Plan.Builds)
	for i, pair := range w.Pairs {
		planned := plan.Pair(pair.Number)
		w.Pairs[i].Launch, w.Pairs[i].Build = planned.Launch, planned.Build
	}
	warm, warmups := p.settling(d.planOf(name))
	if p.tier != nil {
		w.Tier = &p.tier.Tier
	}
	w.ProofsPlanned, w.Warmups = plannedProofs(plan, warm, warmups, d.alone(name))+w.alone(), warm.Warmup
	switch {
	case !analyze:
		if ended {
			w.Busy = d.busy(&w, p)
		}
		return w, nil
	case p.tier != nil && p.tier.Decided == 1:
		w.ProofsPlanned = len(p.samples)
		w.Metric.Name = w.Tier.Baseline.Metric
		d.judgeAlone(&w, w.Tier)
		return w, nil
	}
	if err := d.analyze(&w); err != nil {
		return w, err
	}
	if p.tier != nil {
		w.Stats.Tier = 2
	}
	return w, nil
}

// analyze fills in everything that is computed from the counted pairs.
func (d *Decision) analyze(w *Workload) error {
	var err error
	if w.Stats, w.Sequential, err = d.judgePrimary(w); err != nil {
		return err
	}
	w.Warnings = append(w.Warnings, w.stageSums(d.Plan.Equivalence)...)
	if warning, ok := stats.CompareScatter(statsPairs(w.Pairs), w.Metric.Scale).Warning(); ok {
		w.Stats.Warnings = append(w.Stats.Warnings, warning)
	}
	w.Secondary, w.Exact = d.secondary(w), d.exact(w)
	missing := ""
	if w.Throughput, missing = d.throughput(w); missing != "" {
		w.Warnings = append(w.Warnings, Warning{warnUnits, missing})
	}
	if err := d.contribute(w); err != nil {
		return err
	}
	for _, s := range w.Secondary {
		if s.ControlMoved {
			text := fmt.Sprintf("%s is marked as untouched by the change, and changed by %+.2f %% (Holm-adjusted p = %.2g): "+
				"the two arms may differ in more than the change",
				s.Metric, -s.Stats.EffectPercent.Float(), s.PHolm.Float())
			w.Warnings = append(w.Warnings, Warning{string(stats.WarnControl), text})
		}
	}
	return nil
}

// judgePrimary computes the statistics of the primary metric; those of looks are nil in a plan with one.
func (d *Decision) judgePrimary(w *Workload) (*stats.Result, *stats.Sequential, error) {
	if len(w.Pairs) > 0 && w.Pairs[0].Host > 0 {
		result, err := d.judgeHosts(w)
		return result, nil, err
	}
	design, err := d.Plan.sequence(w.Launches)
	if err != nil {
		return nil, nil, err
	}
	result, sequential, err := design.Analyze(statsPairs(w.Pairs), d.options(d.primary(w)))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", w.Metric.Name, err)
	}
	if d.Plan.Looks > 1 {
		return &result, &sequential, nil
	}
	return &result, nil, nil
}

// statsPairs hands the counted pairs to the statistics.
func statsPairs(pairs []Pair) []stats.Pair {
	out := make([]stats.Pair, len(pairs))
	for i, p := range pairs {
		out[i] = p.Of(p.A, p.B)
	}
	return out
}

// drops lists the attempts that were dropped.
func (p *progress) drops(metric string) []Drop {
	drops := []Drop{}
	for _, a := range p.attempts() {
		if !a.dropped && a.whole() {
			continue
		}
		d := Drop{
			Pair:    a.pair,
			Attempt: a.number,
			A:       stats.Number(math.NaN()),
			B:       stats.Number(math.NaN()),
			Causes:  []Cause{},
		}
		for _, side := range []struct {
			at   int
			into *stats.Number
		}{{a.base, &d.A}, {a.head, &d.B}} {
			if side.at < 0 {
				continue
			}
			s := p.samples[side.at]
			d.Block, d.Order = s.Block, s.Order
			d.Causes = append(d.Causes, s.Causes...)
			if value, ok := s.Metrics[metric]; ok {
				*side.into = stats.Number(value)
			}
		}
		drops = append(drops, d)
	}
	return drops
}

// counters gives the range of every counter on both arms.
func counters(samples Samples, c config.Workload) []Counter {
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
			if s.Arm == Head {
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

// wallWarnings says of each arm how often its wall time exceeded what the prover reported, and by how much at most.
func wallWarnings(samples Samples) []Warning {
	var warnings []Warning
	for _, arm := range []Arm{Base, Head} {
		proofs, over, most := 0, 0, 0.0
		for _, s := range samples {
			if s.Arm != arm {
				continue
			}
			proofs++
			if excess := (session.Proof{Metrics: s.Metrics, WallSeconds: s.Metrics[metricWall]}).Unexplained(); excess > 0 {
				over++
				most = max(most, excess)
			}
		}
		if over > 0 {
			warnings = append(warnings,
				Warning{"wall time", fmt.Sprintf("%s: the wall time of %d of %d requests exceeds prove_seconds by more than 2 %% "+
					"and 5 ms, by %s at most",
					arm, over, proofs, Span(seconds(most)))})
		}
	}
	return warnings
}

// notNil makes an empty list an empty list in JSON, not null.
func notNil[S ~[]E, E any](list S) S {
	if list == nil {
		return S{}
	}
	return list
}
