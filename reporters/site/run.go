package site

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/stats"
)

// A Run is the summary of a run on pages over many runs: a report without its samples.
type Run struct {
	ID, Page string
	Started  time.Time
	Base     Commit
	Head     Commit
	Host     string
	Status   document.Status // the worst of its workloads

	results []result
	file    string // the report
}

// A Commit is a revision as shown on pages.
type Commit struct {
	SHA     string // includes the hash of a dirty work tree
	Short   string
	Subject string
	Time    time.Time
}

// A result is one workload of a run.
type result struct {
	workload, primary string
	status            document.Status
	pairs             int
	parts             []part
	figures           []figure
}

// A part is a property in which two runs must agree to be on the same line.
type part struct{ Name, Value string }

// A figure is one metric in both arms. Change is head against base in percent, positive if head's values are higher.
// Missing values are NaN.
type figure struct {
	metric           string
	kind             kind
	base, head       estimate
	change           estimate
	significant      bool
	betterWhenHigher bool
}

// An estimate is a value with its 95 % interval.
type estimate struct{ at, low, high float64 }

var noEstimate = estimate{math.NaN(), math.NaN(), math.NaN()}

// kind orders metrics: primary, then stages, then others.
type kind uint8

const (
	decides kind = iota
	ofStage
	other
)

// tones are those of verdicts, worst last. A run has the worst tone of its workloads.
var tones = []document.Tone{document.Good, document.Neutral, document.Caution, document.Bad}

// summarize extracts from a report what pages over many runs show.
func summarize(r *report.Report, file string) Run {
	run := Run{
		ID:      document.Clean(r.Run.ID),
		Page:    pageOf(r.Run.ID),
		Started: r.Run.Started.UTC(),
		Base:    commit(r.Base),
		Head:    commit(r.Head),
		Host:    hostName(r),
		file:    file,
	}
	d := document.New(r)
	worst := slices.MaxFunc(d.Headlines, func(a, b document.Headline) int {
		return cmp.Compare(slices.Index(tones, a.Status.Tone), slices.Index(tones, b.Status.Tone))
	})
	run.Status = worst.Status
	for i := range r.Workloads {
		w := &r.Workloads[i]
		if document.Described(w) == nil {
			continue // no pairs
		}
		one := newResult(r, w)
		one.status = worst.Status
		for _, h := range d.Headlines {
			if h.Workload == one.workload {
				one.status = h.Status
			}
		}
		run.results = append(run.results, one)
	}
	return run
}

func commit(r plan.Revision) Commit {
	c := Commit{
		SHA:     document.Clean(r.SHA),
		Short:   document.Clean(r.Short()),
		Subject: document.Clean(r.Subject),
		Time:    r.Time.UTC(),
	}
	if r.Dirty {
		c.SHA, c.Short = c.SHA+"+"+document.Clean(r.TreeHash), c.Short+"+"
	}
	return c
}

// hostName returns the name of the host, or of all hosts of a joined report.
func hostName(r *report.Report) string {
	var names []string
	for _, h := range r.Hosts {
		if !h.LeftOut {
			names = append(names, document.Clean(h.Name))
		}
	}
	if len(names) == 0 {
		return document.Clean(r.Host.Name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// newResult extracts the figures of a workload.
func newResult(r *report.Report, w *report.Workload) result {
	s := document.Described(w)
	one := result{
		workload: document.Clean(w.Name),
		primary:  document.Clean(w.Metric.Name),
		pairs:    len(w.Pairs),
		parts:    parts(r, w),
	}
	judged := w.Stats != nil && r.State == report.Complete
	base, head := document.ArmMeans(w, s.Scale)
	primary := figure{
		metric:           one.primary,
		kind:             decides,
		base:             estimate{base.Float(), math.NaN(), math.NaN()},
		head:             estimate{head.Float(), math.NaN(), math.NaN()},
		change:           noEstimate,
		betterWhenHigher: w.Metric.Better == "higher",
	}
	if judged {
		primary.change = change(w.Stats)
		primary.significant = w.Stats.Verdict == stats.Improvement || w.Stats.Verdict == stats.Regression
	}
	primary.base.within(w, s.Scale, func(p evidence.Pair) (float64, bool) { return p.A, true })
	primary.head.within(w, s.Scale, func(p evidence.Pair) (float64, bool) { return p.B, true })
	one.figures = append(one.figures, primary)
	for _, secondary := range w.Secondary {
		one.figures = append(one.figures, ofSecondary(r, w, secondary, judged))
	}
	return one
}

// ofSecondary extracts the figure of a stage or another secondary metric.
func ofSecondary(r *report.Report, w *report.Workload, s report.Secondary, judged bool) figure {
	a, b := document.Means(w, s)
	f := figure{
		metric:           document.Clean(s.Metric),
		kind:             other,
		base:             estimate{a.Float(), math.NaN(), math.NaN()},
		head:             estimate{b.Float(), math.NaN(), math.NaN()},
		change:           noEstimate,
		betterWhenHigher: s.Better == "higher",
	}
	if s.Kind == report.KindStage {
		f.kind = ofStage
	}
	if s.Stats == nil {
		return f
	}
	if judged {
		f.change = change(s.Stats)
		f.significant = s.PHolm.Exists() && float64(s.PHolm) <= r.Plan.Alpha
	}
	f.base.within(w, s.Stats.Scale, sampled(w, s.Metric, func(p evidence.Pair) int { return p.Base }))
	f.head.within(w, s.Stats.Scale, sampled(w, s.Metric, func(p evidence.Pair) int { return p.Head }))
	return f
}

// sampled returns a function that looks up a metric in a pair's sample.
func sampled(w *report.Workload, metric string, index func(evidence.Pair) int) func(evidence.Pair) (float64, bool) {
	return func(p evidence.Pair) (float64, bool) {
		i := index(p)
		if i < 0 || i >= len(w.Samples) {
			return 0, false
		}
		value, ok := w.Samples[i].Metrics[metric]
		return value, ok
	}
}

// change converts an effect to the change of head against base.
func change(s *stats.Result) estimate {
	ci := s.EffectCIPercent
	return estimate{-s.EffectPercent.Float(), -ci.High, -ci.Low}
}

// within adds the 95 % interval of an arm's mean over the sampling units. It is the interval of a test of the arm
// against a constant.
func (e *estimate) within(w *report.Workload, scale stats.Scale, value func(evidence.Pair) (float64, bool)) {
	pairs := make([]stats.Pair, 0, len(w.Pairs))
	constant, back := 0.0, func(x float64) float64 { return x }
	if scale == stats.ScaleLog {
		constant, back = 1, math.Exp
	}
	for _, p := range w.Pairs {
		x, ok := value(p)
		if !ok {
			return
		}
		pairs = append(pairs, p.Of(x, constant))
	}
	if scale != stats.ScaleLog {
		scale = stats.ScaleDifference
	}
	if t, err := stats.UnitT(pairs, scale, stats.DefaultAlpha); err == nil && t.CI.Exists() {
		e.low, e.high = back(t.CI.Low), back(t.CI.High)
	}
}

// parts lists the properties in which two runs must agree to be comparable.
func parts(r *report.Report, w *report.Workload) []part {
	machines := []report.Host{r.Host}
	if len(r.Hosts) > 0 {
		machines = nil
		for _, h := range r.Hosts {
			if !h.LeftOut {
				machines = append(machines, h.Host)
			}
		}
	}
	var hardware, system []string
	for _, m := range machines {
		hardware = append(hardware, strings.Join(append([]string{m.CPU, plural.Of(m.Cores, "core")}, m.GPUs...), ", "))
		system = append(system, m.System)
	}
	isolated := "no"
	if r.Plan.Isolated {
		isolated = "yes"
	}
	var env []string
	for name, value := range r.Head.Env {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	list := []part{
		{"host", hostName(r)},
		{"hardware", strings.Join(hardware, "; ")},
		{"system", strings.Join(system, "; ")},
		{"configuration", short(r.Run.ConfigSHA256)},
		{"statement", short(w.BaseSession.Statement)},
		{"backend", w.HeadSession.Backend},
		{"toolchain of head", r.Head.Toolchain},
		{"environment of head", strings.Join(env, " ")},
		{"isolated", isolated},
		{"mode", w.Mode},
	}
	for i := range list {
		list[i].Value = document.Clean(list[i].Value)
	}
	return list
}

// short abbreviates a hash.
func short(hash string) string { return hash[:min(12, len(hash))] }
