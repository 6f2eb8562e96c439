package document_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/html"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
	"github.com/chiasmus/chiasmus/reporters/json"
	"github.com/chiasmus/chiasmus/reporters/junit"
	"github.com/chiasmus/chiasmus/reporters/markdown"
	"github.com/chiasmus/chiasmus/reporters/terminal"
)

// Every format marks a workload without a verifier as not verified.
func TestNotVerified(t *testing.T) {
	claimed := regexp.MustCompile(`(?i)(.{0,24})\bverified\b`)
	for name, write := range map[string]func(*bytes.Buffer, *report.Report) error{
		"terminal": func(b *bytes.Buffer, r *report.Report) error { return terminal.Write(b, r, terminal.Options{}) },
		"markdown": func(b *bytes.Buffer, r *report.Report) error { return markdown.Write(b, r, markdown.Options{}) },
		"html":     func(b *bytes.Buffer, r *report.Report) error { return html.Write(b, r) },
		"junit":    func(b *bytes.Buffer, r *report.Report) error { return junit.Write(b, r) },
	} {
		for _, suite := range []string{"", "suite"} {
			r := fixture.Improvement()
			w := &r.Workloads[0]
			w.NotVerified, w.Suite = true, suite
			w.Verified, w.Cross, w.Challenges = evidence.Verified{}, evidence.CrossCheck{}, nil
			var out bytes.Buffer
			if err := write(&out, r); err != nil {
				t.Fatal(err)
			}
			found := claimed.FindAllStringSubmatch(out.String(), -1)
			if len(found) == 0 {
				t.Errorf("%s: it does not say that nothing is verified", name)
			}
			for _, m := range found {
				if !strings.HasSuffix(strings.ToLower(m[1]), "not ") {
					t.Errorf("%s says %q", name, m[0])
				}
			}
		}
	}
	r := fixture.Improvement()
	r.Workloads[0].NotVerified = true
	var out bytes.Buffer
	if err := json.Write(&out, r); err != nil || !strings.Contains(out.String(), `"not_verified": true`) {
		t.Errorf("the JSON lacks not_verified: %v", err)
	}
}

// Arms that are commands have no SHAs to show.
func TestCommandsInReports(t *testing.T) {
	r := fixture.Improvement()
	r.Base.Argv, r.Base.Ref, r.Base.Subject = []string{"./old"}, "the old one", "./old -x"
	r.Head.Argv, r.Head.Ref, r.Head.Subject = []string{"./new"}, "./new -x", "./new -x"
	var out bytes.Buffer
	if err := terminal.Write(&out, r, terminal.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Chiasmus: ./new -x against the old one", "./old -x"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in the report", want)
		}
	}
	if strings.Contains(out.String(), r.Base.SHA[:12]) {
		t.Error("the report shows a SHA for a command")
	}
}
