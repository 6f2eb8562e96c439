package config

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/chiasmus/chiasmus/harness/environment"
)

var update = flag.Bool("update", false, "rewrite golden files")

// minimal is the shortest valid file.
const minimal = `version: 1
build: {command: [make], artifacts: [bin/prover]}
workloads:
  - name: w
    session: ["{bin/prover}", session]
    verify: ["{bin/prover}", verify, "{proof}"]
`

func mustTemplate(t *testing.T, argv ...string) Template {
	t.Helper()
	out, err := ParseTemplate(argv)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var compareFiles = cmp.Options{
	cmp.Comparer(func(a, b Template) bool { return cmp.Equal(a.text, b.text) }),
	cmpopts.IgnoreUnexported(Nightly{}),
	cmpopts.IgnoreFields(File{}, "Source", "SHA256"),
}

func TestEveryKey(t *testing.T) {
	path := filepath.Join("testdata", "full.yaml")
	got, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	want := &File{
		Path: path, Version: 1,
		Build: Build{
			Fetch:            []string{"go", "mod", "download"},
			Command:          []string{"make", "build"},
			Artifacts:        []string{"bin/prover", "share/params.bin"},
			Env:              map[string]string{"CGO_ENABLED": "0"},
			Timeout:          20 * time.Minute,
			AllowLFSPointers: true,
			EnvPass:          []string{"PROVER_TABLES", "RISC0_*"},
			Layout:           Layout{map[string]string{"GOFLAGS": "-ldflags=-randlayout={layout}"}, []string{"SEED={layout}"}},
			Reuse:            []string{"target", "build/deps"},
		},
		Workloads: []Workload{
			{
				Name: "keccak-16k", Default: true, Line: 13, Timeout: 10 * time.Minute, Env: map[string]string{"GOGC": "200"},
				Session: mustTemplate(t, "{bin/prover}", "session", "--machine", "keccak", "--size", "16384", "--backend", "auto"),
				Verify:  mustTemplate(t, "{bin/prover}", "verify", "{proof}", "--expect-statement", "{exact_statement}"),
				Cross:   CrossAuto, Idle: IdleStop, Units: Units{Name: "permutations", Count: 16384},
				Expect: Expect{
					Counters: map[string]Expectation{"fallbacks": {"==", 0}, "kernel_launches": {">=", 1}},
					Metrics:  map[string]Expectation{"peak_device_bytes": {"<", 8e9}},
				},
			},
			{
				Name: "file", Line: 23, Timeout: 10 * time.Minute, MaxProof: 64 << 20,
				Process: mustTemplate(t, "{bin/prover}", "prove", "--input", "{input:testdata/a b.bin}", "--seed={seed}",
					"--metrics", "{metrics}", "-o", "{proof}", "{{literal}}"),
				Verify: mustTemplate(t, "{bin/prover}", "verify", "--params", "{share/params.bin}", "{proof}", "{statement}"),
				Cross:  CrossRequired, Idle: IdleRun, Statement: "a b.bin", ExactStatement: "3f",
				Units:   Units{Name: "cells", Counter: "cells"},
				Setup:   mustTemplate(t, "sh", "{input:testdata/a b.bin}", "{bin/prover}"),
				Prepare: mustTemplate(t, "sync"), Cleanup: mustTemplate(t, "rm", "-rf", "{{data}}"),
			},
		},
		Metrics: Metrics{
			Primary: Metric{"prove_seconds", Lower, LogScale, false},
			Report: []Metric{
				{"peak_device_bytes", Lower, LogScale, false}, {"throughput", Higher, PercentScale, false},
				{"stage_trace_seconds", Lower, DifferenceScale, true},
			},
			StageMargin: 0.003, Exact: map[string]float64{"cells": 0, "proof_bytes": 0.025},
		},
		Plan: Plan{
			Pairs:       20,
			Warmup:      2,
			Settle:      24,
			PreCheck:    1,
			Design:      Alternating,
			Seed:        1<<64 - 1,
			Alpha:       0.01,
			Equivalence: 0.005,
			Analyses:    3,
			Resident:    ResidentOne,
			Builds:      8,
			Cooldown:    250 * time.Millisecond,
		},
		Environment: environment.Thresholds{
			Steal:          0.05,
			Others:         0.10,
			MemoryPressure: 0.02,
			MemoryGrowth:   0.01,
			Suspend:        50 * time.Millisecond,
			IdleCPU:        0.01,
			IdleGPU:        0.02,
			GPUs:           []int{0, 2},
			Sample:         100 * time.Millisecond,
			Governor:       "performance",
			QuietFor:       10 * time.Second,
			QuietTimeout:   30 * time.Minute,
		},
		Host: Host{"bench-1", &Money{0.87, "USD"}},
		GitHub: GitHub{"/var/lib/baselines", []string{"self-hosted", "gpu-h200"}, 90 * time.Minute, 40, 4, failure,
			"/bench-h200"},
		Nightly: Nightly{
			Workloads: []string{"file"},
			Baseline:  "v1.2.0",
			History:   History{Branch: "nights"},
			Labels:    []string{"performance", "nightly"},
			Bisect:    90 * time.Minute,
			Pairs:     400,
			Unsettled: 14,
		},
	}
	if diff := cmp.Diff(want, got, compareFiles); diff != "" {
		t.Error(diff)
	}
	if again, err := Parse(got.Path, got.Source); err != nil || !cmp.Equal(got, again, compareFiles) {
		t.Errorf("parsing its source gives something else (%v)", err)
	}
	if names := got.Names(); !cmp.Equal(names, []string{"keccak-16k", "file"}) || len(got.DefaultWorkloads()) != 1 {
		t.Errorf("names %v, by default %v", names, got.DefaultWorkloads())
	}
	w, ok := got.Workload("file")
	if !ok || w.IsSession() || !w.Process.Uses(MetricsFile) {
		t.Errorf("%+v, %v", w, ok)
	}
}

// The example of the design document, verbatim, states only defaults in most sections.
func TestDesignExample(t *testing.T) {
	got, err := Load(filepath.Join("testdata", "design.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(got.Plan, defaultPlan()) || !cmp.Equal(got.Environment, environment.DefaultThresholds()) ||
		len(got.Metrics.Report) != 3 ||
		!cmp.Equal(got.Workloads[0].Expect.Counters, map[string]Expectation{"fallbacks": {"==", 0}}) {
		t.Errorf("%+v", got)
	}
}

func TestDefaults(t *testing.T) {
	got, err := Parse("bench.yaml", []byte(minimal))
	if err != nil {
		t.Fatal(err)
	}
	want := &File{
		Path: "bench.yaml", Version: 1,
		Build: Build{Command: []string{"make"}, Artifacts: []string{"bin/prover"}, Timeout: 20 * time.Minute},
		Workloads: []Workload{{
			Name: "w", Default: true, Line: 4, Timeout: 10 * time.Minute, Cross: CrossAuto, Idle: IdleRun,
			Session: mustTemplate(t, "{bin/prover}", "session"), Verify: mustTemplate(t, "{bin/prover}", "verify", "{proof}"),
		}},
		Metrics: Metrics{Primary: Metric{"prove_seconds", Lower, LogScale, false}},
		Plan: Plan{
			Pairs:       14,
			Warmup:      1,
			Settle:      16,
			Design:      ABBA,
			Alpha:       0.05,
			Equivalence: 0.01,
			Analyses:    1,
			Resident:    ResidentBoth,
		},
		Environment: environment.DefaultThresholds(),
		GitHub:      GitHub{"", []string{"self-hosted", "gpu"}, 2 * time.Hour, 48, 5, neutral, "/bench-gpu"},
		Nightly: Nightly{History: History{Branch: "bench-history"}, Labels: []string{"performance"}, Pairs: 1000,
			Unsettled: 10},
	}
	if diff := cmp.Diff(want, got, compareFiles); diff != "" {
		t.Error(diff)
	}
}

// testdata/malformed.txtar has each malformed file with its messages. A file that begins with "..." stands for the
// minimal file with its first line replaced by the rest.
func TestMalformed(t *testing.T) {
	const path = "testdata/malformed.txtar"
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files)%2 != 0 {
		t.Fatal("every file needs its messages")
	}
	for i := 0; i < len(archive.Files); i += 2 {
		file, want := archive.Files[i], &archive.Files[i+1]
		if want.Name != file.Name+" errors" {
			t.Fatalf("%s is followed by %s", file.Name, want.Name)
		}
		source := string(file.Data)
		if rest, ok := strings.CutPrefix(source, "...\n"); ok {
			source = minimal + rest
		}
		_, err := Parse("bench.yaml", []byte(source))
		if err == nil {
			t.Errorf("%s: no error", file.Name)
			continue
		}
		var all fileErrors
		if !errors.As(err, &all) || len(all) == 0 {
			t.Errorf("%s: %T", file.Name, err)
		}
		if *update {
			want.Data = []byte(err.Error() + "\n")
			continue
		}
		if diff := cmp.Diff(string(want.Data), err.Error()+"\n"); diff != "" {
			t.Errorf("%s: %s", file.Name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAliasesStandForWholeValues(t *testing.T) {
	const source = `version: 1
build: {command: &make [make, "all"], artifacts: [p], fetch: *make}
workloads:
  - {name: a, session: ["{p}"], verify: &v ["{p}", "{proof}"], env: &e {A: "1"}}
  - {name: b, session: ["{p}"], verify: *v, env: *e}
`
	got, err := Parse("bench.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := got.Workload("b"); !cmp.Equal(got.Build.Fetch, got.Build.Command) || !b.Verify.Uses(Proof) ||
		b.Env["A"] != "1" {
		t.Errorf("%+v", got)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	below := filepath.Join(dir, "below")
	if err := os.Mkdir(below, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(below); err == nil || !strings.Contains(err.Error(), "`harness init`") {
		t.Errorf("got %v", err)
	}
	path := filepath.Join(dir, FileName)
	if err := os.WriteFile(path, []byte(minimal), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := Find(dir); err != nil || got != path {
		t.Errorf("got %s, %v", got, err)
	}
	if _, err := Find(below); err == nil || !strings.Contains(err.Error(), "--config "+path) {
		t.Errorf("got %v", err)
	}
	if _, err := Load(filepath.Join(below, FileName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestHugeFile(t *testing.T) {
	if _, err := Parse("bench.yaml", make([]byte, maxSize+1)); err == nil ||
		!strings.Contains(err.Error(), "not a config") {
		t.Errorf("got %v", err)
	}
}

func TestPlanCheck(t *testing.T) {
	good := defaultPlan()
	if key, err := good.Check(); err != nil {
		t.Error(key, err)
	}
	for want, change := range map[string]func(*Plan){
		"pairs: must be even":                               func(p *Plan) { p.Pairs = 7 },
		"pairs: must be at most 100000":                     func(p *Plan) { p.Pairs = 100_002 },
		"analyses: must be from 1 to 7":                     func(p *Plan) { p.Analyses = 8 },
		"analyses: must be at most 50":                      func(p *Plan) { p.Pairs, p.Analyses = 1000, 51 },
		"pairs: 4 pairs can never reach alpha 0.05":         func(p *Plan) { p.Pairs = 4 },
		"the smallest p-value is 2^(1-pairs) = 0.125: take": func(p *Plan) { p.Pairs = 4 },
		"processes: must be auto with resident: one":        func(p *Plan) { p.Resident, p.Processes = ResidentOne, 7 },
		"warmup: must be at least 1 with several":           func(p *Plan) { p.Warmup, p.Builds = 0, 8 },
		"settle: must be 0, which checks for no drift":      func(p *Plan) { p.Settle = 3 },
		"take at least 6":                                   func(p *Plan) { p.Pairs = 2 },
	} {
		p := good
		change(&p)
		if key, err := p.Check(); err == nil || !strings.Contains(key+": "+err.Error(), want) {
			t.Errorf("%+v: %s: %v, want %q", p, key, err, want)
		}
	}
}

// FuzzParse searches for panics, errors without a position, and files that change when they are read a second time.
func FuzzParse(f *testing.F) {
	full, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(full))
	f.Add(minimal)
	f.Add(sorting)
	if archive, err := txtar.ParseFile("testdata/malformed.txtar"); err == nil {
		for _, file := range archive.Files {
			f.Add(string(file.Data))
		}
	}
	f.Fuzz(func(t *testing.T, source string) {
		file, err := Parse("bench.yaml", []byte(source))
		if err != nil {
			var all fileErrors
			if !errors.As(err, &all) || len(all) == 0 || file != nil {
				t.Fatalf("%T %v with %v", err, err, file)
			}
			for _, one := range all {
				if one.Message == "" || one.File != "bench.yaml" {
					t.Fatalf("%#v", one)
				}
			}
			return
		}
		if _, err := file.Plan.Check(); err != nil {
			t.Fatalf("accepted a plan that cannot be: %v", err)
		}
		seen := map[string]bool{}
		for _, w := range file.Workloads {
			if name := strings.ToLower(w.Name); !workloadName.MatchString(name) || seen[name] {
				t.Fatalf("accepted the name %q", w.Name)
			} else if seen[name] = true; len(file.Select(w.Name)) != 1 {
				t.Fatalf("%q selects %q", w.Name, file.Select(w.Name))
			}
			values := Values{
				Proof:          "/p",
				Metrics:        "/m",
				Statement:      "s",
				ExactStatement: "e",
				Artifacts:      map[string]string{},
				Inputs:         map[string]string{},
			}
			for _, a := range file.Build.Artifacts {
				values.Artifacts[a] = "/" + a
			}
			for _, template := range w.Templates() {
				if template.Empty() {
					continue
				}
				for _, in := range template.Texts(Input) {
					values.Inputs[in] = "/" + in
				}
				if argv, err := template.Expand(values); err != nil || len(argv) == 0 {
					t.Fatalf("accepted %q, which does not expand: %v", template.text, err)
				}
			}
		}
	})
}

// A build with a layout seed receives it where the recipe says, and the recipe itself is unchanged.
func TestLayout(t *testing.T) {
	b := Build{Command: []string{"make"}, Env: map[string]string{"CGO_ENABLED": "0", "GOFLAGS": "-v"},
		Layout: Layout{Env: map[string]string{"GOFLAGS": "-ldflags=-randlayout={layout}"}, Args: []string{"SEED={layout}"}}}
	got := b.With(1<<40 + 7)
	if diff := cmp.Diff([]string{"make", "SEED=7"}, got.Command); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"CGO_ENABLED": "0", "GOFLAGS": "-ldflags=-randlayout=7"}, got.Env); diff != "" {
		t.Error(diff)
	}
	if len(b.Command) != 1 || b.Env["GOFLAGS"] != "-v" {
		t.Errorf("the recipe became %+v", b)
	}
}

// Without a number of pairs in the file, a benchmark suite gets the number that one change among many benchmarks needs.
func TestPairsOfSuites(t *testing.T) {
	for text, want := range map[string]int{
		"": 14, "    adapter: go-bench\n": SuitePairs, "    adapter: go-bench\nplan: {pairs: 6}\n": 6,
		"    adapter: go-bench\nplan: {warmup: 2}\n": SuitePairs,
	} {
		file, err := Parse("bench.yaml", []byte("version: 1\nworkloads:\n  - name: w\n    process: [w]\n"+text))
		if err != nil || file.Plan.Pairs != want {
			t.Errorf("%q: %v, %v", text, file, err)
		}
	}
}

// The former names of keys of plan are accepted, and errors name the key that is written.
func TestFormerPlanKeys(t *testing.T) {
	const head = "version: 1\nbuild: {command: [make], artifacts: [a]}\nworkloads: [{name: w, process: [x]}]\n"
	now, err := Parse("bench.yaml", []byte(head+"plan: {pairs: 24, processes: 6, analyses: 3, precheck: 1}\n"))
	if err != nil {
		t.Fatal(err)
	}
	former, err := Parse("bench.yaml", []byte(head+"plan: {pairs: 24, launches: 6, looks: 3, tier: 1}\n"))
	if err != nil || !cmp.Equal(now.Plan, former.Plan) || former.Plan.Processes != 6 || former.Plan.Analyses != 3 ||
		former.Plan.PreCheck != 1 {
		t.Errorf("%+v, want %+v; %v", former.Plan, now.Plan, err)
	}
	for plan, want := range map[string]string{
		"{pairs: 24, looks: 2, analyses: 2}": "plan.analyses: is given as plan.analyses and by its former name",
		"{pairs: 14, looks: 8}":              "plan.looks: must be from 1 to 7",
		"{pairs: 14, analyses: 8}":           "plan.analyses: must be from 1 to 7",
	} {
		if _, err := Parse("bench.yaml", []byte(head+"plan: "+plan+"\n")); err == nil || !strings.Contains(err.Error(),
			want) {
			t.Errorf("%s: %v, want %q", plan, err, want)
		}
	}
}
