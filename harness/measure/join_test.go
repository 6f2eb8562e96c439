package measure_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// hostNames are the hosts of the tests.
var hostNames = []string{"a", "b", "c", "d"}

// fleet measures base..head in real processes once for each host, each with its own order. slowed gives the percentage
// by which the head of the named hosts is slowed. Seeds are fixed: with random ones, a twentieth of the runs would find
// a difference between equal hosts.
func fleet(t *testing.T, slowed map[string]string) (*config.File, []report.HostReport) {
	t.Helper()
	w := newWorld(t, strings.Replace(worldConfig, "pairs: 8, seed: 7,", "pairs: 6,", 1))
	w.commit("base", "seconds=0.004 noise=0.002")
	w.commit("head", "seconds=0.0036 noise=0.002 slowed="+w.dir+"/host")
	var hosts []report.HostReport
	for k, name := range hostNames {
		w.write("host", slowed[name])
		o := w.options("base..head")
		o.Seed = uint64(1 + k)
		r, err := harness.Compare(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		hosts = append(hosts, report.HostReport{Name: name, Report: r})
	}
	file, err := config.Load(w.dir + "/bench.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return file, hosts
}

// copied lets a case change the reports of all hosts.
func copied(t *testing.T, hosts []report.HostReport, change func([]report.HostReport)) []report.HostReport {
	t.Helper()
	list := slices.Clone(hosts)
	for i := range list {
		text, err := json.Marshal(list[i].Report)
		if err != nil {
			t.Fatal(err)
		}
		list[i].Report = new(report.Report)
		if err := json.Unmarshal(text, list[i].Report); err != nil {
			t.Fatal(err)
		}
	}
	change(list)
	return list
}

// Four hosts, on three of which head is 10 % faster. The fourth is named, and the effect is the mean of the hosts'
// effects, which the test computes from each host's report.
func TestJoinNamesTheHostThatIsApart(t *testing.T) {
	file, hosts := fleet(t, map[string]string{"c": "8"})
	r, err := report.Join(file, hosts, report.JoinOptions{})
	if err != nil {
		t.Fatal(err)
	}
	load := r.Workloads[0]
	mean := 0.0
	for _, h := range hosts {
		mean += h.Report.Workloads[0].Stats.T.Mean.Float() / float64(len(hosts))
	}
	if r.State != report.Complete || len(load.Pairs) != 24 || load.Stats.Units != 4 ||
		math.Abs(load.Stats.T.Mean.Float()-mean) > 1e-12 {
		t.Errorf("%s, %d pairs, %d units, mean %v, want %g", r.State, len(load.Pairs), load.Stats.Units, load.Stats.T.Mean,
			mean)
	}
	if !slices.Equal(load.Hosts.Apart, []int{3}) || len(load.Secondary) == 0 || load.Secondary[0].Stats == nil ||
		load.Secondary[0].Stats.Unit != stats.UnitHost {
		t.Errorf("apart %v, secondary %+v", load.Hosts.Apart, load.Secondary)
	}
	if !slices.ContainsFunc(load.Stats.Warnings,
		func(w stats.Warning) bool { return strings.HasPrefix(w.Text, "c differs from the other hosts") }) {
		t.Errorf("warnings %v", load.Stats.Warnings)
	}
	if load.Verified.Base+load.Verified.Head != load.ProofsMade || load.ProofsMade != len(load.Samples) ||
		!load.Cross.Accepted || r.PairsPlanned() != 24 {
		t.Errorf("%+v verified, %d made of %d samples, %+v", load.Verified, load.ProofsMade, len(load.Samples), load.Cross)
	}
	// Without the fourth host the others agree, and report it with their own pairs alone.
	rest, err := report.Join(file, hosts, report.JoinOptions{Without: []string{"c"}})
	if err != nil || rest.ExitCode != failure.ExitOK || rest.Workloads[0].Stats.Verdict != stats.Improvement ||
		len(rest.Workloads[0].Hosts.Apart) > 0 {
		t.Errorf("without c: %v, %+v", err, rest.Workloads[0].Stats)
	}
	if !rest.Hosts[2].LeftOut || len(rest.Workloads[0].Pairs) != 18 {
		t.Errorf("c was not left out: %+v", rest.Hosts)
	}
	joinUnfinished(t, file, hosts)
	joinRefuses(t, file, hosts)
}

// joinUnfinished: hosts that did not finish withhold the verdict; a failed host is a failure, whatever the others
// report.
func joinUnfinished(t *testing.T, file *config.File, hosts []report.HostReport) {
	failed := func(step string) func(*report.Report) {
		return func(r *report.Report) {
			r.State, r.Failure = report.Failed, &failure.Failure{
				Step:     step,
				Arm:      schedule.Head,
				SHA:      r.Head.SHA,
				Workload: "",
				Cause:    "planted",
			}
		}
	}
	for name, test := range map[string]struct {
		change  func(*report.Report)
		options report.JoinOptions
		state   report.State
		code    int
		says    string
	}{
		"killed": {func(r *report.Report) { r.State = report.Partial }, report.JoinOptions{}, report.Partial,
			failure.ExitInterrupted, "b did not finish its run"},
		"busy": {failed(failure.StepEnvironment), report.JoinOptions{}, report.Partial, failure.ExitInterrupted,
			"b could not measure: planted"},
		"refused proof": {failed(failure.StepVerify), report.JoinOptions{}, report.Failed, failure.ExitFailed,
			"on host b: planted"},
		"missing": {func(*report.Report) {}, report.JoinOptions{Hosts: 5}, report.Partial, failure.ExitInterrupted,
			"1 of 5 hosts left no result"},
		"begun with a": {func(r *report.Report) { r.Run.ID = hosts[0].Report.Run.ID }, report.JoinOptions{},
			report.Complete, failure.ExitOK, "c differs"},
		"killed, without": {func(r *report.Report) { r.State = report.Partial },
			report.JoinOptions{Without: []string{"b"}}, report.Complete, failure.ExitOK,
			"b was left out (--without), partial"},
	} {
		list := copied(t, hosts, func(hosts []report.HostReport) { test.change(hosts[1].Report) })
		r, err := report.Join(file, list, test.options)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text, _ := json.Marshal([]any{r.Warnings, r.Failure, r.Workloads[0].Stats})
		if r.State != test.state || r.ExitCode != test.code || !strings.Contains(string(text), test.says) {
			t.Errorf("%s: %s, exit code %d, %s", name, r.State, r.ExitCode, text)
		}
		if verdict := r.Workloads[0].Verdict(); (verdict != "") != (test.state == report.Complete) {
			t.Errorf("%s: verdict %q", name, verdict)
		}
	}
}

// joinRefuses: reports of another comparison, or duplicates, are not joined.
func joinRefuses(t *testing.T, file *config.File, hosts []report.HostReport) {
	for want, change := range map[string]func([]report.HostReport){
		"two results of host a": func(h []report.HostReport) { h[1].Name = "a" },
		"have the same run":     func(h []report.HostReport) { *h[1].Report = *h[0].Report },
		"have the same seed": func(h []report.HostReport) {
			h[1].Report.Plan.Seed = h[0].Report.Plan.Seed
		},
		"host b: it compared": func(h []report.HostReport) {
			h[1].Report.Head.SHA = h[1].Report.Base.SHA
		},
		"another bench.yaml": func(h []report.HostReport) { h[1].Report.Run.ConfigSHA256 = "00" },
		"another environment": func(h []report.HostReport) {
			h[1].Report.Head.Env = map[string]string{"A": "1"}
		},
		"its plan differs from that of a": func(h []report.HostReport) { h[1].Report.Plan.Pairs++ },
		"planned with alpha 0.5": func(h []report.HostReport) {
			planned(h, func(p *plan.Plan) { p.Alpha = 0.5 })
		},
		"planned with a baseline pre-check": func(h []report.HostReport) {
			planned(h, func(p *plan.Plan) { p.PreCheck = 1 })
		},
		"planned with 2 analyses": func(h []report.HostReport) {
			planned(h, func(p *plan.Plan) { p.Analyses = 2 })
		},
		"only runs of kind compare can be joined": func(h []report.HostReport) {
			h[1].Report.Run.Kind = plan.KindCalibrate
		},
		"host b proved another statement": func(h []report.HostReport) {
			h[1].Report.Workloads[0].BaseSession.Statement = "x"
		},
		"host b had other inputs": func(h []report.HostReport) {
			h[1].Report.Workloads[0].Inputs = []plan.Input{{Name: "x"}}
		},
		"host b has not measured it":         func(h []report.HostReport) { h[1].Report.Workloads = nil },
		"host b: pair 1 has a prove_seconds": func(h []report.HostReport) { forge(h[1].Report, 1) },
		"host b: it has 4 pairs": func(h []report.HostReport) {
			w := &h[1].Report.Workloads[0]
			w.Pairs = w.Pairs[:4]
		},
		"results of 1 hosts":                        nil,
		"no result of host e to leave out: there a": nil,
	} {
		list, options := slices.Clone(hosts), report.JoinOptions{}
		switch {
		case change != nil:
			list = copied(t, hosts, change)
		case strings.HasPrefix(want, "no result"):
			options.Without = []string{"e"}
		default:
			list = list[:1]
		}
		r, err := report.Join(file, list, options)
		if err == nil || !strings.Contains(err.Error(), want) || report.ExitCode(r, err) != failure.ExitUsage {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// planned changes the plan of all hosts.
func planned(hosts []report.HostReport, change func(*plan.Plan)) {
	for _, h := range hosts {
		change(&h.Report.Plan)
	}
}

// forge makes head of a pair faster without changing its sample.
func forge(r *report.Report, number int) {
	for i := range r.Workloads[0].Pairs {
		if p := &r.Workloads[0].Pairs[i]; p.Number == number {
			p.B /= 2
		}
	}
}
