package measure

import (
	"maps"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/record"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/floor"
	"github.com/chiasmus/chiasmus/stats"
)

// measuredRun is a run of three processes per arm, with its report.
func measuredRun(folder string) (*run, *report.Report) {
	w := report.Workload{
		Name: "w", Metric: metrics.Metric{Name: "prove_seconds", Scale: stats.ScaleLog}, Stats: &stats.Result{}, Warmups: 2,
		Exact: []report.Exact{{Name: "cells", BaseMin: 3, BaseMax: 3, HeadMin: 4, HeadMax: 4},
			{Name: "bytes", BaseMin: 1, BaseMax: 2, HeadMin: 1, HeadMax: 2}},
	}
	for i, seconds := range []float64{1, 2, 4} {
		for _, arm := range []schedule.Arm{schedule.Base, schedule.Head} {
			w.Samples = append(w.Samples, evidence.Sample{
				Arm:     arm,
				Metrics: map[string]float64{"prove_seconds": seconds, metrics.WallSeconds: seconds + 0.5, "gpu_clock_sm_mhz": 1500},
			})
		}
		w.Pairs = append(w.Pairs, evidence.Pair{Number: i + 1, Process: i + 1, Base: 2 * i, Head: 2*i + 1})
	}
	d := &plan.Decision{
		Kind: plan.KindCompare,
		ID:   "run",
		Base: plan.Revision{SHA: "0123456789"},
		Head: plan.Revision{SHA: "9876543210"},
		File: &config.File{},
	}
	report := &report.Report{State: report.Complete, Workloads: []report.Workload{w}}
	report.Environment.Start = &environment.Snapshot{Hostname: "bench"}
	return &run{decision: d, controls: Controls{Baselines: folder}, history: record.NewHistory()}, report
}

// A local run keeps base's baseline; a night also keeps head's. A pull request's run keeps none, whatever it requests;
// nor do runs that did not end, calibrations, randomized builds, and changes that no commit contains.
func TestWhatIsKept(t *testing.T) {
	for name, test := range map[string]struct {
		with func(d *plan.Decision, r *report.Report)
		want int
	}{
		"one's own": {func(*plan.Decision, *report.Report) {}, 1},
		"a night":   {func(d *plan.Decision, _ *report.Report) { d.KeepHead = true }, 2},
		"a pull request": {func(d *plan.Decision, _ *report.Report) {
			d.PullRequest, d.KeepHead, d.Plan.PreCheck = true, true,
				1
		},
			0},
		"a calibration":           {func(d *plan.Decision, _ *report.Report) { d.Kind = plan.KindCalibrate }, 0},
		"a failed run":            {func(_ *plan.Decision, r *report.Report) { r.State = report.Failed }, 0},
		"drawn builds":            {func(d *plan.Decision, _ *report.Report) { d.Plan.Builds = 6 }, 0},
		"a base without a commit": {func(d *plan.Decision, _ *report.Report) { d.Base.Dirty = true }, 0},
		"two processes": {func(_ *plan.Decision,
			r *report.Report) {
			r.Workloads[0].Pairs = r.Workloads[0].Pairs[:2]
		}, 0},
		"decided by the first": {func(_ *plan.Decision, r *report.Report) { r.Workloads[0].Stats.Phase = 1 }, 0},
		"another scale": {func(_ *plan.Decision,
			r *report.Report) {
			r.Workloads[0].Metric.Scale = stats.ScaleDifference
		}, 0},
	} {
		folder := t.TempDir()
		r, report := measuredRun(folder)
		test.with(r.decision, report)
		if err := r.keepBaselines(report); err != nil {
			t.Fatal(err)
		}
		list, refused, err := baseline.Read(folder, "w")
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

// Times of head alone are not used if the host was disturbed, the clock differs or is not trusted, the session worked
// without a request, or the claim is weaker.
func TestUnusable(t *testing.T) {
	defer floor.OnAnyHost()()
	for want, change := range map[string]func(s *evidence.Sample, b *baseline.Baseline){
		"": func(*evidence.Sample, *baseline.Baseline) {},
		"the host was disturbed: others took 9 % (head)": func(s *evidence.Sample, _ *baseline.Baseline) {
			s.Causes = []evidence.Cause{{Arm: schedule.Head, Kind: "others", Text: "others took 9 %"}}
		},
		"the baseline uses prove_seconds, and head's differs from wall_seconds by up to 9.1 %, more than 0.2 %": func(
			s *evidence.Sample, _ *baseline.Baseline) {
			s.Metrics[metrics.WallSeconds] += 0.1
		},
		"the GPUs' clock was 1500 MHz at the baseline, and is 1400 MHz": func(s *evidence.Sample, _ *baseline.Baseline) {
			s.Metrics["gpu_clock_sm_mhz"] = 1400
		},
		"head claims 100 bits of security and base 128": func(_ *evidence.Sample, b *baseline.Baseline) {
			b.Session.SecurityBits = 128
		},
		"the session of head took 3 ms more CPU time per proof than base did; 2.1 ms are allowed": func(
			s *evidence.Sample, b *baseline.Baseline) {
			s.WaitedCPUSeconds, b.Deferred = 0.005, 0.002
		},
	} {
		s := evidence.Sample{
			Kind:    evidence.PreCheck,
			Arm:     schedule.Head,
			Metrics: map[string]float64{"prove_seconds": 1, metrics.WallSeconds: 1, "gpu_clock_sm_mhz": 1500},
		}
		b := &baseline.Baseline{Metric: "prove_seconds", Clock: 1500, Seconds: 1,
			Session: evidence.Session{SecurityBits: 100}}
		change(&s, b)
		m := &measurement{
			run:       &run{decision: &plan.Decision{File: &config.File{}, Plan: plan.Plan{Equivalence: 0.01}}},
			workload:  config.Workload{Session: session1(t)},
			metric:    config.Metric{Name: "prove_seconds"},
			wallTimed: map[schedule.Arm]bool{},
			progress: &record.Progress{Samples: evidence.Samples{s},
				Sessions: map[schedule.Arm]evidence.Session{schedule.Head: {SecurityBits: 100}}},
		}
		if why := m.unusable(&record.PreCheck{PreCheck: baseline.PreCheck{Baseline: b}}); !strings.Contains(why, want) ||
			(why == "") != (want == "") {
			t.Errorf("%q, want %q", why, want)
		}
	}
}

// session1 is the template of an arbitrary session.
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

// The run of a pull request trusts only a folder that bench.yaml names and that its user cannot write to, including
// every file in it.
func TestTrustedBaselines(t *testing.T) {
	own := t.TempDir()
	file := &config.File{}
	r := &run{decision: &plan.Decision{File: file}, controls: Controls{Baselines: own}}
	if folder, why := r.trustedBaselines(); folder != own || why != "" {
		t.Errorf("one's own run: %s, %s", folder, why)
	}
	r.decision.PullRequest = true
	for folder, want := range map[string]string{
		"":            "trusts no baseline in a cache, and bench.yaml names no github.baselines",
		own:           "is writable by the user of this run",
		own + "/none": "no such file",
	} {
		file.GitHub.Baselines = folder
		if got, why := r.trustedBaselines(); got != "" || !strings.Contains(why, want) {
			t.Errorf("%q: %q, %s", folder, got, why)
		}
	}
	const system = "/etc/hostname" // owned by root, wherever tests run
	if mine, err := writable(system); err != nil || mine != (os.Geteuid() == 0) {
		t.Errorf("%s is writable: %v, %v", system, mine, err)
	}
	if os.Geteuid() == 0 {
		return // a user who may write everything trusts nothing
	}
	file.GitHub.Baselines = "/usr/games"
	if _, err := os.Stat("/usr/games"); err == nil {
		if folder, why := r.trustedBaselines(); folder == "" {
			t.Errorf("another's folder: %s", why)
		}
	}
}

// A pull request's run trusts no baselines folder; baselines that were transferred to it take the folder's place.
func TestCarriedBaselines(t *testing.T) {
	var own []baseline.Baseline
	for day := range 3 {
		own = append(own, baseline.Baseline{Workload: "w", Time: time.Now().AddDate(0, 0, day-3)})
	}
	other := own[0]
	other.Workload = "w-other"
	r := &run{decision: &plan.Decision{File: &config.File{}, PullRequest: true}}
	if list, _, why := r.baselinesFor("w"); list != nil || !strings.Contains(why, "trusts no baseline in a cache") {
		t.Errorf("%v, %s", list, why)
	}
	r.controls.Carried = append(own, other)
	list, refused, why := r.baselinesFor("w")
	if why != "" || refused != nil || len(list) != 3 || !list[0].Time.After(list[1].Time) ||
		!list[1].Time.After(list[2].Time) {
		t.Errorf("%v, %v, %s", list, refused, why)
	}
}
