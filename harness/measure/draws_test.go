package measure_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/stats"
)

// drawing is worldConfig with another plan.
func drawing(plan string) string {
	return strings.Replace(worldConfig, "{settle: 0, pairs: 8, seed: 7, launches: 1}", plan, 1)
}

func hasWarning(list []plan.Warning, kind string) bool {
	return slices.ContainsFunc(list, func(w plan.Warning) bool { return w.Kind == kind })
}

// Every block has processes of its own. The tests count processes, and a pair that is measured again has new ones.
func TestFreshProcesses(t *testing.T) {
	w := newWorld(t, drawing("{settle: 0, pairs: 12, seed: 42, launches: 6}"))
	w.observe = func() measure.Observer {
		return &scripted{causes: func(n int) []environment.Cause {
			if n == 4 { // two warm-ups come first: this is the second proof of pair 1
				return []environment.Cause{{Kind: environment.Steal, Detail: "stolen"}}
			}
			return nil
		}}
	}
	w.commit("base", quick)
	w.commit("head", quick)
	r := w.compare(w.options("base..head"), failure.ExitOK)
	load := r.Workloads[0]
	if load.Processes != 6 || load.Stats.Unit != stats.UnitProcess || load.Stats.Units != 6 || load.Stats.Processes != 6 {
		t.Errorf("%d processes, %d of %s", load.Processes, load.Stats.Units, load.Stats.Unit)
	}
	if load.BaseSession.Starts != 7 || load.HeadSession.Starts != 7 {
		t.Errorf("%d and %d starts, want 6 and one for the pair that was dropped", load.BaseSession.Starts,
			load.HeadSession.Starts)
	}
	// Four proofs a block and two to warm up. The dropped pair is measured again together with the other pair of its
	// block.
	if load.ProofsPlanned != 36 || load.ProofsMade != 40 {
		t.Errorf("%d proofs planned and %d made", load.ProofsPlanned, load.ProofsMade)
	}
	for _, p := range load.Pairs {
		if p.Process != p.Block || p.Build != 1 {
			t.Errorf("pair %d of block %d: process %d of build %d", p.Number, p.Block, p.Process, p.Build)
		}
	}
	checkNeighbours(t, load, r.Plan)
	if text := fmt.Sprint(load.Stats.Warnings); strings.Contains(text, string(stats.WarnOneEach)) {
		t.Errorf("%s", text)
	}

	// A received report cannot claim other sampling units than its plan has.
	file, err := config.Load(filepath.Join(w.dir, "bench.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range load.Pairs {
		load.Pairs[i].Process, load.Pairs[i].Block = i+1, 1
	}
	if err := report.Judge(file, r.Plan, 1, &load); err != nil || load.Stats.Units != 6 {
		t.Errorf("%v, %+v", err, load.Stats)
	}
	load.Processes = 12
	if err := report.Judge(file, r.Plan, 1, &load); err == nil ||
		!strings.Contains(err.Error(), "12 processes of each arm") {
		t.Errorf("other processes than planned: %v", err)
	}
}

// One process an arm is reported, and the tests count blocks or pairs.
func TestOneProcess(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", quick)
	w.commit("head", quick)
	r := w.compare(w.options("base..head"), failure.ExitOK)
	load := r.Workloads[0]
	if load.Processes != 1 || load.Stats.Unit != stats.UnitPair || load.BaseSession.Starts != 1 {
		t.Errorf("%d processes, %s, %d starts", load.Processes, load.Stats.Unit, load.BaseSession.Starts)
	}
	if text := fmt.Sprint(load.Stats.Warnings); !strings.Contains(text, string(stats.WarnOneEach)) {
		t.Errorf("%s", text)
	}
}

// The builds of each arm have their own layouts, each build is measured for its share, and builds that do not differ
// are reported.
func TestBuildsAreSampled(t *testing.T) {
	longtest.Only(t)
	for _, reached := range []bool{true, false} {
		source := strings.Replace(drawing("{settle: 0, pairs: 12, seed: 5, launches: 6, builds: 6}"), "  artifacts:",
			"  layout: {env: {LAYOUT: \"l{layout}\"}, args: [\"{layout}\"]}\n  artifacts:", 1)
		w := newWorld(t, source)
		ran := filepath.Join(t.TempDir(), "ran")
		script, err := os.ReadFile(filepath.Join(w.dir, "build.sh"))
		if err != nil {
			t.Fatal(err)
		}
		if reached {
			w.write("build.sh", string(script)+launcher(`[ "$1" != session ] || echo '"$LAYOUT $1"' >>`+ran))
		}
		w.commit("base", quick)
		w.commit("head", quick)
		r := w.compare(w.options("base..head"), failure.ExitOK)
		if hasWarning(r.Warnings, "layout") == reached {
			t.Errorf("layouts reach the builds: %v, and the warnings are %v", reached, r.Warnings)
		}
		load := r.Workloads[0]
		if load.Stats.Unit != stats.UnitBuild || load.Stats.Units != 6 {
			t.Errorf("%d of %s", load.Stats.Units, load.Stats.Unit)
		}
		if !reached {
			continue
		}
		want := map[string]bool{}
		for _, layout := range append(r.Base.Layouts, r.Head.Layouts...) {
			want[fmt.Sprintf("l%d %d", layout.Seed%(1<<31), layout.Seed%(1<<31))] = true
		}
		text, err := os.ReadFile(ran)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Fields(strings.ReplaceAll(strings.TrimSpace(string(text)), " ", "_"))
		if len(want) != 12 || len(got) != 12 {
			t.Fatalf("%d layouts, %d sessions: %q", len(want), len(got), got)
		}
		for _, one := range got {
			if one = strings.ReplaceAll(one, "_", " "); !want[one] {
				t.Errorf("a session of %s ran, or twice", one)
			}
			delete(want, one)
		}
	}
}

// Starting is short if both arms start within the time of a block.
func TestShort(t *testing.T) {
	for _, test := range []struct {
		setup, proof time.Duration
		want         bool
	}{{300 * time.Millisecond, 400 * time.Millisecond, true}, {2 * time.Second, time.Second,
		true}, {2001 * time.Millisecond, time.Second, false}, {time.Minute, time.Second, false}} {
		if got := measure.Short(test.setup, test.proof); got != test.want {
			t.Errorf("starts in %v, proves in %v: %v", test.setup, test.proof, got)
		}
	}
}

// A plan that leaves the number open decides by its first starts, reports the decision, and makes the corresponding
// number of proofs.
func TestProcessesByTheirStart(t *testing.T) {
	w := newWorld(t, drawing("{settle: 0, pairs: 12, seed: 3}"))
	w.commit("base", quick)
	w.commit("head", quick)
	r := w.compare(w.options("base..head"), failure.ExitOK)
	load := r.Workloads[0]
	if load.Processes != 1 && load.Processes != 6 || load.BaseSession.Starts != load.Processes ||
		load.ProofsMade != load.ProofsPlanned {
		t.Errorf("%d processes, %d starts, %d proofs of %d", load.Processes, load.BaseSession.Starts, load.ProofsMade,
			load.ProofsPlanned)
	}
	if !slices.ContainsFunc(r.Events,
		func(e evidence.Event) bool { return strings.Contains(e.Text, "because starting one takes") }) {
		t.Errorf("events %v", r.Events)
	}
}
