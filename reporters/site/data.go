package site

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/chiasmus/chiasmus/reporters/document"
)

// data is the input of the page's script. It refers to workloads, lines and metrics by index, which keeps thousands of
// runs small.
type data struct {
	Runs      []dataRun      `json:"runs"` // oldest first
	Workloads []dataWorkload `json:"workloads"`
	Lines     []dataLine     `json:"lines"`
	Results   []dataResult   `json:"results"` // ordered by run
	Words     []dataWord     `json:"words"`   // the statuses that occur
}

type dataRun struct {
	ID      string     `json:"id"`
	Page    string     `json:"page"`
	Started int64      `json:"started"` // seconds since 1970
	Host    string     `json:"host"`
	Base    dataCommit `json:"base"`
	Head    dataCommit `json:"head"`
	Word    int        `json:"word"`
}

type dataCommit struct {
	SHA     string `json:"sha"`
	Short   string `json:"short"`
	Subject string `json:"subject"`
	Time    int64  `json:"time"` // seconds since 1970, 0 if unknown
}

type dataWord struct {
	Word  string        `json:"word"`
	Glyph string        `json:"glyph"`
	Tone  document.Tone `json:"tone"`
}

type dataWorkload struct {
	Name    string       `json:"name"`
	Metrics []dataMetric `json:"metrics"`
}

type dataMetric struct {
	Name   string  `json:"name"`
	Title  string  `json:"title"`
	Kind   string  `json:"kind"` // total, stage or metric
	Unit   string  `json:"unit"`
	Factor float64 `json:"factor"` // values are divided by it
	Higher bool    `json:"higher"` // is better

	kind    kind
	largest float64
}

// dataLine is a set of comparable runs of one workload.
type dataLine struct {
	Workload int    `json:"workload"`
	Host     string `json:"host"`
	Parts    []part `json:"parts"`
}

// dataResult is one workload of a run. Figures are in the order of the workload's metrics, null if missing.
type dataResult struct {
	Run      int          `json:"run"`
	Workload int          `json:"workload"`
	Line     int          `json:"line"`
	Word     int          `json:"word"`
	Pairs    int          `json:"pairs"`
	Primary  int          `json:"primary"` // the index of the metric that decides
	Figures  []dataFigure `json:"figures"`
}

// dataFigure is base, its interval, head, its interval, the change, its interval, and 1 if the change is significant.
type dataFigure []number

// number is a value rounded to the precision that is visible.
type number float64

// MarshalJSON writes six digits, or null if the number does not exist.
func (n number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', 6, 64), nil
}

// newData converts runs for the page.
func newData(runs []Run) *data {
	d := &data{
		Runs: []dataRun{}, Workloads: []dataWorkload{}, Lines: []dataLine{}, Results: []dataResult{}, Words: []dataWord{},
	}
	runs = slices.Clone(runs)
	slices.SortStableFunc(runs, func(a, b Run) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID))
	})
	d.workloads(runs)
	lines := map[string]int{}
	for i, run := range runs {
		d.Runs = append(d.Runs, dataRun{
			ID: run.ID, Page: run.Page, Started: run.Started.Unix(), Host: run.Host,
			Base: newCommit(run.Base), Head: newCommit(run.Head), Word: d.word(run.Status),
		})
		for _, one := range run.results {
			at := slices.IndexFunc(d.Workloads, func(w dataWorkload) bool { return w.Name == one.workload })
			d.Results = append(d.Results, dataResult{
				Run: i, Workload: at, Line: d.line(lines, at, run.Host, one), Word: d.word(one.status), Pairs: one.pairs,
				Primary: d.Workloads[at].index(one.primary), Figures: d.Workloads[at].figures(one),
			})
		}
	}
	return d
}

func newCommit(c Commit) dataCommit {
	out := dataCommit{SHA: c.SHA, Short: c.Short, Subject: c.Subject}
	if !c.Time.IsZero() {
		out.Time = c.Time.Unix()
	}
	return out
}

// workloads collects the workloads and their metrics: primary metrics, then stages and others, largest first.
func (d *data) workloads(runs []Run) {
	for _, run := range runs {
		for _, one := range run.results {
			at := slices.IndexFunc(d.Workloads, func(w dataWorkload) bool { return w.Name == one.workload })
			if at < 0 {
				at = len(d.Workloads)
				d.Workloads = append(d.Workloads, dataWorkload{Name: one.workload, Metrics: []dataMetric{}})
			}
			for _, f := range one.figures {
				d.Workloads[at].add(f)
			}
		}
	}
	for i := range d.Workloads {
		metrics := d.Workloads[i].Metrics
		slices.SortStableFunc(metrics, func(a, b dataMetric) int {
			return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(b.largest, a.largest), cmp.Compare(a.Name, b.Name))
		})
		for k := range metrics {
			m := &metrics[k]
			m.Factor, m.Unit = document.Unit(m.Name, m.largest)
			m.Kind = [...]string{"total", "stage", "metric"}[m.kind]
			m.Title = m.Name
			if m.kind == ofStage {
				m.Title = document.Clean(document.StageTitle(m.Name))
			}
		}
	}
}

// add adds a metric. A metric that is primary in any run counts as primary.
func (w *dataWorkload) add(f figure) {
	at := w.index(f.metric)
	if at < 0 {
		at = len(w.Metrics)
		w.Metrics = append(w.Metrics, dataMetric{Name: f.metric, kind: f.kind, Higher: f.betterWhenHigher})
	}
	m := &w.Metrics[at]
	m.kind = min(m.kind, f.kind)
	for _, value := range []float64{f.base.at, f.head.at} {
		if !math.IsNaN(value) && !math.IsInf(value, 0) {
			m.largest = max(m.largest, math.Abs(value))
		}
	}
}

func (w *dataWorkload) index(metric string) int {
	return slices.IndexFunc(w.Metrics, func(m dataMetric) bool { return m.Name == metric })
}

// figures orders the figures of a result by the workload's metrics.
func (w *dataWorkload) figures(one result) []dataFigure {
	list := make([]dataFigure, len(w.Metrics))
	for _, f := range one.figures {
		var numbers dataFigure
		for _, e := range []estimate{f.base, f.head, f.change} {
			numbers = append(numbers, number(e.at), number(e.low), number(e.high))
		}
		if f.significant {
			numbers = append(numbers, 1)
		}
		list[w.index(f.metric)] = numbers
	}
	return list
}

// line returns the index of the result's line of comparable runs, and adds the line if it is new.
func (d *data) line(known map[string]int, workload int, host string, one result) int {
	key, err := json.Marshal([]any{workload, one.parts})
	if err != nil {
		panic(err) // unreachable: strings and an integer
	}
	at, ok := known[string(key)]
	if !ok {
		at = len(d.Lines)
		known[string(key)] = at
		d.Lines = append(d.Lines, dataLine{Workload: workload, Host: host, Parts: one.parts})
	}
	return at
}

// word returns the index of a status.
func (d *data) word(s document.Status) int {
	word := dataWord{s.Word, s.Glyph, s.Tone}
	at := slices.Index(d.Words, word)
	if at < 0 {
		at = len(d.Words)
		d.Words = append(d.Words, word)
	}
	return at
}
