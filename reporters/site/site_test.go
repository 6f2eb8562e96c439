package site

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
)

// folder writes reports as runs below a repository: three good ones a day apart, a failed one, one of text from
// somebody who wants to get into the page, and two that cannot be read.
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
	for i, report := range []*harness.Report{fixture.Complete(), fixture.Improvement(), fixture.AA(), fixture.Failed(),
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
		!strings.Contains(text, `"../../x" of its run names no page`) {
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
	for _, want := range []string{"keccak-16k on bench-1", "commit main of both arms", "-3.4 %", "improvement", "failed",
		`href="compare.html"`} {
		if !strings.Contains(string(index), want) {
			t.Errorf("%q is not on the index", want)
		}
	}
	if strings.Contains(string(index), "<script") || strings.Contains(string(index), "<img") {
		t.Error("text from outside became markup")
	}
	// A run of an improvement and a regression came to the regression.
	if _, all, _ := strings.Cut(string(index), "All runs"); !strings.Contains(all, `<td class="number">1</td>`) ||
		strings.Count(all, ">regression<") != 2 {
		t.Errorf("all runs: %s", all)
	}
	links := regexp.MustCompile(`href="([^"#]+)"`).FindAllStringSubmatch(string(index), -1)
	if len(links) < 10 {
		t.Errorf("%d links", len(links))
	}
	for _, link := range links { // every one is a file
		if _, err := os.Stat(filepath.Join(out, link[1])); err != nil {
			t.Error(err)
		}
	}
	if _, err := Load(filepath.Join(out, "nowhere"), "v1"); err == nil {
		t.Error("a folder that is not there")
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
		{"GET", "/", "evil.example", http.StatusForbidden}, // a name that was made to lead here
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

// A browser shows both pages: charts drawn, nothing wider than the window, two runs side by side or, on a phone, one
// below the other, nothing on its console.
func TestInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("no Chromium: CI opens the pages in one")
		}
		t.Skip("no Chromium")
	}
	root := folder(t)
	pages := Handler(root, "v1")
	const probe = `<!doctype html><body><iframe id="index" width="390" height="900" src="/"></iframe><iframe id="compare" width="1200" height="900" src="/compare.html"></iframe>
<iframe id="phone" width="390" height="900" src="/compare.html"></iframe><pre id="result"></pre><script>addEventListener("load", () => {
  const page = name => document.getElementById(name).contentDocument, index = page("index"), compare = page("compare"), phone = page("phone");
  const shown = [...index.querySelectorAll("figure svg")].filter(e => e.getBoundingClientRect().width > 100).length;
  const sides = [...compare.querySelectorAll("iframe")].map(f => f.contentDocument.querySelector("h1").textContent);
  const places = d => { const [a, b] = [...d.querySelectorAll("iframe")].map(f => f.getBoundingClientRect()); return [a.right <= b.left, a.bottom <= b.top, b.width > 300]; };
  document.getElementById("result").textContent = [shown, index.querySelectorAll("figure").length,
    Math.max(index.documentElement.scrollWidth, phone.documentElement.scrollWidth), places(compare), places(phone), sides.join(" | ")].join(";");
})</script>`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/probe" {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(probe))
			return
		}
		pages.ServeHTTP(w, r)
	}))
	defer server.Close()
	command := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--enable-logging=stderr",
		"--user-data-dir="+t.TempDir(),
		"--virtual-time-budget=20000", "--dump-dom", server.URL+"/probe")
	var log strings.Builder
	command.Stderr = &log
	dom, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	result := regexp.MustCompile(`<pre id="result">(\d+);(\d+);(\d+);([a-z,]+;[a-z,]+);([^<]*)</pre>`).
		FindStringSubmatch(string(dom))
	if result == nil || result[1] != result[2] || result[1] == "0" || result[3] != "390" && result[3] != "375" ||
		strings.Count(result[5], "Chiasmus") != 2 ||
		result[4] != "true,false,true;false,true,true" {
		t.Errorf("drawn;charts;width;beside, below, wide;the same of a phone;sides: %q\n%.2000s", result, dom)
	}
	if strings.Contains(log.String(), "CONSOLE") {
		t.Errorf("console: %s", log.String())
	}
}
