// Package junit renders a report as JUnit XML, which continuous integration systems display as tests.
//
// Each workload is a suite with three cases: its verdict, its proofs and its controls. A regression is a failure. An
// inconclusive verdict is skipped, so that it neither counts as passed nor breaks a build. A failed run is an error in
// a suite of its own. A job should rely on the command's exit code, not on this file.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/terminal"
	"github.com/chiasmus/chiasmus/stats"
)

type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Time     string   `xml:"time,attr"`
	Suites   []suite  `xml:"testsuite"`
}

type suite struct {
	Name       string     `xml:"name,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Time       string     `xml:"time,attr"`
	Timestamp  string     `xml:"timestamp,attr,omitempty"`
	Hostname   string     `xml:"hostname,attr,omitempty"`
	Properties []property `xml:"properties>property,omitempty"`
	Cases      []testcase `xml:"testcase"`
	Output     string     `xml:"system-out,omitempty"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testcase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	Time    string   `xml:"time,attr"`
	Failure *outcome `xml:"failure"`
	Error   *outcome `xml:"error"`
	Skipped *outcome `xml:"skipped"`
}

type outcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// Write renders a report.
func Write(w io.Writer, r *report.Report) error {
	d := document.New(r)
	all := suites{Name: d.Title}
	if f := r.Failure; f != nil && r.State == report.Failed {
		all.Suites = append(all.Suites, suite{Name: "run", Cases: []testcase{{
			Name: document.Clean("step " + f.Step), Class: "chiasmus.run", Time: seconds(0),
			Error: &outcome{Message: document.Clean(f.Cause), Type: "failed", Text: document.CleanLog(f.LogTail)},
		}}})
	}
	for i := range r.Workloads {
		s, err := workload(r, &r.Workloads[i], d)
		if err != nil {
			return err
		}
		all.Suites = append(all.Suites, s)
	}
	total := 0.0
	for i := range all.Suites {
		s := &all.Suites[i]
		count(s)
		all.Tests, all.Failures = all.Tests+s.Tests, all.Failures+s.Failures
		all.Errors, all.Skipped = all.Errors+s.Errors, all.Skipped+s.Skipped
	}
	for i := range r.Workloads {
		total += r.Workloads[i].Seconds
	}
	all.Time = seconds(total)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// workload is the suite of one workload.
func workload(r *report.Report, w *report.Workload, d document.Document) (suite, error) {
	name := document.Clean(w.Name)
	class := "chiasmus." + name
	s := suite{Name: name, Time: seconds(w.Seconds), Hostname: document.Clean(r.Host.Name), Properties: []property{
		{"base", document.Clean(r.Base.SHA)}, {"head", document.Clean(r.HeadOf(w).SHA)}, {"pairs", fmt.Sprint(len(w.Pairs))},
		{"metric", document.Clean(w.Metric.Name)}, {"run", document.Clean(r.Run.ID)},
	}}
	if !r.Run.Started.IsZero() {
		s.Timestamp = r.Run.Started.UTC().Format(time.RFC3339)
	}
	s.Cases = []testcase{
		verdict(class, w, d),
		{Name: "proofs verified", Class: class, Time: seconds(0)},
	}
	if w.NotVerified {
		s.Cases[1] = testcase{Name: "not verified: no verifier is declared", Class: class, Time: seconds(0)}
	} else if missing := w.ProofsMade - w.Verified.Base - w.Verified.Head; missing > 0 {
		s.Cases[1].Error = &outcome{
			Message: fmt.Sprintf("%d of %d proofs are not verified", missing, w.ProofsMade),
			Type:    "unverified",
		}
	}
	if c, ok := controls(class, r, w); ok {
		s.Cases = append(s.Cases, c)
	}
	text, err := output(name, d)
	s.Output = text
	return s, err
}

// verdict is the case that fails on a regression.
func verdict(class string, w *report.Workload, d document.Document) testcase {
	c := testcase{Name: "verdict on " + document.Clean(w.Metric.Name), Class: class, Time: seconds(w.Seconds)}
	for _, h := range d.Headlines {
		if h.Workload != document.Clean(w.Name) {
			continue
		}
		message := &outcome{Message: h.Status.Word + ": " + h.Sentence, Type: h.Status.Word}
		switch h.Status.Word {
		case string(stats.Regression):
			c.Failure = message
		case string(stats.Improvement), string(stats.Equivalent), string(stats.Negligible):
		default:
			c.Skipped = &outcome{Message: message.Message}
		}
	}
	return c
}

// controls is the case that fails if a control changed. It reports false without controls or without tests.
func controls(class string, r *report.Report, w *report.Workload) (testcase, bool) {
	c := testcase{Name: "controls did not move", Class: class, Time: seconds(0)}
	var watched, moved []string
	for _, s := range w.Secondary {
		if s.Control {
			watched = append(watched, document.Clean(s.Metric))
			if s.ControlMoved {
				moved = append(moved, document.Clean(s.Metric))
			}
		}
	}
	if len(moved) > 0 {
		c.Failure = &outcome{Message: "moved: " + strings.Join(moved, ", "), Type: "control"}
	}
	return c, len(watched) > 0 && r.State == report.Complete
}

// output renders the parts of a workload as in the terminal.
func output(workload string, d document.Document) (string, error) {
	part := document.Document{Title: d.Title}
	for _, h := range d.Headlines {
		if h.Workload == workload {
			part.Headlines = append(part.Headlines, h)
		}
	}
	for _, s := range d.Sections {
		if s.Workload == workload {
			part.Sections = append(part.Sections, s)
		}
	}
	var b strings.Builder
	err := terminal.WriteDocument(&b, part, terminal.Options{})
	return "\n" + b.String(), err
}

// count sets the counts of a suite.
func count(s *suite) {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	if s.Time == "" {
		s.Time = seconds(0)
	}
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }
