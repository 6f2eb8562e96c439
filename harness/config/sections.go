package config

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/stats"
	"github.com/goccy/go-yaml/ast"
)

// setDefaults sets every optional value.
func (f *File) setDefaults() {
	f.Build.Timeout = 20 * time.Minute
	f.Metrics.Primary = defaultMetric("prove_seconds")
	f.Plan = defaultPlan()
	f.Environment = environment.DefaultThresholds()
	f.GitHub = GitHub{
		RunsOn:       []string{"self-hosted", "gpu"},
		Timeout:      2 * time.Hour,
		MaxPairs:     48,
		MaxAnalyses:  5,
		Inconclusive: neutral,
		Comment:      "/bench-gpu",
	}
	f.Nightly = Nightly{History: History{Branch: "bench-history"}, Labels: []string{"performance"}, Pairs: 1000,
		Unsettled: 10}
}

func defaultMetric(name string) Metric { return Metric{Name: name, Better: Lower, Scale: LogScale} }

// SuitePairs is the default number of pairs for a benchmark suite. With 24 pairs, which are 12 blocks, the sign-flip
// test can confirm a change in one of a hundred benchmarks.
const SuitePairs = 24

// defaultPlan returns the plan of a file without one.
func defaultPlan() Plan {
	return Plan{
		Pairs:       14,
		Warmup:      1,
		Settle:      16,
		Design:      ABBA,
		Alpha:       0.05,
		Equivalence: 0.01,
		Analyses:    1,
		Resident:    ResidentBoth,
		Builds:      0, // auto
	}
}

// decodeFile decodes the whole document.
func (d *decoder) decodeFile(root ast.Node, f *File) {
	f.setDefaults()
	top := value{node: root}
	// Templates are checked against the artifacts, which may follow later in the file.
	var workloads *value
	seen := d.mapping(top, fields{
		"version":     func(v value) { d.version(v, &f.Version) },
		"build":       func(v value) { d.build(v, &f.Build) },
		"workloads":   func(v value) { workloads = &v },
		"metrics":     func(v value) { d.metrics(v, &f.Metrics) },
		"plan":        func(v value) { d.plan(v, &f.Plan) },
		"environment": func(v value) { d.thresholds(v, &f.Environment) },
		"host":        func(v value) { d.host(v, &f.Host) },
		"github":      func(v value) { d.github(v, &f.GitHub) },
		"nightly":     func(v value) { d.nightly(v, &f.Nightly) },
	})
	if !d.isMapping(top) {
		return
	}
	if workloads != nil {
		d.workloads(*workloads, f)
	}
	isSuite := func(w Workload) bool { return w.Adapter != "" }
	if !d.saysPairs && slices.ContainsFunc(f.Workloads, isSuite) {
		f.Plan.Pairs = SuitePairs
	}
	for _, key := range []string{"version", "workloads"} {
		if !seen[key] {
			d.fail(nil, key, "missing")
		}
	}
}

func (d *decoder) version(v value, into *int) {
	n, ok := d.scalar(v, "1")
	if !ok {
		return
	}
	if n.kind != isNumber || n.text != "1" {
		d.fail(v.node, v.key, "must be 1, the only version this program reads, not %s", d.describe(v.node))
		return
	}
	*into = Version
}

func (d *decoder) build(v value, b *Build) {
	seen := d.mapping(v, fields{
		"fetch":              func(v value) { d.argv(v, &b.Fetch) },
		"command":            func(v value) { d.argv(v, &b.Command) },
		"artifacts":          func(v value) { d.artifacts(v, &b.Artifacts) },
		"env":                func(v value) { d.environment(v, &b.Env) },
		"timeout":            func(v value) { d.duration(v, &b.Timeout, time.Second) },
		"reuse":              func(v value) { d.folders(v, &b.Reuse) },
		"layout":             func(v value) { d.layout(v, &b.Layout) },
		"env_pass":           func(v value) { d.variableNames(v, &b.EnvPass) },
		"allow_lfs_pointers": func(v value) { d.boolean(v, &b.AllowLFSPointers) },
	})
	if len(b.Artifacts) > 0 {
		d.require(v, seen, "command")
	}
}

// variableName matches the name of a variable, or a prefix with a star.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*\*?$`)

// variableNames reads names of environment variables.
func (d *decoder) variableNames(v value, into *[]string) {
	d.list(v, func(item value) {
		var s string
		if !d.text(item, &s) {
			return
		}
		if !variableName.MatchString(s) {
			d.fail(item.node, item.key, "%q is not the name of a variable, such as PROTOC or RISC0_*", s)
			return
		}
		*into = append(*into, s)
	})
}

// require reports missing keys of a mapping.
func (d *decoder) require(v value, seen map[string]bool, keys ...string) {
	if !d.isMapping(v) {
		return
	}
	for _, key := range keys {
		if !seen[key] {
			d.fail(v.node, join(v.key, key), "missing")
		}
	}
}

func (d *decoder) artifacts(v value, into *[]string) {
	var out []string
	seen := map[string]bool{}
	ok := d.list(v, func(item value) {
		var s string
		if !d.text(item, &s) {
			return
		}
		if err := checkRelative(s); err != nil {
			d.fail(item.node, item.key, "%v", err)
			return
		}
		switch _, taken := reserved[s]; {
		case taken || strings.HasPrefix(s, "input:"):
			d.fail(item.node, item.key, "%q is the name of a placeholder: call the artifact something else", s)
		case strings.ContainsAny(s, "{}"):
			d.fail(item.node, item.key, "%q holds a brace, so no template could name it", s)
		case strings.Split(s, "/")[0] == ".git":
			d.fail(item.node, item.key, "%q lies in git's own folder", s)
		case seen[s]:
			d.fail(item.node, item.key, "%q is listed twice", s)
		default:
			seen[s] = true
			out = append(out, s)
		}
	})
	if ok && len(d.items(v)) == 0 {
		d.fail(v.node, v.key, "must name at least one file that the build makes")
	}
	*into = out
}

// folders reads folders of the worktree, none of which contains another.
func (d *decoder) folders(v value, into *[]string) {
	d.list(v, func(item value) {
		var s string
		if !d.text(item, &s) {
			return
		}
		err := checkRelative(s)
		if err == nil && strings.Split(s, "/")[0] == ".git" {
			err = fmt.Errorf("%q lies in git's own folder", s)
		}
		for _, other := range *into {
			if err == nil && (strings.HasPrefix(s+"/", other+"/") || strings.HasPrefix(other+"/", s+"/")) {
				err = fmt.Errorf("%q and %q are one in the other: name the outer one", s, other)
			}
		}
		if err != nil {
			d.fail(item.node, item.key, "%v", err)
			return
		}
		*into = append(*into, s)
	})
}

var metricName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]*$`)

func (d *decoder) metrics(v value, m *Metrics) {
	var report *value
	d.mapping(v, fields{
		"primary": func(v value) {
			if m.Primary = d.metric(v); m.Primary.Control {
				d.fail(v.node, v.key, "%s decides the verdict, so it cannot be a control", m.Primary.Name)
			}
		},
		"report": func(v value) { report = &v },
		"stages": func(v value) {
			seen := d.mapping(v, fields{"margin": func(v value) { d.percent(v, &m.StageMargin, 0.0001, 0.5) }})
			d.require(v, seen, "margin")
		},
		"exact": func(v value) { d.bounds(v, &m.Exact) },
	})
	if report == nil {
		return
	}
	named := map[string]bool{m.Primary.Name: true}
	d.list(*report, func(item value) {
		metric := d.metric(item)
		switch {
		case metric.Name == "":
		case named[metric.Name]:
			d.fail(item.node, item.key, "%s is named twice", metric.Name)
		default:
			named[metric.Name] = true
			m.Report = append(m.Report, metric)
		}
	})
}

// mostGrowth is an upper limit far above any sensible bound.
const mostGrowth = 100

// bounds reads a mapping of names to {max: PERCENT}.
func (d *decoder) bounds(v value, into *map[string]float64) {
	out := map[string]float64{}
	d.pairs(v, func(key ast.Node, name string, child value) {
		if !metricName.MatchString(name) {
			d.fail(key, child.key, "%q is not the name of a counter or metric", name)
			return
		}
		most := 0.0
		seen := d.mapping(child, fields{"max": func(v value) { d.percent(v, &most, 0, mostGrowth) }})
		d.require(child, seen, "max")
		out[name] = most
	})
	*into = out
}

// metric reads a name, or a mapping with name, better, scale and control.
func (d *decoder) metric(v value) Metric {
	m := defaultMetric("")
	if !d.isMapping(v) {
		d.metricName(v, &m.Name)
		return m
	}
	seen := d.mapping(v, fields{
		"name":    func(v value) { d.metricName(v, &m.Name) },
		"better":  func(v value) { oneOf(d, v, &m.Better, Lower, Higher) },
		"scale":   func(v value) { oneOf(d, v, &m.Scale, LogScale, PercentScale, DifferenceScale) },
		"control": func(v value) { d.boolean(v, &m.Control) },
	})
	d.require(v, seen, "name")
	return m
}

func (d *decoder) metricName(v value, into *string) {
	var s string
	if !d.text(v, &s) {
		return
	}
	if !metricName.MatchString(s) {
		d.fail(v.node, v.key, "%q is not a metric name: letters, digits, dots, dashes and underscores, a letter first", s)
		return
	}
	*into = s
}

func (d *decoder) plan(v value, p *Plan) {
	before := len(d.errors)
	d.saysPairs = d.mapping(v, fields{
		"pairs":       func(v value) { d.integer(v, &p.Pairs, 2, mostPairs) },
		"warmup":      func(v value) { d.integer(v, &p.Warmup, 0, 1_000) },
		"settle":      func(v value) { d.integer(v, &p.Settle, 0, 1_000) },
		"design":      func(v value) { oneOf(d, v, &p.Design, ABBA, Alternating) },
		"seed":        func(v value) { d.seed(v, &p.Seed) },
		"precheck":    func(v value) { d.integer(v, &p.PreCheck, 0, 1) },
		"alpha":       func(v value) { d.number(v, &p.Alpha, 0, 0.5) },
		"equivalence": func(v value) { d.percent(v, &p.Equivalence, 0.0001, 0.5) },
		"analyses":    func(v value) { d.integer(v, &p.Analyses, 1, mostAnalyses) },
		"resident":    func(v value) { oneOf(d, v, &p.Resident, ResidentBoth, ResidentOne) },
		"processes":   func(v value) { d.numberOrAuto(v, &p.Processes, mostPairs) },
		"builds":      func(v value) { d.numberOrAuto(v, &p.Builds, mostBuilds) },
		"cooldown":    func(v value) { d.duration(v, &p.Cooldown, 0) },
	})["pairs"]
	if len(d.errors) > before {
		return
	}
	if key, err := p.Check(); err != nil {
		d.fail(v.node, join(v.key, cmp.Or(d.former[join(v.key, key)], key)), "%v", err)
	}
}

// The largest numbers of pairs, analyses and builds of a plan.
const mostPairs, mostAnalyses, mostBuilds = 100_000, 50, 1_000

// Check returns an error if a plan is invalid, and the key with the invalid value.
func (p Plan) Check() (key string, err error) {
	switch {
	case p.Pairs < 2 || p.Pairs%2 != 0:
		return "pairs", fmt.Errorf("must be even and at least 2, because a block holds two pairs, not %d", p.Pairs)
	case p.Resident == ResidentOne && p.Processes > 0:
		return "processes", fmt.Errorf("must be auto with resident: one, which starts a process at every turn, not %d",
			p.Processes)
	case (p.Processes > 1 || p.Builds > 1) && p.Warmup == 0:
		return "warmup", fmt.Errorf("must be at least 1 with several processes or builds, because otherwise the first " +
			"proof after each start would count")
	case p.Settle != 0 && p.Settle < stats.DriftWindow:
		return "settle", fmt.Errorf("must be 0, which checks for no drift, or at least %d, the proofs of a check, not %d",
			stats.DriftWindow, p.Settle)
	case p.Pairs > mostPairs:
		return "pairs", fmt.Errorf("must be at most %d, not %d", mostPairs, p.Pairs)
	case p.Analyses > mostAnalyses:
		return "analyses", fmt.Errorf("must be at most %d, not %d", mostAnalyses, p.Analyses)
	case p.Analyses < 1 || p.Analyses > p.Pairs/2:
		return "analyses", fmt.Errorf("must be from 1 to %d for %d pairs, because an analysis falls on a whole block, not %d",
			p.Pairs/2, p.Pairs, p.Analyses)
	case math.Exp2(float64(1-p.Pairs)) > p.Alpha:
		return "pairs", fmt.Errorf("%d pairs can never reach alpha %v, as the smallest p-value is 2^(1-pairs) = %.3g: take "+
			"at least %d",
			p.Pairs, p.Alpha, math.Exp2(float64(1-p.Pairs)), fewestPairs(p.Alpha))
	}
	return "", nil
}

// fewestPairs returns the smallest even number of pairs that can reach alpha.
func fewestPairs(alpha float64) int {
	n := 2
	for math.Exp2(float64(1-n)) > alpha {
		n += 2
	}
	return n
}

// mostIdleCPU allows any number of processors, for a host on which the idle sessions' activity does not matter.
const mostIdleCPU = 1024

func (d *decoder) thresholds(v value, t *environment.Thresholds) {
	d.mapping(v, fields{
		"steal":           func(v value) { d.percent(v, &t.Steal, 0, 1) },
		"others":          func(v value) { d.percent(v, &t.Others, 0, 1) },
		"memory_pressure": func(v value) { d.percent(v, &t.MemoryPressure, 0, 1) },
		"memory_growth":   func(v value) { d.percent(v, &t.MemoryGrowth, 0, 1) },
		"suspend":         func(v value) { d.duration(v, &t.Suspend, 10*time.Millisecond) },
		"gpu_throttle":    func(v value) { d.boolean(v, &t.GPUThrottle) },
		"gpu_processes":   func(v value) { d.boolean(v, &t.GPUProcesses) },
		"gpus":            func(v value) { d.gpus(v, &t.GPUs) },
		"sample":          func(v value) { d.duration(v, &t.Sample, 10*time.Millisecond) },
		"idle_cpu":        func(v value) { d.percent(v, &t.IdleCPU, 0, mostIdleCPU) },
		"idle_gpu":        func(v value) { d.percent(v, &t.IdleGPU, 0, 1) },
		"governor":        func(v value) { d.nonEmpty(v, &t.Governor) },
		"quiet_for":       func(v value) { d.duration(v, &t.QuietFor, time.Second) },
		"quiet_timeout":   func(v value) { d.duration(v, &t.QuietTimeout, time.Second) },
	})
	if t.QuietTimeout < t.QuietFor {
		d.fail(v.node, join(v.key, "quiet_timeout"), "must be at least quiet_for (%v), not %v", t.QuietFor, t.QuietTimeout)
	}
}

// gpus reads a list of distinct GPU indices.
func (d *decoder) gpus(v value, into *[]int) {
	seen := map[int]bool{}
	out := []int{}
	d.list(v, func(item value) {
		i := -1
		if d.integer(item, &i, 0, 1_023); i < 0 {
			return
		}
		if seen[i] {
			d.fail(item.node, item.key, "GPU %d is listed twice", i)
			return
		}
		seen[i] = true
		out = append(out, i)
	})
	*into = out
}

func (d *decoder) host(v value, h *Host) {
	d.mapping(v, fields{
		"name":          func(v value) { d.nonEmpty(v, &h.Name) },
		"cost_per_hour": func(v value) { d.money(v, &h.CostPerHour) },
	})
}
