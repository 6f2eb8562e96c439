package measure_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/stats"
)

func TestReportOfACompleteRun(t *testing.T) {
	w := newWorld(t, strings.Replace(worldConfig, "report: [proof_bytes]",
		"report: [proof_bytes, energy_joules, {name: proofs_per_second, better: higher, scale: percent}, {name: "+
			"stage_commit_seconds, control: true}, nowhere]", 1)+
		"host: {name: bench-1, cost_per_hour: 3600 USD}\n")
	w.commit("base", "seconds=0.005 noise=0.005 rate=1")
	w.commit("head", "seconds=0.0055 noise=0.005 rate=1 fallbacks=3")
	r := w.compare(w.options("base..head"), failure.ExitRegression)
	load := r.Workloads[0]
	if r.State != report.Complete || load.Stats.Verdict != stats.Regression || r.AA || r.Failure != nil {
		t.Errorf("state %s, verdict %s", r.State, load.Stats.Verdict)
	}
	if load.ProofsMade != load.ProofsPlanned || load.Verified.Base+load.Verified.Head != load.ProofsMade {
		t.Errorf("%d proofs planned, %d made, %+v verified", load.ProofsPlanned, load.ProofsMade, load.Verified)
	}
	if r.Host.Name != "bench-1" || r.Cost == nil || r.Cost.Currency != "USD" ||
		math.Abs(r.Cost.Total-3600*r.Cost.Hours) > 1e-9 {
		t.Errorf("host %s, cost %+v", r.Host.Name, r.Cost)
	}
	if r.Environment.Start == nil || r.Environment.End == nil {
		t.Error("the host was not recorded at both ends")
	}
	checkSecondary(t, r)
	for _, c := range load.Counters {
		if c.Name == "fallbacks" && (c.BaseMax != 0 || c.HeadMin != 3 || c.HeadMax != 3) {
			t.Errorf("counter %+v", c)
		}
	}
	checkPairs(t, load)
	for _, path := range []string{r.Paths.Report, r.Paths.Journal, r.Paths.Directory + "/run.json",
		r.Paths.Directory + "/report.txt"} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	again, err := report.Load(journal.Directory(r.Paths.Directory))
	if err != nil || again.Run.ID != r.Run.ID || again.Workloads[0].Stats.T.P != load.Stats.T.P {
		t.Errorf("read back: %v", err)
	}
}

// checkSecondary looks at the family of secondary metrics and stages.
func checkSecondary(t *testing.T, r *report.Report) {
	t.Helper()
	load := r.Workloads[0]
	found := map[string]report.Secondary{}
	tested := 0
	for _, s := range load.Secondary {
		found[s.Metric] = s
		if s.Stats != nil {
			tested++
		}
	}
	rate := found["proofs_per_second"]
	if rate.Stats == nil || rate.Stats.Verdict != stats.Regression || rate.Stats.Scale != stats.ScalePercent {
		t.Errorf("a lower rate is a regression: %+v", rate)
	}
	if s := found["nowhere"]; s.Stats != nil || s.PHolm.Exists() || s.Untested != "base does not report it" {
		t.Errorf("a metric that no proof reports: %+v", s)
	}
	if s := found["stage_other_seconds"]; s.Kind != report.KindStage || s.Stats == nil {
		t.Errorf("a stage is found by its name: %+v", s)
	}
	if s := found["proof_bytes"]; s.Stats == nil || s.Stats.T.P != 1 || s.PHolm != 1 {
		t.Errorf("equal sizes: %+v", s)
	}
	if s := found["energy_joules"]; s.Stats == nil || s.MeanA != 2 {
		t.Errorf("what the observer reads is a metric: %+v", s)
	}
	control := found["stage_commit_seconds"]
	if !control.ControlMoved || float64(control.PHolm) < float64(control.Stats.P()) ||
		float64(control.PHolm) > float64(tested)*float64(control.Stats.P()) {
		t.Errorf("a control that moved: %+v", control)
	}
	warned := false
	for _, warning := range load.Warnings {
		warned = warned || warning.Kind == string(stats.WarnControl) && strings.Contains(warning.Text, "stage_commit_seconds")
	}
	if !warned {
		t.Errorf("no warning about the control in %v", load.Warnings)
	}
}

// checkPairs compares the counted pairs with their samples.
func checkPairs(t *testing.T, load report.Workload) {
	t.Helper()
	seen := map[int]bool{}
	for _, p := range load.Pairs {
		base, head := load.Samples[p.Base], load.Samples[p.Head]
		switch {
		case seen[p.Number]:
			t.Errorf("pair %d is there twice", p.Number)
		case base.Arm != schedule.Base || head.Arm != schedule.Head || base.Pair != p.Number || head.Pair != p.Number:
			t.Errorf("pair %d has the samples %+v and %+v", p.Number, base, head)
		case base.Seed != head.Seed || base.Seed != p.Seed:
			t.Errorf("pair %d has the seeds %d and %d", p.Number, base.Seed, head.Seed)
		case (p.Base < p.Head) != (p.Order == stats.OrderAB):
			t.Errorf("pair %d is %s, its samples are at %d and %d", p.Number, p.Order, p.Base, p.Head)
		case p.A != base.Metrics["prove_seconds"] || p.B != head.Metrics["prove_seconds"]:
			t.Errorf("pair %d has other values than its samples", p.Number)
		case base.Dropped || head.Dropped || !base.Verified || !head.Verified:
			t.Errorf("pair %d counts dropped or unverified samples", p.Number)
		}
		seen[p.Number] = true
	}
}

// Every plan makes exactly the forecast number of proofs.
func TestPlans(t *testing.T) {
	longtest.Only(t)
	for name, plan := range map[string]string{
		"no warm-up":          "{settle: 0, pairs: 8, seed: 3, warmup: 0}",
		"two warm-ups":        "{settle: 0, pairs: 10, seed: 4, launches: 1, warmup: 2, cooldown: 1ms}",
		"alternating":         "{settle: 0, pairs: 8, seed: 5, launches: 1, design: alternating}",
		"one session":         "{settle: 0, pairs: 8, seed: 6, resident: one}",
		"one session, warm 2": "{settle: 0, pairs: 8, seed: 11, resident: one, warmup: 2}",
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, strings.Replace(worldConfig, "{settle: 0, pairs: 8, seed: 7, launches: 1}", plan, 1))
			w.commit("base", "seconds=0.005 noise=0.02")
			w.commit("head", "seconds=0.005 noise=0.02")
			r := w.compare(w.options("base..head"), failure.ExitOK)
			load := r.Workloads[0]
			if load.ProofsMade != load.ProofsPlanned {
				t.Errorf("%d proofs planned, %d made", load.ProofsPlanned, load.ProofsMade)
			}
			checkPairs(t, load)
			checkNeighbours(t, load, r.Plan)
			if one := r.Plan.Resident == "one"; one != (load.BaseSession.Starts > 1) {
				t.Errorf("base was started %d times", load.BaseSession.Starts)
			}
			alternating := false
			for _, warning := range r.Warnings {
				alternating = alternating || warning.Kind == "alternating"
			}
			if alternating != (r.Plan.Design == "alternating") {
				t.Errorf("warnings %v", r.Warnings)
			}
		})
	}
}

// checkNeighbours checks the reason for unmeasured proofs: in ABBA the first proof of a block follows one of its own
// arm.
func checkNeighbours(t *testing.T, load report.Workload, plan plan.Plan) {
	t.Helper()
	if plan.Design != "abba" {
		return
	}
	for i, s := range load.Samples {
		if s.Kind == evidence.Measured && s.Pair%2 == 1 && load.Samples[max(0, i-1)].Pair != s.Pair {
			if i == 0 || load.Samples[i-1].Arm != s.Arm {
				t.Errorf("the block of pair %d opens with %s after the other arm", s.Pair, s.Arm)
			}
		}
	}
}

// A pair is dropped for outside causes only, measured again in the same order, and reported by arm.
func TestDrops(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "seconds=0.005 noise=0.005")
	w.commit("head", "seconds=0.0055 noise=0.005")
	undisturbed := w.compare(w.options("base..head"), failure.ExitRegression)

	observer := &scripted{causes: func(n int) []environment.Cause {
		if n == 5 { // two warm-ups come first: this is the first proof of pair 2
			return []environment.Cause{{Kind: environment.Steal, Detail: "the hypervisor took 30.0 % of the CPU time away"}}
		}
		return nil
	}}
	w.observe = func() measure.Observer { return observer }
	r := w.compare(w.options("base..head"), failure.ExitRegression)
	load := r.Workloads[0]
	if len(load.Drops) != 1 || len(load.Pairs) != 8 {
		t.Fatalf("%d drops, %d pairs", len(load.Drops), len(load.Pairs))
	}
	d := load.Drops[0]
	last := load.Pairs[len(load.Pairs)-1]
	if last.Number != d.Pair || last.Order != d.Order || last.Attempt != 2 || d.Attempt != 1 {
		t.Errorf("pair %d was dropped (%s), and pair %d measured at the end (%s)", d.Pair, d.Order, last.Number, last.Order)
	}
	if len(d.Causes) != 1 || d.Causes[0].Kind != "steal" || d.Causes[0].Arm != load.Samples[4].Arm || !d.A.Exists() ||
		!d.B.Exists() {
		t.Errorf("drop %+v", d)
	}
	checkPairs(t, load)
	// The fake prover's times depend only on the seed. The other pairs keep their times, and the dropped pair has a new
	// seed.
	before := undisturbed.Workloads[0].Pairs
	for _, p := range load.Pairs {
		at := slices.IndexFunc(before, func(q evidence.Pair) bool { return q.Number == p.Number })
		if q := before[at]; p.Number != d.Pair && (p.Seed != q.Seed || p.A != q.A || p.B != q.B) ||
			p.Number == d.Pair && (p.Seed == q.Seed || p.A == q.A) {
			t.Errorf("pair %+v, undisturbed %+v", p, q)
		}
	}
	if !observer.closed {
		t.Error("the observer was not closed")
	}
}

func TestTooManyDropsEndTheRun(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "")
	w.commit("head", "")
	w.observe = func() measure.Observer {
		return &scripted{culprits: []environment.Culprit{{PID: 4711, Name: "browser", Share: 0.5}},
			causes: func(int) []environment.Cause {
				return []environment.Cause{{Kind: environment.Others, Detail: "other processes took 80 % of the CPU time"}}
			}}
	}
	r := w.compare(w.options("base..head"), failure.ExitUnfit)
	if r.State != report.Failed || r.Failure.Step != failure.StepEnvironment ||
		!strings.Contains(r.Failure.Cause, "8 pairs of 8 planned") {
		t.Errorf("failure %+v: want it once every pair was measured", r.Failure)
	}
	if r.Workloads[0].Stats != nil || len(r.Workloads[0].Pairs) != 0 {
		t.Error("a verdict of dropped pairs")
	}
	checkBusy(t, r)
	// The journal has the same result.
	if err := os.Remove(r.Paths.Report); err != nil {
		t.Fatal(err)
	}
	again, err := report.Load(journal.Directory(r.Paths.Directory))
	if err != nil {
		t.Fatal(err)
	}
	checkBusy(t, again)
	if _, err := measure.Resume(t.Context(), journal.Directory(r.Paths.Directory), w.controls()); err == nil {
		t.Error("a run whose estimate was shown is resumed")
	}
}

// checkBusy checks the estimate of a run of eight pairs that were all disturbed.
func checkBusy(t *testing.T, r *report.Report) {
	t.Helper()
	b := r.Workloads[0].Busy
	if b == nil || b.Pairs != 8 || b.Disturbed != 8 || b.Dropped != 8 || b.Stats == nil || b.Causes["others"] != 16 {
		t.Fatalf("busy %+v: want all eight pairs", b)
	}
	d, n := 0.0, 0.0
	for _, s := range r.Workloads[0].Samples { // the mean of log ratios, over both arms of every pair
		switch {
		case s.Kind != evidence.Measured:
		case s.Arm == schedule.Base:
			d += math.Log(s.Metrics["prove_seconds"])
			n++
		default:
			d -= math.Log(s.Metrics["prove_seconds"])
		}
	}
	if got, want := b.Stats.T.Mean.Float(), d/n; n != 8 || math.Abs(got-want) > 1e-12 || b.Stats.Verdict != "" ||
		!b.Stats.EffectCIPercent.Exists() {
		t.Errorf("estimate %v of %v pairs, want %v; verdict %q", got, n, want, b.Stats.Verdict)
	}
	if len(b.Culprits) != 1 || b.Culprits[0].PID != 4711 || b.Culprits[0].Share != 0.5 ||
		!strings.Contains(strings.Join(b.Advice, "; "), "close browser (PID 4711)") ||
		!strings.Contains(strings.Join(b.Advice, "; "), "environment.others") {
		t.Errorf("culprits %v, advice %q", b.Culprits, b.Advice)
	}
}

// Runs of base against itself with the same noise, for 8 seeds: at most one may call a difference.
func TestAASeeds(t *testing.T) {
	longtest.Only(t)
	w := newWorld(t, worldConfig)
	w.commit("base", "seconds=0.005 noise=0.02")
	w.write("note", "nothing that matters")
	w.commit("other", "seconds=0.005 noise=0.02")
	bad := 0
	for seed := uint64(1); seed <= 8; seed++ {
		o := w.options("base..other")
		o.Seed = seed
		r, err := harness.Compare(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if r.ExitCode != failure.ExitOK || r.Workloads[0].Stats.Verdict == stats.Improvement {
			bad++
		}
	}
	if bad > 1 {
		t.Errorf("%d of 8 runs without a difference ended with regression or improvement", bad)
	}
}

func TestRequireQuiet(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "")
	w.commit("head", "")
	o := w.options("base..head")
	o.RequireQuiet = true
	noise := []environment.Cause{{Kind: environment.Others, Detail: "other processes took 80 % of the CPU time"}}
	measure.SetWaitQuiet(&o.Controls,
		func(_ context.Context, _ environment.Thresholds, progress ...func([]environment.Cause)) error {
			progress[0](noise)
			return &environment.NotQuietError{
				Waited:    time.Minute,
				Causes:    noise,
				Checks:    60,
				Disturbed: map[environment.Kind]int{environment.Others: 58},
				Longest:   2 * time.Second,
				Needed:    5 * time.Second,
			}
		})
	r := w.compare(o, failure.ExitUnfit)
	if r.Failure == nil || !strings.Contains(r.Failure.Cause,
		"did not become quiet in 1m0s: in 60 checks it was disturbed by (times) others 58; the longest quiet time was 2s, "+
			"and 5s were asked for; at last: other processes") || len(r.Workloads) != 0 {
		t.Errorf("failure %+v", r.Failure)
	}
	measure.SetWaitQuiet(&o.Controls, func(context.Context, environment.Thresholds, ...func([]environment.Cause)) error {
		return nil
	})
	w.compare(o, failure.ExitOK)
}

func TestClaims(t *testing.T) {
	const one, two = "11", "22"
	for _, c := range []struct {
		base, head       evidence.Session
		problem, warning string
	}{
		{evidence.Session{}, evidence.Session{}, "", ""},
		{evidence.Session{Statement: one, SecurityBits: 128}, evidence.Session{Statement: one, SecurityBits: 128}, "", ""},
		{evidence.Session{Statement: one}, evidence.Session{Statement: two}, "different statements", ""},
		{evidence.Session{Statement: one}, evidence.Session{}, "head does not", ""},
		{evidence.Session{}, evidence.Session{Statement: one}, "", "base does not"},
		{evidence.Session{Statement: one, SecurityBits: 128}, evidence.Session{Statement: one, SecurityBits: 127},
			"head claims 127 bits", ""},
		{evidence.Session{Statement: one, SecurityBits: 128}, evidence.Session{Statement: one}, "head claims none", ""},
		{evidence.Session{Statement: one, SecurityBits: 100}, evidence.Session{Statement: one, SecurityBits: 128}, "",
			"head claims 128 bits"},
		{evidence.Session{SecurityBits: 100}, evidence.Session{SecurityBits: 100}, "", ""},
	} {
		problem, warning := measure.ClaimsDiffer(c.base, c.head)
		if (c.problem == "") != (problem == "") || !strings.Contains(problem, c.problem) ||
			(c.warning == "") != (warning == "") || !strings.Contains(warning, c.warning) {
			t.Errorf("%+v and %+v: problem %q, warning %q", c.base, c.head, problem, warning)
		}
	}
}

// If several exit codes apply, the order is 130, 2, 3, 4, 1, 0.
func TestExitCodes(t *testing.T) {
	bad := &report.Report{ExitCode: failure.ExitRegression}
	failed := &failure.Error{Failure: failure.Failure{Step: failure.StepProof, Cause: "x"}}
	unfit := &failure.Error{Failure: failure.Failure{Step: failure.StepEnvironment, Cause: "x"}}
	wrong := &failure.UsageError{Err: errors.New("x")}
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 1}, {unfit, 4}, {failed, 3}, {errors.New("disk full"), 3}, {errors.Join(failed, wrong), 2},
		{errors.Join(failed, failure.ErrInterrupted), 130}, {&journal.BusyError{}, 4},
	} {
		if got := report.ExitCode(bad, c.err); got != c.want {
			t.Errorf("%v: exit code %d, want %d", c.err, got, c.want)
		}
	}
}

// Requirements of a proof beyond validity; each rejection names its reason.
func TestRefusedProofs(t *testing.T) {
	longtest.Only(t)
	process := strings.Replace(worldConfig, `session: ["{bin/prover}", session, --model, model]`,
		`process: ["{bin/prover}", prove, --model, model, --seed, "{seed}", --proof, "{proof}", --metrics, "{metrics}"]`, 1)
	for name, c := range map[string]struct{ config, head, step, cause string }{
		"a counter that is not there": {
			strings.Replace(worldConfig, "timeout: 30s", "timeout: 30s\n    expect: {counters: {rounds: 3}}", 1), "",
			failure.StepExpect, "the counter rounds is missing, expected == 3 (there are: fallbacks)"},
		"a metric beyond its bound": {
			strings.Replace(worldConfig, "timeout: 30s", `timeout: 30s`+"\n    expect: {metrics: {proof_bytes: \"< 10\"}}", 1),
			"",
			failure.StepExpect, "the metric proof_bytes is"},
		"no primary metric": {
			strings.Replace(worldConfig, "primary: prove_seconds", "primary: elapsed_seconds", 1), "",
			failure.StepProof, "the primary metric elapsed_seconds is not among its metrics: "},
		"a primary metric of 0": {
			strings.Replace(worldConfig, "primary: prove_seconds", "primary: stage_commit_seconds", 1), "commit=0",
			failure.StepProof, "the primary metric stage_commit_seconds is 0: the log scale needs values above 0"},
		"two ways of timing": {process, "fault=nometrics", failure.StepProof,
			"one arm reports prove_seconds and the other is timed from outside"},
		"another claim after a restart": {
			strings.Replace(worldConfig, "seed: 7, launches: 1}", "seed: 7, resident: one}", 1), "fault=fickle at=0",
			failure.StepStatement, "after a restart it claims statement"},
		"another statement after a restart": {
			strings.Replace(worldConfig, "seed: 7, launches: 1}", "seed: 7, resident: one}", 1), "fault=restated",
			failure.StepStatement, "after a restart it claims statement"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, c.config)
			w.commit("base", "")
			w.commit("head", "noise=0.02 "+c.head)
			r := w.compare(w.options("base..head"), failure.ExitFailed)
			if r.Failure.Step != c.step || !strings.Contains(r.Failure.Cause, c.cause) || r.Failure.Workload != "quick" ||
				r.Failure.SHA == "" {
				t.Errorf("failure %+v, want step %s and cause %q", r.Failure, c.step, c.cause)
			}
		})
	}
}

// Conditions that are reported without ending the run.
func TestWarnings(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "seconds=0.005 noise=0.005")
	w.commit("head", "seconds=0.0049 noise=0.005 fault=badexit bits=129")
	r := w.compare(w.options("base..head"), failure.ExitOK)
	all := ""
	for _, warning := range r.Workloads[0].Warnings {
		all += warning.String() + "\n"
	}
	for _, want := range []string{
		"session end: the session of head: asked to exit, it exited with status 4",
		"statement: head claims 129 bits of security and base 128",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
}

// A daemon would take time from the other arm. It is killed and reported.
func TestDaemonsAreAWarning(t *testing.T) {
	w := newWorld(t, strings.Replace(worldConfig, `session: ["{bin/prover}", session, --model, model]`,
		`process: ["{bin/prover}", prove, --model, model, --seed, "{seed}", --proof, "{proof}", --metrics, "{metrics}"]`, 1)+
		"environment: {steal: 100%, others: 100%, memory_pressure: 100%}\n")
	w.commit("base", "seconds=0.005 noise=0.005")
	w.commit("head", "seconds=0.005 noise=0.005 fault=daemon")
	w.observe = nil // the real one, which adopts orphans
	r := w.compare(w.options("base..head"), failure.ExitOK)
	var told []string
	for _, warning := range r.Workloads[0].Warnings {
		if warning.Kind == "left behind" {
			told = append(told, warning.Text)
		}
	}
	if len(told) != 1 || !strings.HasPrefix(told[0], "head left processes behind, which were killed (sleep)") {
		t.Errorf("warnings %q, want one of head", told)
	}
}

// A stop lets the running proof finish. The run is then partial and can be resumed.
func TestStopDuringTheBuild(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.write("build.sh", "sleep 600\n")
	w.commit("base", "")
	w.commit("head", "")
	o := w.options("base..head")
	stop := make(chan struct{})
	o.Stop = stop
	time.AfterFunc(300*time.Millisecond, func() { close(stop) })
	r := w.compare(o, failure.ExitInterrupted)
	if r.State != report.Partial || len(r.Workloads) != 0 {
		t.Errorf("state %s with %d workloads", r.State, len(r.Workloads))
	}
}

// While a session starts, no proof can finish.
func TestStopWhileASessionStarts(t *testing.T) {
	w := newWorld(t, strings.Replace(worldConfig, "timeout: 30s", "timeout: 1h", 1))
	w.commit("base", "")
	w.commit("head", "fault=late")
	o := w.options("base..head")
	stop := make(chan struct{})
	o.Stop = stop
	notify := o.Notify
	o.Notify = func(n measure.Notice) {
		notify(n)
		if strings.HasPrefix(n.Text, "measuring") {
			time.AfterFunc(300*time.Millisecond, func() { close(stop) })
		}
	}
	begun := time.Now()
	r := w.compare(o, failure.ExitInterrupted)
	if took := time.Since(begun); r.State != report.Partial || took > 30*time.Minute {
		t.Errorf("state %s after %v: the session would have been waited for an hour", r.State, took)
	}
}

// A prover does not see the environment of the make or the git hook that started the harness.
func TestProversDoNotSeeTheCallersMakeAndGit(t *testing.T) {
	w := newWorld(t, strings.Replace(worldConfig, `session: ["{bin/prover}", session, --model, model]`,
		`process: [sh, -c, 'echo "SEEN=$SEEN MAKEFLAGS=$MAKEFLAGS GIT_DIR=$GIT_DIR" >&2; exec "$0" "$@"', "{bin/prover}", prove, --model, model, --seed, "{seed}", --proof, "{proof}", --metrics, "{metrics}"]`, 1))
	w.commit("base", "")
	t.Setenv("MAKEFLAGS", "--jobserver-auth=3,4")
	t.Setenv("GIT_DIR", "/nowhere")
	t.Setenv("SEEN", "yes")
	r := w.compare(w.options("base..base"), failure.ExitOK)
	text, err := os.ReadFile(filepath.Join(r.Paths.Logs, "quick-base-prover.log"))
	if err != nil || !strings.Contains(string(text), "SEEN=yes MAKEFLAGS= GIT_DIR=\n") {
		t.Errorf("%v\n%s", err, text)
	}
}

// Inputs are hashed into the run, and a run whose input has changed cannot be resumed.
func TestInputs(t *testing.T) {
	w := newWorld(t, strings.Replace(worldConfig, "--model, model]", `--model, "{input:data/model}"]`, 1))
	w.write("data/model", "seconds=0.01 noise=0\n")
	w.commit("base", "seconds=0.45")
	w.commit("head", "seconds=0.45")
	r := w.compare(w.options("base..head"), failure.ExitOK)
	load := r.Workloads[0]
	if load.Pairs[0].A != 0.01 || len(load.Inputs) != 1 || load.Inputs[0].Name != "data/model" ||
		len(load.Inputs[0].SHA256) != 64 {
		t.Errorf("pair %+v, inputs %+v", load.Pairs[0], load.Inputs)
	}
	dir := truncate(t, journal.Directory(r.Paths.Directory), 10)
	w.write("data/model", "seconds=0.005 noise=0\n")
	_, err := measure.Resume(t.Context(), dir, w.controls())
	if report.ExitCode(nil, err) != failure.ExitUsage ||
		!strings.Contains(err.Error(), "the input data/model of workload quick has changed") {
		t.Errorf("resumed with another input: %v", err)
	}
}

// truncate copies a run into a new folder with only the first records of its journal, as if it had been killed there.
func truncate(t *testing.T, dir journal.Directory, records int) journal.Directory {
	t.Helper()
	text, err := os.ReadFile(dir.JournalFile())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	decision, err := os.ReadFile(dir.RunFile())
	if err != nil {
		t.Fatal(err)
	}
	copied := journal.Directory(filepath.Join(filepath.Dir(string(dir)), dir.ID()+"-cut"))
	for _, folder := range []string{copied.Logs(), copied.Proofs()} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	torn := lines[records][:len(lines[records])/2]
	for path, content := range map[string]string{
		copied.RunFile():     string(decision),
		copied.JournalFile(): strings.Join(lines[:records], "") + torn,
	} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return copied
}
