package harness_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/stats"
)

// hostNames are the hosts of the tests.
var hostNames = []string{"a", "b", "c", "d"}

// fleet measures base..head in real processes once for each host, with an order of its own, where the head of the hosts
// named is slowed by so many percent. Seeds are given, as of drawn ones a twentieth has hosts apart that do not differ.
func fleet(t *testing.T, slowed map[string]string) (*config.File, []harness.HostReport) {
	t.Helper()
	w := newWorld(t, strings.Replace(worldConfig, "pairs: 8, seed: 7,", "pairs: 6,", 1))
	w.commit("base", "seconds=0.004 noise=0.002")
	w.commit("head", "seconds=0.0036 noise=0.002 slowed="+w.dir+"/host")
	var hosts []harness.HostReport
	for k, name := range hostNames {
		w.write("host", slowed[name])
		o := w.options("base..head")
		o.Seed = uint64(1 + k)
		report, err := harness.Compare(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		hosts = append(hosts, harness.HostReport{Name: name, Report: report})
	}
	file, err := config.Load(w.dir + "/bench.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return file, hosts
}

// copied lets a case change the reports of all hosts.
func copied(t *testing.T, hosts []harness.HostReport, change func([]harness.HostReport)) []harness.HostReport {
	t.Helper()
	list := slices.Clone(hosts)
	for i := range list {
		text, err := json.Marshal(list[i].Report)
		if err != nil {
			t.Fatal(err)
		}
		list[i].Report = new(harness.Report)
		if err := json.Unmarshal(text, list[i].Report); err != nil {
			t.Fatal(err)
		}
	}
	change(list)
	return list
}

// Four hosts of which head is 10 % faster on all but one: the odd one is named, and the effect is the mean of the
// hosts' own, which the test computes from each host's report.
func TestJoinNamesTheHostThatIsApart(t *testing.T) {
	file, hosts := fleet(t, map[string]string{"c": "8"})
	r, err := harness.Join(file, hosts, harness.JoinOptions{})
	if err != nil {
		t.Fatal(err)
	}
	load := r.Workloads[0]
	mean := 0.0
	for _, h := range hosts {
		mean += h.Report.Workloads[0].Stats.T.Mean.Float() / float64(len(hosts))
	}
	if r.State != harness.Complete || len(load.Pairs) != 24 || load.Stats.Units != 4 ||
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
	// Left out, the rest agree, and say so with their own pairs alone.
	rest, err := harness.Join(file, hosts, harness.JoinOptions{Without: []string{"c"}})
	if err != nil || rest.ExitCode != harness.ExitOK || rest.Workloads[0].Stats.Verdict != stats.Improvement ||
		len(rest.Workloads[0].Hosts.Apart) > 0 {
		t.Errorf("without c: %v, %+v", err, rest.Workloads[0].Stats)
	}
	if !rest.Hosts[2].LeftOut || len(rest.Workloads[0].Pairs) != 18 {
		t.Errorf("c was not left out: %+v", rest.Hosts)
	}
	joinUnfinished(t, file, hosts)
	joinRefuses(t, file, hosts)
}

// joinUnfinished: hosts that did not finish withhold the verdict, one that failed is a failure, whatever the others
// say.
func joinUnfinished(t *testing.T, file *config.File, hosts []harness.HostReport) {
	failed := func(step string) func(*harness.Report) {
		return func(r *harness.Report) {
			r.State, r.Failure = harness.Failed, &harness.Failure{
				Step:     step,
				Arm:      harness.Head,
				SHA:      r.Head.SHA,
				Workload: "",
				Cause:    "planted",
			}
		}
	}
	for name, test := range map[string]struct {
		change  func(*harness.Report)
		options harness.JoinOptions
		state   harness.State
		code    int
		says    string
	}{
		"killed": {func(r *harness.Report) { r.State = harness.Partial }, harness.JoinOptions{}, harness.Partial,
			harness.ExitInterrupted, "b did not finish its run"},
		"busy": {failed(harness.StepEnvironment), harness.JoinOptions{}, harness.Partial, harness.ExitInterrupted,
			"b could not measure: planted"},
		"refused proof": {failed(harness.StepVerify), harness.JoinOptions{}, harness.Failed, harness.ExitFailed,
			"on host b: planted"},
		"missing": {func(*harness.Report) {}, harness.JoinOptions{Hosts: 5}, harness.Partial, harness.ExitInterrupted,
			"1 of 5 hosts left no result"},
		"begun with a": {func(r *harness.Report) { r.Run.ID = hosts[0].Report.Run.ID }, harness.JoinOptions{},
			harness.Complete, harness.ExitOK, "c differs"},
		"killed, without": {func(r *harness.Report) { r.State = harness.Partial },
			harness.JoinOptions{Without: []string{"b"}}, harness.Complete, harness.ExitOK,
			"b was left out (--without), partial"},
	} {
		list := copied(t, hosts, func(hosts []harness.HostReport) { test.change(hosts[1].Report) })
		r, err := harness.Join(file, list, test.options)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text, _ := json.Marshal([]any{r.Warnings, r.Failure, r.Workloads[0].Stats})
		if r.State != test.state || r.ExitCode != test.code || !strings.Contains(string(text), test.says) {
			t.Errorf("%s: %s, exit code %d, %s", name, r.State, r.ExitCode, text)
		}
		if verdict := r.Workloads[0].Verdict(); (verdict != "") != (test.state == harness.Complete) {
			t.Errorf("%s: verdict %q", name, verdict)
		}
	}
}

// joinRefuses: what is not of one comparison, or is there twice, is not joined.
func joinRefuses(t *testing.T, file *config.File, hosts []harness.HostReport) {
	for want, change := range map[string]func([]harness.HostReport){
		"two results of host a": func(h []harness.HostReport) { h[1].Name = "a" },
		"have the same run":     func(h []harness.HostReport) { *h[1].Report = *h[0].Report },
		"have the same seed": func(h []harness.HostReport) {
			h[1].Report.Plan.Seed = h[0].Report.Plan.Seed
		},
		"host b: it compared": func(h []harness.HostReport) {
			h[1].Report.Head.SHA = h[1].Report.Base.SHA
		},
		"another bench.yaml": func(h []harness.HostReport) { h[1].Report.Run.ConfigSHA256 = "00" },
		"another environment": func(h []harness.HostReport) {
			h[1].Report.Head.Env = map[string]string{"A": "1"}
		},
		"its plan is not that of a": func(h []harness.HostReport) { h[1].Report.Plan.Pairs++ },
		"planned with alpha 0.5": func(h []harness.HostReport) {
			planned(h, func(p *harness.Plan) { p.Alpha = 0.5 })
		},
		"planned with a first tier": func(h []harness.HostReport) {
			planned(h, func(p *harness.Plan) { p.Tier = 1 })
		},
		"planned with 2 looks": func(h []harness.HostReport) {
			planned(h, func(p *harness.Plan) { p.Looks = 2 })
		},
		"runs that compare are joined": func(h []harness.HostReport) {
			h[1].Report.Run.Kind = harness.KindCalibrate
		},
		"host b proved another statement": func(h []harness.HostReport) {
			h[1].Report.Workloads[0].BaseSession.Statement = "x"
		},
		"host b had other inputs": func(h []harness.HostReport) {
			h[1].Report.Workloads[0].Inputs = []harness.Input{{Name: "x"}}
		},
		"host b has not measured it":         func(h []harness.HostReport) { h[1].Report.Workloads = nil },
		"host b: pair 1 has a prove_seconds": func(h []harness.HostReport) { forge(h[1].Report, 1) },
		"host b: it has 4 pairs": func(h []harness.HostReport) {
			w := &h[1].Report.Workloads[0]
			w.Pairs = w.Pairs[:4]
		},
		"results of 1 hosts":                        nil,
		"no result of host e to leave out: there a": nil,
	} {
		list, options := slices.Clone(hosts), harness.JoinOptions{}
		switch {
		case change != nil:
			list = copied(t, hosts, change)
		case strings.HasPrefix(want, "no result"):
			options.Without = []string{"e"}
		default:
			list = list[:1]
		}
		r, err := harness.Join(file, list, options)
		if err == nil || !strings.Contains(err.Error(), want) || harness.ExitCode(r, err) != harness.ExitUsage {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// planned changes the plan of all hosts.
func planned(hosts []harness.HostReport, change func(*harness.Plan)) {
	for _, h := range hosts {
		change(&h.Report.Plan)
	}
}

// forge makes head of a pair faster without its sample.
func forge(r *harness.Report, number int) {
	for i := range r.Workloads[0].Pairs {
		if p := &r.Workloads[0].Pairs[i]; p.Number == number {
			p.B /= 2
		}
	}
}
