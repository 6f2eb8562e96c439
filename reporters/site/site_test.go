package site

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
)

// folder writes reports as runs below a repository: three good ones a day apart, a failed one, one with text that tries
// to inject markup, and two that cannot be read.
func folder(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	write := func(id string, text []byte) {
		dir := filepath.Join(root, ".chiasmus", "runs", id)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, reportFile), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i, report := range []*report.Report{fixture.Complete(), fixture.Improvement(), fixture.AA(), fixture.Failed(),
		fixture.Hostile()} {
		report.Run.ID = "2026112" + string(rune('1'+i)) + "T020304Z-3f2a91c-9b07d1e"
		report.Run.Started = report.Run.Started.Add(time.Duration(i) * 24 * time.Hour)
		text, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		write(report.Run.ID, text)
	}
	write("broken", []byte("{"))
	write("climbs", []byte(`{"schema":"chiasmus.report/1","run":{"id":"../../x"}}`))
	return root
}

func TestLoadAndExport(t *testing.T) {
	s, err := Load(folder(t), "v1")
	if err != nil || len(s.Runs) != 5 || len(s.Unread) != 2 {
		t.Fatalf("%v, %d runs, unread %q", err, len(s.Runs), s.Unread)
	}
	if text := strings.Join(s.Unread, "\n"); !strings.Contains(text, "broken/report.json: unexpected EOF") ||
		!strings.Contains(text, `run ID "../../x" cannot be used as a file name`) {
		t.Errorf("unread: %s", text)
	}
	out := filepath.Join(t.TempDir(), "pages")
	if err := s.Export(out); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"name":"keccak-16k"`, `"host":"bench-1"`, `"title":"commit main"`, `"word":"improvement"`,
		`"word":"failed"`} {
		if !strings.Contains(string(index), want) {
			t.Errorf("%q is not on the index", want)
		}
	}
	// The verdict of a run with an improvement and a regression is the regression.
	if worst := s.Runs[0].Status.Word; worst != "regression" {
		t.Errorf("the first run has the verdict %s", worst)
	}
	links := regexp.MustCompile(`href="([^"#]+)"`).FindAllStringSubmatch(string(index), -1)
	if len(links) != 5 {
		t.Errorf("%d links for a browser without scripts, want one for each run", len(links))
	}
	for _, link := range links { // each must be a file
		if _, err := os.Stat(filepath.Join(out, link[1])); err != nil {
			t.Error(err)
		}
	}
	if _, err := Load(filepath.Join(out, "nowhere"), "v1"); err == nil {
		t.Error("a missing folder was accepted")
	}
}

func TestHandler(t *testing.T) {
	handler := Handler(folder(t), "v1")
	for _, test := range []struct {
		method, target, host string
		want                 int
	}{
		{"GET", "/", "127.0.0.1:8380", http.StatusOK},
		{"GET", "/compare.html", "localhost:8380", http.StatusOK},
		{"HEAD", "/index.html", "[::1]:8380", http.StatusOK},
		{"GET", "/run-20261121T020304Z-3f2a91c-9b07d1e.html", "localhost", http.StatusOK},
		{"GET", "/run-other.html", "localhost", http.StatusNotFound},
		{"GET", "/../../etc/passwd", "localhost", http.StatusNotFound},
		{"POST", "/", "localhost", http.StatusMethodNotAllowed},
		{"GET", "/", "evil.example", http.StatusForbidden}, // a name that resolves to this server
	} {
		request := httptest.NewRequest(test.method, "http://"+test.host+"/", nil)
		request.URL.Path = test.target
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		if answer.Code != test.want {
			t.Errorf("%s %s of %s: %d, want %d", test.method, test.target, test.host, answer.Code, test.want)
		}
	}
}
