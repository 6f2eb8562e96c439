package harness

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/internal/floor"
	"github.com/chiasmus/chiasmus/stats"
)

// daysOf makes baselines of one build, a day apart, the newest of them ten hours old.
func daysOf(rev *Revision, now time.Time, days int) (list []Baseline) {
	for day := range days {
		b := Baseline{
			Schema: BaselineSchema, Run: "run", Revision: rev.SHA, Workload: "w", Host: &environment.Snapshot{Hostname: "bench"},
			Setup: map[string]string{"the harness": "v1", "the toolchain": "go1"}, Build: rev.identity(), Warmups: 1,
			Means: []float64{0, 0.001, 0.002}, Seconds: 1, Time: now.Add(-10*time.Hour).AddDate(0, 0, -day),
		}
		b.SHA256 = b.sum()
		list = append(list, b)
	}
	return list
}

// The newest baseline of the build is taken, with the moves over at least its age; every reason against one is named.
func TestChooseBaseline(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	rev := &Revision{SHA: "0123456789abcdef", Artifacts: []Artifact{{Name: "p", SHA256: "1"}}}
	setup := map[string]string{"the harness": "v1", "the toolchain": "go1"}
	host := &environment.Snapshot{Hostname: "bench"}
	chosen, moves, why := chooseBaseline(daysOf(rev, now, 6), nil, rev, setup, host, now)
	if why != "" || chosen == nil || !chosen.Time.Equal(now.Add(-10*time.Hour)) || len(moves) != 5 {
		t.Fatalf("%+v, %d moves, %s", chosen, len(moves), why)
	}
	for want, change := range map[string]func(b *Baseline){
		"measured otherwise: the harness was v0 and is v1": func(b *Baseline) {
			b.Setup = map[string]string{"the harness": "v0", "the toolchain": "go1"}
		},
		"measured otherwise: the toolchain was missing and is go1": func(b *Baseline) {
			b.Setup = map[string]string{"the harness": "v1"}
		},
		"measured otherwise: hostname: other -> bench": func(b *Baseline) {
			b.Host = &environment.Snapshot{Hostname: "other"}
		},
		"gpus[0].driver: 580 -> none": func(b *Baseline) {
			b.Host = &environment.Snapshot{Hostname: "bench", GPUs: []environment.GPU{{Driver: "580"}}}
		},
		"gpus[0].power_limit_watts: 700 -> none": func(b *Baseline) {
			watts := 700.0
			b.Host = &environment.Snapshot{Hostname: "bench", GPUs: []environment.GPU{{PowerLimit: &watts}}}
		},
		"is of another build of 0123456": func(b *Baseline) { b.Build = "0" },
		"is 7.4 days old, more than 7":   func(b *Baseline) { b.Time = b.Time.AddDate(0, 0, -7) },
		"is of a time to come":           func(b *Baseline) { b.Time = now.Add(time.Minute) },
		"there is no baseline of 0123456 on this host but what is refused: x was changed": func(b *Baseline) {
			b.Revision = "other"
		},
	} {
		list := daysOf(rev, now, 1)
		change(&list[0])
		if chosen, _, why := chooseBaseline(list, []string{"x was changed"}, rev, setup, host, now); chosen != nil ||
			!strings.Contains(why, want) {
			t.Errorf("%q, want %q", why, want)
		}
	}
	if _, _, why := chooseBaseline(daysOf(rev, now, 4), nil, rev, setup, host, now); !strings.Contains(why,
		"show only 3 times how far it moves in as long, of 4") {
		t.Error(why)
	}
	list := daysOf(rev, now, 6)
	for i := range list[1:] {
		list[i+1].Host = &environment.Snapshot{Hostname: "other"} // whose moves are another host's
	}
	if _, _, why := chooseBaseline(list, nil, rev, setup, host, now); !strings.Contains(why, "show only 0 times") {
		t.Error(why)
	}
	other := *rev
	other.Artifacts = []Artifact{{Name: "p", SHA256: "2"}}
	if rev.identity() == other.identity() {
		t.Error("two builds have one identity")
	}
}

// What was written is read back; what was changed, cut or is of another version is refused by name, and what is too old
// for anything is deleted.
func TestBaselineFiles(t *testing.T) {
	folder, now := t.TempDir(), time.Now()
	rev := &Revision{SHA: "0123456789abcdef"}
	b := daysOf(rev, now, 1)[0]
	if err := b.write(folder); err != nil {
		t.Fatal(err)
	}
	list, refused, err := readBaselines(folder, "w")
	if err != nil || len(list) != 1 || len(refused) != 0 || list[0].SHA256 != b.SHA256 ||
		!slices.Equal(list[0].Means, b.Means) {
		t.Fatalf("%+v, %v, %v", list, refused, err)
	}
	path := filepath.Join(folder, "w-run-"+b.Build[:8]+".json")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for want, text := range map[string]string{
		"was changed after it was written": strings.Replace(string(good), "0.001", "0.003", 1),
		"cannot be read":                   string(good[:len(good)/2]),
		"cannot be read: json: unknown":    strings.Replace(string(good), `"run"`, `"ran"`, 1),
		"this harness reads":               strings.Replace(string(good), BaselineSchema, "chiasmus.baseline/9", 1),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if list, refused, err := readBaselines(folder, "w"); err != nil || len(list) != 0 || len(refused) != 1 ||
			!strings.Contains(refused[0], want) {
			t.Errorf("%v, %v, %v, want %q", list, refused, err, want)
		}
	}
	if err := os.Chtimes(path, now, now.Add(-61*24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	b.Run = "later"
	if err := b.write(folder); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a baseline of 61 days is still there: %v", err)
	}
}

// Bounds are compared with the cached counters; only one that is held ends a run.
func TestExactAlone(t *testing.T) {
	file := &config.File{Metrics: config.Metrics{Exact: map[string]float64{"cells": 0.1}}}
	d := &Decision{file: file}
	proofs := func(cells ...float64) (list []Sample) {
		for _, x := range cells {
			list = append(list, Sample{Kind: Alone, Counters: map[string]float64{"cells": x}})
		}
		return list
	}
	base := &Baseline{Exact: map[string]float64{"cells": 100, "bytes": 7}}
	if list, why := d.exactAlone(proofs(110, 110), base); why != "" || len(list) != 2 || list[1].Bound != BoundHeld ||
		list[1].ChangePercent != 10 || list[0].Inexact == "" {
		t.Errorf("%+v, %s", list, why)
	}
	for name, test := range map[string]struct {
		proofs []Sample
		base   *Baseline
	}{
		"more":                  {proofs(111, 111), base},
		"one proof has more":    {proofs(100, 111), base},
		"base did not repeat":   {proofs(100, 100), &Baseline{}},
		"head does not have it": {[]Sample{{}, {}}, base},
	} {
		if _, why := d.exactAlone(test.proofs, test.base); !strings.Contains(why, "whether cells keeps its bound") {
			t.Errorf("%s: %q", name, why)
		}
	}
}

// The p of a first tier counts against the alpha of pairs as its own part of alpha does.
func TestFamilyOfTiers(t *testing.T) {
	plan := Plan{Alpha: 0.05, Looks: 1, Tier: 1}
	first, second := stats.SplitTiers(0.05)
	w := judged(stats.Regression, first/2)
	w.Stats.Tier = 1
	if p, err := wholeP(plan, &w); err != nil || p != stats.Number(second/2) {
		t.Errorf("%v, %v", p, err)
	}
	w = judged(stats.Negligible, 1e-9)
	w.Stats.Tier = 1
	if p, err := wholeP(plan, &w); err != nil || p != 1 {
		t.Errorf("no change called: %v, %v", p, err)
	}
	if plan.WholeAlpha() != second || (Plan{Alpha: 0.05}).WholeAlpha() != 0.05 {
		t.Errorf("alpha of pairs %g", plan.WholeAlpha())
	}
	plan.StageMargin = 0.003
	if a, b := plan.tierAlphas(); a+b > 0.8*0.05+1e-15 || a+b < 0.8*0.05-1e-15 {
		t.Errorf("%g and %g beside stages", a, b)
	}
}

// measuredRun is a run of three processes of either arm, and what it would report.
func measuredRun(folder string) (*run, *Report) {
	w := Workload{
		Name: "w", Metric: Metric{Name: "prove_seconds", Scale: stats.ScaleLog}, Stats: &stats.Result{}, Warmups: 2,
		Exact: []Exact{{Name: "cells", BaseMin: 3, BaseMax: 3, HeadMin: 4, HeadMax: 4},
			{Name: "bytes", BaseMin: 1, BaseMax: 2, HeadMin: 1, HeadMax: 2}},
	}
	for i, seconds := range []float64{1, 2, 4} {
		for _, arm := range []Arm{Base, Head} {
			w.Samples = append(w.Samples, Sample{
				Arm:     arm,
				Metrics: map[string]float64{"prove_seconds": seconds, metricWall: seconds + 0.5, "gpu_clock_sm_mhz": 1500},
			})
		}
		w.Pairs = append(w.Pairs, Pair{Number: i + 1, Launch: i + 1, Base: 2 * i, Head: 2*i + 1})
	}
	d := &Decision{
		Kind: KindCompare,
		ID:   "run",
		Base: Revision{SHA: "0123456789"},
		Head: Revision{SHA: "9876543210"},
		file: &config.File{},
	}
	report := &Report{State: Complete, Workloads: []Workload{w}}
	report.Environment.Start = &environment.Snapshot{Hostname: "bench"}
	return &run{decision: d, controls: Controls{Baselines: folder}, history: newHistory()}, report
}

// Who keeps what: a run of one's own keeps base, a night head too; a pull request's run nothing, whatever it asks for,
// nor do runs that did not end, calibrations, drawn builds, and changes that no commit holds.
func TestWhatIsKept(t *testing.T) {
	for name, test := range map[string]struct {
		with func(d *Decision, r *Report)
		want int
	}{
		"one's own": {func(*Decision, *Report) {}, 1},
		"a night":   {func(d *Decision, _ *Report) { d.KeepHead = true }, 2},
		"a pull request": {func(d *Decision, _ *Report) { d.PullRequest, d.KeepHead, d.Plan.Tier = true, true, 1 },
			0},
		"a calibration":           {func(d *Decision, _ *Report) { d.Kind = KindCalibrate }, 0},
		"a failed run":            {func(_ *Decision, r *Report) { r.State = Failed }, 0},
		"drawn builds":            {func(d *Decision, _ *Report) { d.Plan.Builds = 6 }, 0},
		"a base without a commit": {func(d *Decision, _ *Report) { d.Base.Dirty = true }, 0},
		"two processes":           {func(_ *Decision, r *Report) { r.Workloads[0].Pairs = r.Workloads[0].Pairs[:2] }, 0},
		"decided by the first":    {func(_ *Decision, r *Report) { r.Workloads[0].Stats.Tier = 1 }, 0},
		"another scale":           {func(_ *Decision, r *Report) { r.Workloads[0].Metric.Scale = stats.ScaleDifference }, 0},
	} {
		folder := t.TempDir()
		r, report := measuredRun(folder)
		test.with(r.decision, report)
		if err := r.keepBaselines(report); err != nil {
			t.Fatal(err)
		}
		list, refused, err := readBaselines(folder, "w")
		if err != nil || len(list) != test.want || len(refused) != 0 {
			t.Errorf("%s: %d kept, want %d, %v, %v", name, len(list), test.want, refused, err)
		}
		for _, b := range list {
			want := map[string]float64{"cells": 3}
			if b.Revision != "0123456789" {
				want["cells"] = 4
			}
			if !maps.Equal(b.Exact, want) || len(b.Means) != 3 || b.Means[0] != 0 || b.Metric != "prove_seconds" ||
				b.Clock != 1500 || b.Warmups != 2 || math.Abs(b.Seconds-7.0/3) > 1e-12 {
				t.Errorf("%s: %+v", name, b)
			}
		}
	}
}

// Times of head alone are no evidence where the host was disturbed, a clock is another or not believed, the session
// worked while nothing was asked of it, or the claim is weaker.
func TestUnusable(t *testing.T) {
	defer floor.OnAnyHost()()
	for want, change := range map[string]func(s *Sample, b *Baseline){
		"": func(*Sample, *Baseline) {},
		"the host was disturbed: others took 9 % (head)": func(s *Sample, _ *Baseline) {
			s.Causes = []Cause{{Head, "others", "others took 9 %"}}
		},
		"the baseline is by prove_seconds, and head's differs from wall_seconds by up to 9.1 %, more than 0.2 %": func(
			s *Sample, _ *Baseline) {
			s.Metrics[metricWall] += 0.1
		},
		"the GPUs' clock was 1500 MHz at the baseline, and is 1400 MHz": func(s *Sample, _ *Baseline) {
			s.Metrics["gpu_clock_sm_mhz"] = 1400
		},
		"head claims 100 bits of security and base 128": func(_ *Sample, b *Baseline) {
			b.Session.SecurityBits = 128
		},
		"the session of head took 3 ms of CPU time for each proof more than base did, and 2.1 ms are allowed": func(
			s *Sample, b *Baseline) {
			s.WaitedCPUSeconds, b.Deferred = 0.005, 0.002
		},
	} {
		s := Sample{
			Kind:    Alone,
			Arm:     Head,
			Metrics: map[string]float64{"prove_seconds": 1, metricWall: 1, "gpu_clock_sm_mhz": 1500},
		}
		b := &Baseline{Metric: "prove_seconds", Clock: 1500, Seconds: 1, Session: Session{SecurityBits: 100}}
		change(&s, b)
		m := &measurement{
			run:       &run{decision: &Decision{file: &config.File{}, Plan: Plan{Equivalence: 0.01}}},
			workload:  config.Workload{Session: session1(t)},
			metric:    config.Metric{Name: "prove_seconds"},
			wallTimed: map[Arm]bool{},
			progress:  &progress{samples: Samples{s}, sessions: map[Arm]Session{Head: {SecurityBits: 100}}},
		}
		if why := m.unusable(&tierRecord{Tier: Tier{Baseline: b}}); !strings.Contains(why, want) ||
			(why == "") != (want == "") {
			t.Errorf("%q, want %q", why, want)
		}
	}
}

// session1 is the template of some session.
func session1(t *testing.T) config.Template {
	t.Helper()
	file, err := config.Parse("x",
		[]byte("version: 1\nbuild: {command: [make], artifacts: [p]}\nworkloads:\n  - {name: w, session: [\"{p}\"], "+
			"verify: [\"{p}\", \"{proof}\"]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return file.Workloads[0].Session
}

// The run of a pull request trusts only a folder that bench.yaml names and its user cannot write to, nor any file in
// it.
func TestTrustedBaselines(t *testing.T) {
	own := t.TempDir()
	file := &config.File{}
	r := &run{decision: &Decision{file: file}, controls: Controls{Baselines: own}}
	if folder, why := r.trustedBaselines(); folder != own || why != "" {
		t.Errorf("one's own run: %s, %s", folder, why)
	}
	r.decision.PullRequest = true
	for folder, want := range map[string]string{
		"":            "trusts no baseline in a cache, and bench.yaml names no github.baselines",
		own:           "could be written by the user of this run",
		own + "/none": "no such file",
	} {
		file.GitHub.Baselines = folder
		if got, why := r.trustedBaselines(); got != "" || !strings.Contains(why, want) {
			t.Errorf("%q: %q, %s", folder, got, why)
		}
	}
	const system = "/etc/hostname" // of the superuser, wherever tests run
	if mine, err := writable(system); err != nil || mine != (os.Geteuid() == 0) {
		t.Errorf("%s is writable: %v, %v", system, mine, err)
	}
	if os.Geteuid() == 0 {
		return // who may write everything trusts nothing
	}
	file.GitHub.Baselines = "/usr/games"
	if _, err := os.Stat("/usr/games"); err == nil {
		if folder, why := r.trustedBaselines(); folder == "" {
			t.Errorf("another's folder: %s", why)
		}
	}
}
