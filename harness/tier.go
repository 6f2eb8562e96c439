package harness

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/session"
	"github.com/chiasmus/chiasmus/internal/floor"
	"github.com/chiasmus/chiasmus/stats"
)

// A Tier says how the first tier of a gate went: head alone, by a few processes, against a baseline of base.
type Tier struct {
	// Decided is the tier whose verdict the workload has: 1 or, by pairs, 2.
	Decided int `json:"decided"`
	// Text says why, in a sentence.
	Text string `json:"text"`
	// Run measured the baseline, AgeHours before; Processes of head were measured alone. All are empty where nothing was
	// measured.
	Run       string  `json:"run,omitempty"`
	AgeHours  float64 `json:"age_hours,omitempty"`
	Processes int     `json:"processes,omitempty"`
	// Baseline and Moves, from which it is known how far the host moves, are with head's proofs all that a verdict of the
	// first tier rests on. They are null where pairs decided.
	Baseline *Baseline    `json:"baseline,omitempty"`
	Moves    []stats.Move `json:"moves,omitempty"`
}

// tierRecord is how the first tier of a workload went.
type tierRecord struct {
	Workload string `json:"workload"`
	Tier
}

// firstTier measures head alone, where the plan asks for it and a baseline of base allows it, and says whether that
// ended the workload. Whatever speaks against it leaves the answer to pairs: the report says what.
func (m *measurement) firstTier(ctx context.Context) (ended bool, err error) {
	d := m.run.decision
	if d.Plan.Tier == 0 {
		return false, nil
	}
	if m.progress.tier != nil {
		return m.progress.tier.Decided == 1, nil
	}
	record := tierRecord{Workload: m.workload.Name, Tier: Tier{Decided: 2}}
	now := time.Now()
	why, err := m.prepareTier(&record, now)
	if err != nil {
		return false, err
	}
	if why == "" {
		if why, err = m.measureAlone(ctx, &record); err != nil {
			return false, err
		}
	}
	if why == "" {
		w, err := d.assembleWorkload(m.workload.Name, m.progress, false, false)
		if err != nil {
			return false, err
		}
		w.Metric.Name = record.Baseline.Metric
		why = d.judgeAlone(&w, &record.Tier)
	}
	if why != "" {
		record.Baseline, record.Moves = nil, nil
	}
	if record.Text = "the first tier ended nothing: " + why; why == "" {
		record.Decided = 1
		record.Text = fmt.Sprintf("decided by the first tier: %d processes of head alone, against the baseline that run %s "+
			"made %.1f hours before", record.Processes, record.Run, record.AgeHours)
	}
	m.run.notify(Notice{Workload: m.workload.Name, Text: m.workload.Name + ": " + record.Text})
	if err := m.run.record(recordTier, record); err != nil || record.Decided != 1 {
		return false, err
	}
	return true, m.run.record(recordMeasured, workloadRecord{m.workload.Name})
}

// prepareTier chooses the baseline and how many blocks are to be measured; why says what speaks against it.
func (m *measurement) prepareTier(record *tierRecord, now time.Time) (why string, err error) {
	d := m.run.decision
	switch {
	case len(m.progress.samples) > 0:
		return "the run was interrupted before it ended", nil
	case d.Plan.StageMargin > 0:
		return "metrics.stages asks for pairs", nil
	case d.file.Metrics.Primary.Scale != config.LogScale:
		return "it compares logarithms, and metrics.primary has another scale", nil
	case d.Plan.builds() > 1 || d.alone(m.workload.Name):
		return "it compares processes of one build that both stay, and the plan has others", nil
	}
	list, refused, why := m.run.baselinesFor(m.workload.Name)
	if why != "" {
		return why, nil
	}
	base, moves, why := chooseBaseline(list, refused, &d.Base, d.setup(m.workload.Name), m.run.history.start, now)
	if why != "" {
		return why, nil
	}
	each := 4 + 2*base.Warmups
	blocks := stats.PlanAlone(base.alone(), moves, d.tierOptions(), d.Plan.Pairs/2, m.perBlock(),
		float64(each+2)/float64(each))
	if blocks == 0 {
		return fmt.Sprintf("by the baseline of run %s, head alone would not end the run sooner than pairs do", base.Run), nil
	}
	record.Baseline, record.Moves = base, moves
	record.Run, record.AgeHours = base.Run, now.Sub(base.Time).Hours()
	record.Processes = blocks * m.perBlock()
	return "", nil
}

// perBlock is how many processes make the four proofs of a block of head alone.
func (m *measurement) perBlock() int {
	if m.workload.IsSession() {
		return 2
	}
	return 4
}

// tierOptions are how the first tier judges.
func (d *Decision) tierOptions() stats.Options {
	options := d.options(d.file.Metrics.Primary)
	options.Alpha, _ = d.Plan.tierAlphas()
	return options
}

// measureAlone measures head as it would be beside base, in blocks of fresh processes: two sessions of head take turns,
// so that each inherits from another what it would in a pair, and has as much beside it. Base then proves the same
// seeds, where it alone can say what a proof of them must prove, and is not timed. why says what makes the times no
// evidence.
func (m *measurement) measureAlone(ctx context.Context, record *tierRecord) (why string, err error) {
	m.run.notify(Notice{
		Workload: m.workload.Name,
		Text:     fmt.Sprintf("%s: measuring head alone first, by %d processes", m.workload.Name, record.Processes),
	})
	m.runners = m.builds[0]
	for block := range record.Processes / m.perBlock() {
		if err := m.aloneBlock(ctx, block, record.Baseline.Warmups); err != nil {
			return "", err
		}
	}
	if err := m.verifyAlone(ctx); err != nil {
		return "", err
	}
	return m.unusable(record), nil
}

// aloneBlock measures one block by two processes of head, or where every proof has its own by four.
func (m *measurement) aloneBlock(ctx context.Context, block, warmups int) (err error) {
	var twins [2]session.Prover
	turn := func(k int) {
		m.provers[Head], m.twin = twins[k], twins[1-k]
		m.sessions()
	}
	defer func() {
		m.twin = nil
		for k := range twins {
			if twins[k] != nil {
				m.provers[Head] = twins[k]
				err = errors.Join(err, m.close(Head))
			}
		}
	}()
	for k := range twins {
		if err := m.open(ctx, Head); err != nil {
			return err
		}
		twins[k] = m.provers[Head]
		delete(m.provers, Head)
	}
	for k := range twins {
		turn(k)
		if err := m.warmUp(ctx, Head, 0, warmups); err != nil {
			return err
		}
	}
	for i, k := range []int{1, 0, 0, 1} { // as ABBA; the one that was warmed up last begins
		turn(k)
		process := 2*block + k + 1
		if m.perBlock() == 4 {
			process = 4*block + i + 1
		}
		if err := m.prove(ctx, Sample{
			Kind:    Alone,
			Arm:     Head,
			Attempt: process,
			Seed:    m.schedule.AloneSeed(2*block + i/2 + 1),
		}); err != nil {
			return err
		}
	}
	return nil
}

// verifyAlone has the proofs of head alone verified. Where base has to say what they must prove, it proves their seeds.
func (m *measurement) verifyAlone(ctx context.Context) error {
	said := m.workload.Verify.Uses(config.ExactStatement) && m.workload.ExactStatement == "" ||
		m.workload.Verify.Uses(config.Statement) && m.workload.Statement == ""
	if !said {
		waiting := m.unverified
		m.unverified = nil
		for _, made := range waiting {
			if err := m.verifyOne(ctx, made); err != nil {
				return err
			}
		}
		return nil
	}
	if err := m.open(ctx, Base); err != nil {
		return err
	}
	for len(m.unverified) > 0 {
		seed := m.progress.samples[m.unverified[0].sample].Seed
		if err := m.prove(ctx, Sample{Kind: Unmeasured, Arm: Base, Seed: seed}); err != nil {
			return errors.Join(err, m.close(Base))
		}
	}
	return m.close(Base)
}

// sameClock is by how much the clock of the GPUs may differ from the baseline's.
const sameClock = 0.02

// unusable says why the times of head alone are no evidence beside those of the baseline: something else ran, a clock
// is not believed or another, or the claim is not the same. Pairs tell more of all of these.
func (m *measurement) unusable(record *tierRecord) string {
	var proofs []Sample
	for _, s := range m.progress.samples {
		if s.Kind != Alone {
			continue
		}
		if len(s.Causes) > 0 {
			return "the host was disturbed: " + causesText(s.Causes)
		}
		proofs = append(proofs, s)
	}
	if why := m.progress.restless(Head, m.run.decision.file.Environment); why != "" {
		return why
	}
	base := record.Baseline
	if m.workload.IsSession() {
		if problem, _ := claimsDiffer(base.Session, m.progress.sessions[Head]); problem != "" {
			return problem
		}
	}
	margin := m.run.decision.Plan.Equivalence
	allowed := errorShare*margin*base.Seconds + floor.Deferred
	if more := deferredIn(proofs) - base.Deferred; m.workload.IsSession() && more > allowed {
		return fmt.Sprintf("between its replies and the next requests, the session of head took %.3g ms of CPU time for "+
			"each proof more than base did, and %.3g ms are allowed", 1e3*more, 1e3*allowed)
	}
	if c := clockOf(base.Metric, margin, pointers(proofs), pointers(proofs)); c.Disagrees() {
		return fmt.Sprintf("the baseline is by %s, and head's differs from %s by up to %.2g %%, more than %.2g %%", c.Planned,
			c.Used, 100*c.HeadApart, 100*c.Allowed)
	}
	if now := clock(proofs); math.Abs(now-base.Clock) > sameClock*base.Clock {
		return fmt.Sprintf("the GPUs' clock was %.0f MHz at the baseline, and is %.0f MHz", base.Clock, now)
	}
	return ""
}

// pointers are those to the samples of a list.
func pointers(list []Sample) []*Sample {
	out := make([]*Sample, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

// judgeAlone fills in what head alone says of a workload, and why that ends nothing, empty where it does.
func (d *Decision) judgeAlone(w *Workload, tier *Tier) (why string) {
	var proofs []Sample
	for _, s := range w.Samples {
		if s.Kind == Alone {
			proofs = append(proofs, s)
		}
	}
	means, _ := processMeans(proofs, w.Metric.Name)
	result := stats.JudgeAlone(tier.Baseline.alone(), stats.Alone{Means: means}, tier.Moves, d.tierOptions())
	if result.Verdict == stats.Inconclusive {
		return fmt.Sprintf("the %s of %d processes of head alone lies neither within the margin nor beyond ten of them",
			w.Metric.Name, len(means))
	}
	w.Stats, w.Launches = &result, len(means)
	if w.Exact, why = d.exactAlone(proofs, tier.Baseline); why != "" {
		return why
	}
	return ""
}

// exactAlone compares what repeats with the baseline. Only bounds that are held end a run.
func (d *Decision) exactAlone(proofs []Sample, base *Baseline) (list []Exact, why string) {
	pair := func(name string) *Workload { // as pairs of which base has always the value of the baseline
		w := &Workload{}
		for i, s := range proofs {
			w.Samples = append(w.Samples, s, Sample{Counters: map[string]float64{name: base.Exact[name]}})
			w.Pairs = append(w.Pairs, Pair{Head: 2 * i, Base: 2*i + 1})
		}
		return w
	}
	names := map[string]bool{}
	for name := range base.Exact {
		names[name] = true
	}
	list = []Exact{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		w := pair(name)
		e := compareExactly(w, name)
		if most, bound := d.file.Metrics.Exact[name]; bound {
			e.Max, e.Bound = &most, e.bound(w, most)
		}
		list = append(list, e)
	}
	for _, name := range slices.Sorted(maps.Keys(d.file.Metrics.Exact)) {
		at := slices.IndexFunc(list, func(e Exact) bool { return e.Name == name })
		if at < 0 || list[at].Bound != BoundHeld {
			return nil, fmt.Sprintf("pairs have to tell whether %s keeps its bound of metrics.exact", name)
		}
	}
	return list, ""
}

// alone counts the proofs that the first tier took.
func (w *Workload) alone() int {
	if w.Tier == nil || w.Tier.Processes == 0 {
		return 0
	}
	last := 0
	for i, s := range w.Samples {
		if s.Kind == Alone {
			last = i + 1
		}
	}
	for last < len(w.Samples) && w.Samples[last].Kind == Unmeasured && w.Samples[last].Arm == Base {
		last++
	}
	return last
}
