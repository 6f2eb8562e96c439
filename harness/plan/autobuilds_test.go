package plan

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/journal"
)

// plan.builds: auto makes several builds if a layout can be randomized and builds were cheap in the last run, and
// otherwise gives the reason.
func TestAutoBuilds(t *testing.T) {
	const layout = ", layout: {env: {SEED: \"{layout}\"}}"
	for name, test := range map[string]struct {
		layout, plan   string
		build, measure float64 // seconds of the last run; 0: there was none
		builds         int
		why            string
	}{
		"cheap":             {layout, "pairs: 48", 4, 100, 8, ""},
		"as many as blocks": {layout, "pairs: 14", 4, 100, 7, ""},
		"dear":              {layout, "pairs: 48", 40, 100, 1, "building several times takes longer than measuring"},
		"no layout":         {"", "pairs: 48", 4, 100, 1, "build.layout is not set"},
		"never built":       {layout, "pairs: 48", 0, 0, 1, "no earlier run here shows"},
		"few pairs":         {layout, "pairs: 8", 4, 100, 1, "leaves no room"},
		"a pre-check":       {layout, "pairs: 48, tier: 1", 4, 100, 1, "leaves no room"},
		"one, as planned":   {layout, "pairs: 48, builds: 1", 4, 100, 1, "plan.builds is 1"},
		"ten, as planned":   {layout, "pairs: 48, builds: 10", 400, 100, 10, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := &Decision{Kind: KindCompare, Directory: t.TempDir(), Config: "bench.yaml", Workloads: []string{"w"}}
			var err error
			d.File, err = config.Parse("bench.yaml", []byte("version: 1\nbuild: {command: [make], artifacts: [p]"+test.layout+
				"}\nworkloads:\n  - {name: w, session: [\"{p}\"], verify: [\"{p}\", \"{proof}\"]}\nplan: {"+test.plan+"}\n"))
			if err != nil {
				t.Fatal(err)
			}
			if test.build > 0 {
				earlierRun(t, d, test.build, test.measure)
			}
			if err := d.planFor(Options{}); err != nil {
				t.Fatal(err)
			}
			said := (test.why == "") == (d.OneBuild == "") && strings.Contains(d.OneBuild, test.why)
			if d.Plan.Builds != test.builds || !said {
				t.Errorf("%d builds, %q; want %d, %q", d.Plan.Builds, d.OneBuild, test.builds, test.why)
			}
		})
	}
}

// earlierRun leaves the report of a complete run.
func earlierRun(t *testing.T, d *Decision, build, measure float64) {
	t.Helper()
	folder := filepath.Join(journal.RunsFolder(d.Directory), "20261120T120000.000Z-3f2a91c-9b07d1e")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	report := fmt.Sprintf(`{"schema": "chiasmus.report/1", "state": "complete", "base": {"build_seconds": %g},
		"head": {"build_seconds": %g}, "workloads": [{"name": "w", "seconds": %g}]}`, build/2, build/2, measure)
	for name, content := range map[string]string{"report.json": report, "run.json": "{}"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
