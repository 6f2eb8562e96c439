package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
	"github.com/chiasmus/chiasmus/stats"
)

// commits writes the runs that the probe expects: four commits a day apart, of which the first two are comparable, the
// last two have another bench.yaml, and the last one is a regression.
func commits(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for i, slower := range []float64{-0.03, 0, -0.015, 0.04} {
		r := fixture.Improvement()
		r.Run.ID = fmt.Sprintf("r%d", i)
		r.Run.Started = r.Run.Started.Add(time.Duration(i) * 24 * time.Hour)
		r.Base.SHA, r.Head.SHA = strings.Repeat(fmt.Sprint(i), 40), strings.Repeat(fmt.Sprint(i+1), 40)
		r.Head.Subject = fmt.Sprintf("commit %d <b>bold</b>", i)
		r.Head.Time = r.Run.Started.Add(-time.Hour)
		r.Host.Name = "host-1"
		if i >= 2 {
			r.Run.ConfigSHA256 = strings.Repeat("c", 64)
		}
		w := &r.Workloads[0]
		var pairs []stats.Pair
		for k := range w.Pairs {
			p := &w.Pairs[k]
			p.B = p.A * math.Exp(slower+0.001*float64(k%3))
			pairs = append(pairs, p.Of(p.A, p.B))
		}
		result, err := stats.Analyze(pairs, stats.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		w.Stats = &result
		worsen(w, i == 3)
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(root, r.Run.ID), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, r.Run.ID, reportFile), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// worsen inverts the significant changes of stages.
func worsen(w *report.Workload, worse bool) {
	for i := range w.Secondary {
		if s := w.Secondary[i].Stats; worse && s != nil {
			s.EffectPercent = -s.EffectPercent
			s.EffectCIPercent = stats.Interval{Low: -s.EffectCIPercent.High, High: -s.EffectCIPercent.Low}
		}
	}
}

// A console is what a browser writes to standard error.
type console struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (c *console) Write(p []byte) (int, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.text.Write(p)
}

func (c *console) String() string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.text.String()
}

// TestInBrowser makes Chromium, in dark mode, open the served pages and act like readers, as testdata/probe.html
// describes. Only the test's own server can be resolved, and the browser's console stays silent.
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
	type outcome struct {
		Faults []string
		Checks int
	}
	pages, results := Handler(commits(t), "v1"), make(chan outcome, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/probe":
			http.ServeFile(w, r, "testdata/probe.html")
		case "/favicon.ico":
			w.WriteHeader(http.StatusNoContent)
		case "/result":
			var o outcome
			if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
				o.Faults = []string{err.Error()}
			}
			results <- o
		default:
			pages.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	profile, err := os.MkdirTemp("", "chiasmus-browser-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(profile) // the browser's children may still write to it, which is no failure of the test
	var log console
	command := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--enable-logging=stderr", "--blink-settings=preferredColorScheme=0", "--window-size=1400,1200",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--remote-debugging-port=0",
		"--user-data-dir="+profile, server.URL+"/probe")
	command.Stderr, command.WaitDelay = &log, 10*time.Second
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	select {
	case o := <-results:
		for _, fault := range o.Faults {
			t.Error(fault)
		}
		if o.Checks < 35 {
			t.Errorf("%d checks were made", o.Checks)
		}
	case err := <-ended:
		t.Fatalf("the browser ended: %v\n%s", err, log.String())
	case <-time.After(8 * time.Minute):
		t.Errorf("the probe never ended:\n%s", log.String())
	}
	_ = command.Process.Kill()
	<-ended
	for _, line := range strings.Split(log.String(), "\n") {
		if strings.Contains(line, "CONSOLE") && !strings.Contains(line, "willReadFrequently") { // the probe's error
			t.Errorf("console: %s", line)
		}
	}
}
