package html

import (
	"cmp"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/internal/svg"
	"github.com/chiasmus/chiasmus/stats"
)

// A SiteRun is a run on the pages over many: its report, and the address of its own page.
type SiteRun struct {
	Report *harness.Report
	Page   string
}

var sitePages = template.Must(template.New("site.gohtml").Funcs(template.FuncMap{"glue": glue}).
	ParseFS(files, "site.gohtml"))

// siteView is what both pages show.
type siteView struct {
	Title, Version string
	Style          template.CSS
	Runs           []siteRow // the newest first
	Groups         []siteGroup
}

// siteRow is a run, or what one gave for a workload.
type siteRow struct {
	Number                                       int // on the charts
	Page, ID, When, Revisions, Host              string
	Base, Head, Change, CI, Word, Pairs, Subject string
	Tone                                         document.Tone
}

// siteGroup is one workload on one host: times of several hosts are not of one series.
type siteGroup struct {
	ID, Name, Host string
	Charts         []chart
	Rows           []siteRow

	series []siteSeries
}

// A siteSeries is one metric over the runs.
type siteSeries struct {
	metric string
	rank   int // the whole, then stages, then other metrics
	size   float64
	points []sitePoint
}

// A sitePoint is what one run gave: typical values of both arms.
type sitePoint struct{ number, base, head float64 }

// WriteSiteIndex writes the page over all runs: every workload over time, whole and stage by stage, and every run with
// what came of it.
func WriteSiteIndex(w io.Writer, title, version string, runs []SiteRun) error {
	v, err := newSiteView(title, version, runs)
	if err != nil {
		return err
	}
	for i := range v.Groups {
		if err := v.Groups[i].draw(); err != nil {
			return err
		}
	}
	return sitePages.ExecuteTemplate(w, "index", v)
}

// WriteSiteCompare writes the page that shows any two runs side by side: links that open a run's page on either side.
func WriteSiteCompare(w io.Writer, title, version string, runs []SiteRun) error {
	v, err := newSiteView(title, version, runs)
	if err != nil {
		return err
	}
	return sitePages.ExecuteTemplate(w, "compare", v)
}

// tones are those of verdicts, the worst last: it is what a run of several workloads came to.
var tones = []document.Tone{document.Good, document.Neutral, document.Caution, document.Bad}

// newSiteView sorts runs by time and groups their workloads.
func newSiteView(title, version string, runs []SiteRun) (*siteView, error) {
	style, err := files.ReadFile("style.css")
	if err != nil {
		return nil, err
	}
	v := &siteView{Title: document.Clean(title), Version: document.Clean(version), Style: template.CSS(style)}
	runs = slices.Clone(runs)
	slices.SortStableFunc(runs, func(a, b SiteRun) int { return a.Report.Run.Started.Compare(b.Report.Run.Started) })
	for i, run := range runs {
		row := siteRow{
			Number:    i + 1,
			Page:      run.Page,
			ID:        document.Clean(run.Report.Run.ID),
			Host:      document.Clean(run.Report.Host.Name),
			When:      run.Report.Run.Started.UTC().Format("2006-01-02 15:04"),
			Subject:   document.Clean(run.Report.Head.Subject),
			Revisions: document.Clean(run.Report.Base.Short() + ".." + run.Report.Head.Short()),
		}
		d := document.New(run.Report)
		worst := slices.MaxFunc(d.Headlines, func(a, b document.Headline) int {
			return cmp.Compare(slices.Index(tones, a.Status.Tone), slices.Index(tones, b.Status.Tone))
		})
		row.Word, row.Tone = worst.Status.Word, worst.Status.Tone
		v.Runs = append(v.Runs, row)
		for k := range run.Report.Workloads {
			v.add(row, run.Report, &run.Report.Workloads[k], d)
		}
	}
	slices.Reverse(v.Runs)
	for i := range v.Groups {
		slices.Reverse(v.Groups[i].Rows)
	}
	return v, nil
}

// add puts one workload of a run into its group.
func (v *siteView) add(row siteRow, r *harness.Report, w *harness.Workload, d document.Document) {
	s := document.Described(w)
	if s == nil {
		return
	}
	name, host := document.Clean(w.Name), row.Host
	at := slices.IndexFunc(v.Groups, func(g siteGroup) bool { return g.Name == name && g.Host == host })
	if at < 0 {
		at = len(v.Groups)
		v.Groups = append(v.Groups, siteGroup{ID: fmt.Sprintf("group-%d", at+1), Name: name, Host: host})
	}
	g := &v.Groups[at]
	base, head := document.ArmMeans(w, s.Scale)
	row.Base, row.Head = document.Quantity(w.Metric.Name, float64(base)), document.Quantity(w.Metric.Name, float64(head))
	row.Pairs = fmt.Sprint(len(w.Pairs))
	for _, h := range d.Headlines {
		if h.Workload == name {
			row.Word, row.Tone = h.Status.Word, h.Status.Tone
		}
	}
	if w.Stats != nil && r.State == harness.Complete {
		row.Change, row.CI = document.Change(w.Stats)
	}
	g.Rows = append(g.Rows, row)
	g.point(w.Metric.Name, rankWhole, row.Number, base, head)
	for _, secondary := range w.Secondary {
		a, b := document.Means(w, secondary)
		rank := rankMetric
		if secondary.Kind == harness.KindStage {
			rank = rankStage
		}
		g.point(secondary.Metric, rank, row.Number, a, b)
	}
}

// The order of series.
const (
	rankWhole = iota
	rankStage
	rankMetric
)

// point adds what a run gave for a metric; a run that lacks it on a side has no point.
func (g *siteGroup) point(metric string, rank, number int, a, b stats.Number) {
	if !a.Exists() || !b.Exists() {
		return
	}
	at := slices.IndexFunc(g.series, func(s siteSeries) bool { return s.metric == metric })
	if at < 0 {
		at = len(g.series)
		g.series = append(g.series, siteSeries{metric: metric, rank: rank})
	}
	s := &g.series[at]
	s.size = max(s.size, math.Abs(float64(a)), math.Abs(float64(b)))
	s.points = append(s.points, sitePoint{float64(number), float64(a), float64(b)})
}

// draw makes the charts of a group: the whole first, then stages and metrics, those that take most first.
func (g *siteGroup) draw() error {
	slices.SortFunc(g.series, func(a, b siteSeries) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.size, a.size), cmp.Compare(a.metric, b.metric))
	})
	for i, one := range g.series {
		c, err := siteChart(fmt.Sprintf("%s-%d", g.ID, i+1), one)
		if err != nil {
			return fmt.Errorf("workload %s: %w", g.Name, err)
		}
		c.Full = i == 0
		g.Charts = append(g.Charts, *c)
	}
	return nil
}

// siteChart shows one metric over the runs.
func siteChart(id string, s siteSeries) (*chart, error) {
	factor, unit := document.Unit(s.metric, s.size)
	title := s.metric
	if s.rank == rankStage {
		title = document.StageTitle(s.metric)
	}
	var base, head []svg.Point
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range s.points {
		base, head = append(base, svg.Point{X: p.number, Y: p.base / factor}),
			append(head, svg.Point{X: p.number, Y: p.head / factor})
		low, high = min(low, p.base/factor, p.head/factor), max(high, p.base/factor, p.head/factor)
	}
	low, high = pad(low, high)
	keys := []key{{svg.Base, "●", "base"}, {svg.Head, "■", "head"}}
	caption := document.Clean(title) + " of both arms, run by run"
	if s.rank == rankWhole {
		caption += "; the numbers are those of the tables"
	}
	first, last := s.points[0].number-0.5, s.points[len(s.points)-1].number+0.5
	return twice(id, caption, keys, sizes(220, 220), func(p *svg.Plot, z size) {
		p.X = svg.Axis{Title: "run", Low: first, High: last, Ticks: svg.WholeTicks(first, last, ticksFor(z))}
		p.Y = svg.Axis{Title: axisTitle(s.metric, unit), Low: low, High: high, Ticks: svg.Ticks(low, high, 6), Grid: true}
		p.Line(svg.Base, 1, "", base...)
		p.Line(svg.Head, 1, "", head...)
		p.Scatter(svg.Base, svg.Disc, 3.5, base...)
		p.Scatter(svg.Head, svg.Square, 3.5, head...)
	})
}
