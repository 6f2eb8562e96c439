package measure

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/harness/session"
	"github.com/chiasmus/chiasmus/stats"
)

// A measurement measures one workload.
type measurement struct {
	run      *run
	workload config.Workload
	metric   config.Metric
	schedule *schedule.Schedule
	design   stats.Design
	progress *record.Progress
	runners  map[schedule.Arm]*runner // of the build that measures
	builds   []map[schedule.Arm]*runner
	provers  map[schedule.Arm]session.Prover
	observer Observer
	// last is the arm that proved last, and previous the number of the pair that was measured last, in this process.
	last     schedule.Arm
	previous int
	// ready is each session's start-up time: from starting its process to its ready line.
	ready map[schedule.Arm]time.Duration
	// launched is the number, in the schedule, of the open process of each arm.
	launched int
	// unverified are the proofs of head that wait for base's proof of the same seed.
	unverified []unverified
	// wallTimed says, for each arm, whether its prove_seconds is the wall time.
	wallTimed map[schedule.Arm]bool
	// twin is the second session of head in the baseline pre-check, else nil.
	twin session.Prover
	// spent is the total time of the proofs made in this process, with hooks and verification; made is their number.
	spent time.Duration
	made  int
	// prepared contains the seconds of each arm's prepare hooks.
	prepared map[schedule.Arm][]float64
}

// measure measures one workload, continuing from the end of the journal. It returns ErrInterrupted if it was stopped.
func (m *measurement) measure(ctx context.Context) (err error) {
	if err := m.run.record(record.KindBegun, record.Workload{Workload: m.workload.Name}); err != nil {
		return err
	}
	if m.observer, err = m.run.watch(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.closeAll(), m.observer.Close(), m.cleanUp(ctx)) }()
	if err := m.setUp(ctx); err != nil {
		return err
	}
	for _, a := range m.progress.Attempts() {
		if err := m.settle(a); err != nil {
			return err
		}
	}
	if ended, err := m.preCheck(ctx); ended || err != nil {
		return err
	}
	if m.progress.Processes != nil { // a resumed run
		if err := m.draw(); err != nil {
			return err
		}
	}
	if err := m.start(ctx); err != nil {
		return err
	}
	if err := m.draw(); err != nil {
		return err
	}
	for _, analysis := range m.design.Analyses {
		if err := m.reach(ctx, analysis.Pairs); err != nil {
			return err
		}
		stop, err := m.interim(analysis.Pairs)
		if err != nil {
			return err
		}
		if stop {
			break
		}
	}
	if err := errors.Join(m.trustworthy(), m.warnPrepared()); err != nil {
		return err
	}
	return m.run.record(record.KindMeasured, record.Workload{Workload: m.workload.Name})
}

// alone reports whether only the session that proves next is kept open.
func (m *measurement) alone() bool { return m.run.decision.OneSession(m.workload.Name) }

// start opens the sessions and warms them up.
func (m *measurement) start(ctx context.Context) error {
	next := m.schedule.Pair(1) // if nothing is left to measure
	if pending := m.pending(m.run.decision.Plan.Pairs); len(pending) > 0 {
		next = m.schedule.Pair(pending[0])
	}
	return m.process(ctx, next)
}

// process opens and warms up the sessions of the process and build that measure a pair. The arm that proves first in
// the pair comes last, which saves the unmeasured proof before it.
func (m *measurement) process(ctx context.Context, p schedule.Pair) error {
	m.runners, m.launched, m.last = m.builds[p.Build-1], p.Process, ""
	arms := p.Order.Arms()
	slices.Reverse(arms)
	for _, arm := range arms {
		if err := m.activate(ctx, arm); err != nil {
			return err
		}
	}
	if m.alone() {
		return nil // each was warmed up when it was opened
	}
	return m.warmAll(ctx, arms)
}

// activate makes sure that an arm can prove. If only one session is kept open, it closes the other session first and
// warms up the new one.
func (m *measurement) activate(ctx context.Context, arm schedule.Arm) error {
	if m.provers[arm] != nil {
		return nil
	}
	if m.alone() {
		if err := m.closeAll(); err != nil {
			return err
		}
	}
	if err := m.open(ctx, arm); err != nil {
		return err
	}
	if m.alone() {
		return m.warmUp(ctx, arm, 0, m.run.decision.Plan.Warmup)
	}
	return nil
}

// open starts the prover of an arm and compares its claim with the other arms' claims.
func (m *measurement) open(ctx context.Context, arm schedule.Arm) error {
	if m.run.stopped() {
		return failure.ErrInterrupted
	}
	interruptible, cancel := m.run.untilStopped(ctx)
	begun := time.Now()
	prover, err := m.runners[arm].open(interruptible)
	m.ready[arm] = time.Since(begun)
	cancel()
	switch {
	case err != nil && m.run.stopped():
		return failure.ErrInterrupted
	case err != nil:
		return err
	}
	m.provers[arm] = prover
	m.sessions()
	if !m.workload.IsSession() {
		return nil
	}
	return m.claimed(arm, sessionOf(prover.Ready()))
}

func (m *measurement) warn(kind, text string) error {
	if slices.Contains(m.progress.Warnings, plan.Warning{Kind: kind, Text: text}) {
		return nil
	}
	return m.run.record(record.KindWarning, record.Warning{Workload: m.workload.Name,
		Warning: plan.Warning{Kind: kind, Text: text}})
}

// close ends the session of an arm. A session that does not end in order is a warning: its proofs were all verified.
func (m *measurement) close(arm schedule.Arm) error {
	prover := m.provers[arm]
	if prover == nil {
		return nil
	}
	delete(m.provers, arm)
	m.sessions()
	var failed *session.Error
	err := prover.Close()
	if errors.As(err, &failed) {
		err = m.warn("session end", fmt.Sprintf("the session of %s: %s", arm, failed.Cause))
	}
	return errors.Join(err, m.reportLeft(arm))
}

// reportLeft warns, once per arm, about programs that outlived its prover, verifier or hook.
func (m *measurement) reportLeft(arm schedule.Arm) error { return m.leftBy(m.runners[arm]) }

func (m *measurement) leftBy(r *runner) error {
	left := r.left
	r.left = nil
	about := fmt.Sprintf("%s left processes behind", r.arm)
	known := func(w plan.Warning) bool { return w.Kind == warnLeftBehind && strings.HasPrefix(w.Text, about) }
	if len(left) == 0 || slices.ContainsFunc(m.progress.Warnings, known) {
		return nil
	}
	return m.warn(warnLeftBehind,
		fmt.Sprintf("%s, which were killed (%s): until then they slowed the measurement", about,
			strings.Join(left, ", ")))
}

// warnLeftBehind is the kind of warning about programs that started daemons.
const warnLeftBehind = "left behind"

func (m *measurement) closeAll() error {
	var failed error
	for _, arm := range m.run.decision.Arms() {
		failed = errors.Join(failed, m.close(arm))
	}
	return failed
}

// reach measures until the first pairs of the schedule, up to the given number, count.
func (m *measurement) reach(ctx context.Context, pairs int) error {
	for {
		pending := m.pending(pairs)
		if len(pending) == 0 {
			return nil
		}
		for _, number := range pending {
			if err := m.checkDrops(number); err != nil {
				return err
			}
			if err := m.pair(ctx, m.schedule.Pair(number)); err != nil {
				return err
			}
		}
	}
}

// pending returns the pairs, up to a number, that do not count yet: those without a measurement, or if there are none
// the dropped pairs, which are measured again.
func (m *measurement) pending(upTo int) []int {
	counts, dropped := map[int]bool{}, map[int]bool{}
	for _, a := range m.progress.Attempts() {
		switch {
		case a.Whole() && !a.Dropped:
			counts[a.Pair] = true
		case a.Whole():
			dropped[a.Pair] = true
		}
	}
	var fresh, again []int
	for number := 1; number <= upTo; number++ {
		switch {
		case counts[number]:
		case dropped[number]:
			again = append(again, number)
		default:
			fresh = append(fresh, number)
		}
	}
	if len(fresh) > 0 {
		return fresh
	}
	return again
}

// pair measures one pair and decides whether it counts.
func (m *measurement) pair(ctx context.Context, p schedule.Pair) error {
	if p.Process != m.launched {
		if err := errors.Join(m.closeAll(), m.process(ctx, p)); err != nil {
			return err
		}
	}
	first := p.Order.First()
	if err := m.activate(ctx, first); err != nil {
		return err
	}
	if m.schedule.Bridge(p, m.last, m.previous == p.Number-1) {
		if err := m.prove(ctx, evidence.Sample{Kind: evidence.Unmeasured, Arm: first,
			Seed: m.bridgeSeed(p.Number)}); err != nil {
			return err
		}
	}
	number := m.progress.Tries(p.Number) + 1
	for _, arm := range p.Order.Arms() {
		if err := m.activate(ctx, arm); err != nil {
			return err
		}
		sample := evidence.Sample{
			Kind:    evidence.Measured,
			Arm:     arm,
			Pair:    p.Number,
			Block:   p.Block,
			Order:   stats.Order(p.Order),
			Attempt: number,
			Seed:    m.schedule.Seed(p.Number, number),
		}
		if err := m.prove(ctx, sample); err != nil {
			return err
		}
	}
	m.previous = p.Number
	attempts := m.progress.Attempts()
	return m.settle(attempts[len(attempts)-1])
}

// bridgeSeed returns the seed of an unmeasured proof: the last seed that all arms have proven, for which base has
// already reported its statement.
func (m *measurement) bridgeSeed(pair int) uint64 {
	for _, s := range slices.Backward(m.progress.Samples) {
		missing := func(arm schedule.Arm) bool { _, made := m.progress.ProofOf(arm, s.Seed); return !made }
		if s.Arm == schedule.Base && !slices.ContainsFunc(m.run.decision.Arms(), missing) {
			return s.Seed
		}
	}
	return m.schedule.BridgeSeed(pair)
}

// settle drops an attempt if its samples have causes, or if not every arm was measured. No other value influences it.
func (m *measurement) settle(a record.Attempt) error {
	if a.Dropped {
		return nil
	}
	var causes []evidence.Cause
	for _, at := range a.Indices {
		if at >= 0 {
			causes = append(causes, m.progress.Samples[at].Causes...)
		}
	}
	if !a.Whole() {
		missing := m.run.decision.Arms()[slices.Index(a.Indices, -1)]
		causes = []evidence.Cause{{Arm: missing, Kind: evidence.CauseInterrupted,
			Text: "the run was interrupted before both halves were measured and verified"}}
		if m.run.decision.HeadCount() > 1 {
			causes[0].Text = "the run was interrupted before every arm was measured and verified"
		}
	}
	if len(causes) == 0 {
		return nil
	}
	if err := m.run.record(record.KindDropped, record.Dropped{Workload: m.workload.Name, Pair: a.Pair, Attempt: a.Number,
		Causes: causes}); err != nil {
		return err
	}
	m.run.notify(Notice{
		Workload: m.workload.Name,
		Text:     fmt.Sprintf("pair %d will be measured again: %s", a.Pair, evidence.CausesText(causes)),
	})
	return nil
}

// interim makes an interim analysis and decides whether to stop. It journals the decision, not the data.
func (m *measurement) interim(pairs int) (stop bool, err error) {
	last := pairs == m.design.Pairs
	if !last {
		metric := m.judgedBy()
		_, sequential, err := m.design.Analyze(evidence.StatsPairs(m.progress.Counted(metric.Name)),
			m.run.decision.StatsOptions(metric))
		if err != nil {
			return false, m.statistics(err)
		}
		stop = sequential.Done()
	}
	taken := record.Interim{Workload: m.workload.Name, Pairs: pairs, Stopped: stop}
	if len(m.design.Analyses) == 1 || slices.Contains(m.progress.Interims, taken) {
		return stop, nil
	}
	return stop, m.run.record(record.KindInterim, taken)
}

func (m *measurement) statistics(err error) error {
	return &failure.Error{Failure: failure.Failure{
		Step:     failure.StepStatistics,
		Workload: m.workload.Name,
		Cause:    fmt.Sprintf("%s: %v", m.metric.Name, err),
	}, Err: err}
}
