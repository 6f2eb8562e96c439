package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/build"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/flame"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

const (
	// mostFunctions is the number of functions in a report.
	mostFunctions = 10
	// sampledSeconds is the CPU time of each arm to sample, longestProfile the limit of the wall time in seconds.
	sampledSeconds = 3.0
	longestProfile = 60.0
	// fewSamples is the number of samples below which a profile is unreliable.
	fewSamples = 200
	// mostProfiled limits the sampled proofs of each arm.
	mostProfiled = 400
)

// profileAll profiles the measured workloads if the caller asked for it. Failures appear in the report and change
// nothing else.
func (r *run) profileAll(ctx context.Context, built map[schedule.Arm][]*build.Result) error {
	switch {
	case r.controls.Profile == "":
		return nil
	case r.decision.HeadCount() > 1:
		return r.event("nothing is profiled: a profile compares base with one head")
	}
	for _, name := range r.decision.Workloads {
		p := r.history.Workload(name)
		if !p.Measured || p.Profile != nil {
			continue
		}
		what := "sampling call stacks of both arms"
		if kernels, asked := r.wantsKernels(); asked {
			what = "tracing GPU kernels of both arms"
		} else if kernels {
			what += ", then tracing their GPU kernels"
		}
		r.notify(Notice{Text: name + ": " + what + ", now that all pairs are measured"})
		profile, err := r.profileWorkload(ctx, name, p, built)
		switch {
		case r.stopped() || ctx.Err() != nil:
			return nil // the verdict is known, and the user does not want to wait
		case err != nil:
			profile = evidence.CodeProfile{Source: profile.Source, Failed: err.Error()}
		}
		profile.Functions, profile.Notes = report.NotNil(profile.Functions), report.NotNil(profile.Notes)
		if err := r.record(record.KindProfiled, record.Profiled{Workload: name, Profile: profile}); err != nil {
			return err
		}
	}
	return nil
}

// profileWorkload profiles one workload: call stacks, GPU kernels, or both.
func (r *run) profileWorkload(ctx context.Context, name string, p *record.Progress,
	built map[schedule.Arm][]*build.Result) (out evidence.CodeProfile, err error) {
	m, err := r.newMeasurement(name, p, built)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, m.cleanUp(ctx)) }()
	if err := m.setUp(ctx); err != nil {
		return out, err
	}
	var base, head flame.Side
	kernels, asked := r.wantsKernels()
	if !asked {
		base, head, err = m.sampleStacks(ctx, built, &out)
	} else {
		out.Source = ProfileNsight
	}
	if err != nil && !kernels {
		return out, err
	}
	functions := flame.Changes(base, head)
	if kernels {
		traced, failed := m.traceKernels(ctx, built, &out)
		switch {
		case failed != nil && (asked || err != nil):
			return out, errors.Join(err, failed)
		case failed != nil:
			out.Notes = append(out.Notes, "GPU kernels were not traced: "+failed.Error())
		default:
			if err != nil {
				out.Notes = append(out.Notes, "no call stacks were sampled: "+err.Error())
			}
			functions = flame.Most(mostFunctions, functions, flame.Changes(*traced[schedule.Base], *traced[schedule.Head]))
			base, head = flame.Join(base, *traced[schedule.Base]), flame.Join(head, *traced[schedule.Head])
		}
	}
	out.Functions = flame.Most(mostFunctions, functions)
	out.Graph = filepath.ToSlash(filepath.Join(name, "flame.html"))
	return out, r.drawFlame(name, out, base, head)
}

// sampleStacks samples proofs of base and head in the order ABBA, with the same seeds, and adds its source, counts and
// notes to a profile.
func (m *measurement) sampleStacks(ctx context.Context, built map[schedule.Arm][]*build.Result,
	out *evidence.CodeProfile) (base, head flame.Side, err error) {
	source, err := m.run.findSource(ctx, built)
	out.Source = source.name
	if err != nil {
		return base, head, err
	}
	sides := map[schedule.Arm]*flame.Side{schedule.Base: {}, schedule.Head: {}}
	for _, arm := range []schedule.Arm{schedule.Base, schedule.Head, schedule.Head, schedule.Base} {
		proofs := (m.profiledProofs(arm) + 1) / 2
		stacks, notes, err := m.profileArm(ctx, arm, proofs, source)
		if err != nil {
			return base, head, fmt.Errorf("%s: %w", arm, err)
		}
		sides[arm].Stacks = append(sides[arm].Stacks, stacks...)
		sides[arm].Proofs += proofs
		if source.name == ProfilePprof && m.workload.IsSession() { // its profile includes the warm-up proofs
			sides[arm].Proofs += max(1, m.run.decision.Plan.Warmup)
		}
		for _, note := range notes {
			if !slices.Contains(out.Notes, note) {
				out.Notes = append(out.Notes, note)
			}
		}
	}
	base, head = *sides[schedule.Base], *sides[schedule.Head]
	base.Stacks, head.Stacks = flame.Fold(base.Stacks), flame.Fold(head.Stacks)
	samples := [2]int{int(math.Round(base.Samples())), int(math.Round(head.Samples()))}
	few := min(samples[0], samples[1])
	if few == 0 {
		return flame.Side{}, flame.Side{}, fmt.Errorf("%s took %d samples of base and %d of head: there is nothing to "+
			"compare", source.name, samples[0], samples[1])
	}
	if few < fewSamples {
		out.Notes = append(out.Notes, fmt.Sprintf("%d samples are few: only large changes show", few))
	}
	out.BaseProofs, out.HeadProofs = base.Proofs, head.Proofs
	out.BaseSamples, out.HeadSamples = samples[0], samples[1]
	out.BaseSeconds, out.HeadSeconds = base.Seconds(), head.Seconds()
	return base, head, nil
}

// drawFlame writes the flame graph into the run directory.
func (r *run) drawFlame(name string, p evidence.CodeProfile, base, head flame.Side) error {
	if err := os.MkdirAll(r.dir.Workload(name), 0o755); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(string(r.dir), filepath.FromSlash(p.Graph)))
	if err != nil {
		return err
	}
	about := flame.Page{
		Title: fmt.Sprintf("%s: head %s against base %s", name, r.decision.Head.Short(), r.decision.Base.Short()),
		Note:  flameNote(p),
	}
	return errors.Join(flame.Write(file, base, head, about), file.Close())
}

// flameNote explains the widths of a flame graph.
func flameNote(p evidence.CodeProfile) string {
	var notes []string
	if p.BaseSamples > 0 {
		notes = append(notes, fmt.Sprintf("By %s: %d samples of %d proofs of base, %d of %d of head, all on CPUs: time "+
			"in which nothing runs is not shown.", p.Source, p.BaseSamples, p.BaseProofs, p.HeadSamples, p.HeadProofs))
	}
	if p.GPU != nil {
		notes = append(notes, fmt.Sprintf("GPU kernels by nsys, of %d proofs of base and %d of head: they run while CPUs do.",
			p.GPU.BaseProofs, p.GPU.HeadProofs))
	}
	return strings.Join(notes, " ")
}

// profiledProofs returns the number of proofs of an arm to sample: enough for sampledSeconds of CPU time, within the
// limits.
func (m *measurement) profiledProofs(arm schedule.Arm) int {
	if n := m.run.controls.profiledProofs; n > 0 {
		return n
	}
	cpu, wall, n := 0.0, 0.0, 0.0
	for _, s := range m.progress.Samples {
		if s.Kind == evidence.Measured && s.Arm == arm {
			cpu, wall, n = cpu+s.Metrics[metrics.CPUSeconds], wall+s.Metrics[metrics.WallSeconds], n+1
		}
	}
	if n == 0 || wall == 0 {
		return 2
	}
	if cpu == 0 {
		cpu = wall
	}
	proofs := min(sampledSeconds/(cpu/n), longestProfile/4/(wall/n), mostProfiled)
	return max(2, int(math.Ceil(proofs)))
}

// profileArm samples proofs of one arm in new processes. The first proofs of a session only warm it up and are not
// sampled. The seeds are the seeds of the counted pairs, which both arms have proven.
func (m *measurement) profileArm(ctx context.Context, arm schedule.Arm, proofs int,
	source codeSource) (stacks []flame.Stack,
	notes []string, err error) {
	var seeds []uint64
	for _, pair := range m.progress.First(m.metric.Name) {
		seeds = append(seeds, pair.Seed)
	}
	if len(seeds) == 0 {
		return nil, nil, errors.New("no pair was measured, so there are no seeds to prove again")
	}
	taker, err := source.begin()
	if err != nil {
		return nil, nil, err
	}
	r := *m.builds[0][arm]
	r.around, r.wrap, r.linger = taker.around, taker.wrap, taker.linger
	if taker.written != nil {
		r.profile = filepath.Join(r.proofs, "cpu.pprof")
	}
	err = m.profileProofs(ctx, &r, proofs, seeds, taker)
	stacks, notes, ended := taker.end(ctx)
	return stacks, notes, errors.Join(err, ended)
}

func (m *measurement) profileProofs(ctx context.Context, r *runner, proofs int, seeds []uint64,
	taker stackTaker) error {
	prover, err := r.open(ctx)
	if err != nil {
		return err
	}
	prove := func(k int) error {
		if m.run.stopped() {
			return failure.ErrInterrupted
		}
		id := m.run.nextID()
		request := r.request(id, seeds[k%len(seeds)])
		if _, err := prover.Prove(ctx, request); err != nil {
			return r.failed(failure.StepProof, err)
		}
		if taker.written != nil && !m.workload.IsSession() {
			if err := taker.written(r.profile); err != nil {
				return err
			}
		}
		return errors.Join(removeIfThere(request.Proof), removeIfThere(request.Metrics), removeIfThere(request.Output))
	}
	each := func(count int, within func(func() error) error) {
		for k := 0; k < count && err == nil; k++ {
			if err = m.prepareProfiled(ctx, r.arm); err == nil {
				err = within(func() error { return prove(k) })
			}
		}
	}
	if m.workload.IsSession() {
		each(max(1, m.run.decision.Plan.Warmup), func(do func() error) error { return do() })
	}
	each(proofs, taker.while)
	err = errors.Join(err, prover.Close())
	if err == nil && taker.written != nil && m.workload.IsSession() {
		err = taker.written(r.profile)
	}
	return err
}

// prepareProfiled runs the workload's prepare hook, which is not sampled.
func (m *measurement) prepareProfiled(ctx context.Context, arm schedule.Arm) error {
	if m.workload.Prepare.Empty() {
		return nil
	}
	r := m.builds[0][arm]
	return m.hookEnded(r, hookPrepare, r.hook(ctx, hookPrepare, m.workload.Prepare))
}
