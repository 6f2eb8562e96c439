package measure_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/flame"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/report"
)

// A profile is taken after the last pair, in the order ABBA. It names the function that changed most, and has no effect
// on the pairs or the verdict. The journal has the same profile.
func TestACodeProfile(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "seconds=0.005 noise=0.005")
	w.commit("head", "seconds=0.005 noise=0.005")
	plain := w.compare(w.options("base..head"), failure.ExitOK)
	o := w.options("base..head")
	calls := 0
	measure.SetStacks(&o.Controls, func() ([]flame.Stack, error) {
		calls++
		hash := 100.0
		if calls == 2 || calls == 3 { // head
			hash = 200
		}
		return []flame.Stack{
			{Frames: []string{"main", "hash"}, Samples: hash, Seconds: hash / 1000},
			{Frames: []string{"main", "<sort>"}, Samples: 150, Seconds: 0.15},
		}, nil
	})
	r := w.compare(o, failure.ExitOK)
	load := r.Workloads[0]
	p := load.CodeProfile
	if p == nil || calls != 4 || p.Failed != "" || p.Source != "recorded" || p.BaseProofs != 2 || p.HeadSamples != 700 ||
		len(p.Functions) != 2 || len(p.Notes) != 1 {
		t.Fatalf("%d calls gave the profile %+v", calls, p)
	}
	if f := p.Functions[0]; f.Function != "hash" || f.BaseSeconds != 0.1 || f.HeadSeconds != 0.2 ||
		math.Abs(f.Percent-40) > 1e-9 {
		t.Errorf("the first function is %+v", f)
	}
	graph, err := os.ReadFile(filepath.Join(r.Paths.Directory, p.Graph))
	if err != nil || !strings.Contains(string(graph), "&lt;sort&gt;") || strings.Contains(string(graph), "<sort>") {
		t.Errorf("the graph: %v", err)
	}
	if len(load.Samples) != len(plain.Workloads[0].Samples) || load.ProofsMade != plain.Workloads[0].ProofsMade ||
		load.Verdict() != plain.Workloads[0].Verdict() {
		t.Error("proofs that were sampled count among the measured ones")
	}
	if err := os.Remove(r.Paths.Report); err != nil {
		t.Fatal(err)
	}
	again, err := report.Load(journal.Directory(r.Paths.Directory))
	if err != nil {
		t.Fatal(err)
	}
	if q := again.Workloads[0].CodeProfile; q == nil || q.Functions[0] != p.Functions[0] {
		t.Errorf("the journal tells another profile: %+v", q)
	}
}

// If sampling fails, the report says so, and the verdict stands.
func TestAProfileThatFailsChangesNothing(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "seconds=0.005 noise=0.005")
	w.commit("head", "seconds=0.005 noise=0.005")
	o := w.options("base..head")
	measure.SetStacks(&o.Controls, func() ([]flame.Stack, error) {
		return nil, errors.New("kernel.perf_event_paranoid is 4")
	})
	r := w.compare(o, failure.ExitOK)
	if p := r.Workloads[0].CodeProfile; r.State != report.Complete || r.Workloads[0].Stats == nil || p == nil ||
		!strings.Contains(p.Failed, "kernel.perf_event_paranoid is 4") || p.Graph != "" {
		t.Errorf("state %s, profile %+v", r.State, p)
	}
}
