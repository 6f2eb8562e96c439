package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/profile"
	"github.com/chiasmus/chiasmus/stats"
)

// A dry run that does not know the run's seed gives bounds that every run keeps and some run reaches.
func TestBoundProofs(t *testing.T) {
	file, err := config.Parse("x",
		[]byte("version: 1\nbuild: {command: [make], artifacts: [p]}\nworkloads:\n  - {name: w, session: [\"{p}\"], "+
			"verify: [\"{p}\", \"{proof}\"]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, processes := range []int{0, 1, 2, 4, 8} {
		d := &Decision{
			File: file,
			Plan: Plan{Pairs: 8, Warmup: 3, Settle: 16, Design: "abba", SeedDrawn: true, Analyses: 1, Alpha: 0.05},
		}
		least, most := d.boundProofs("w", processes)
		fewest, largest := 1<<30, 0
		for seed := range uint64(200) {
			d.Plan.Seed = seed + 1
			s, err := d.Schedule()
			if err != nil {
				t.Fatal(err)
			}
			proofs := PlannedProofs(s.WithReplicates(processes, 1), d.Plan, 4, false)
			fewest, largest = min(fewest, proofs), max(largest, proofs)
		}
		if fewest != least || largest != most {
			t.Errorf("%d processes: %d to %d proofs, bounds %d and %d", processes, fewest, largest, least, most)
		}
		d.Plan.SeedDrawn = false
		if least, most := d.boundProofs("w", processes); least != 0 || most != 0 {
			t.Errorf("with a seed that is given: %d, %d", least, most)
		}
	}
	if text := (WorkloadForecast{Name: "w", Proofs: 20, Least: 18, Most: 21}).Text(); !strings.HasPrefix(text,
		"w: 18 to 21 proofs, depending on the random orders, ") {
		t.Error(text)
	}
}

// If no run has measured how long starting takes, the forecast gives the proofs of one process per arm and of fresh
// processes.
func TestOpenForecast(t *testing.T) {
	file, err := config.Parse("x",
		[]byte("version: 1\nbuild: {command: [make], artifacts: [p]}\nworkloads:\n  - {name: w, session: [\"{p}\"], "+
			"verify: [\"{p}\", \"{proof}\"]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	plan := Plan{Pairs: 14, Warmup: 1, Settle: 16, Design: "abba", Seed: 7, Analyses: 1, Alpha: 0.05, Resident: "both"}
	d := &Decision{Directory: t.TempDir(), File: file, Plan: plan}
	w, err := d.Predict("w", nil)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := d.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	one := PlannedProofs(drawn.WithReplicates(1, 1), plan, 4, false)
	fresh := PlannedProofs(drawn.WithReplicates(7, 1), plan, 4, false)
	want := fmt.Sprintf("w: %d to %d proofs, in one process of each arm or in 7, depending on their start-up "+
		"time, duration", one,
		fresh)
	if text := w.Text(); one >= fresh || !strings.HasPrefix(text, want) {
		t.Errorf("got %q, want %q", text, want)
	}
	d.Plan.Processes = 7
	if w, err := d.Predict("w", nil); err != nil || w.Open || w.Proofs != fresh {
		t.Errorf("with processes that are demanded: %+v, %v", w, err)
	}
}

// The forecast of a very precise plan does not claim to detect effects below its margin.
func TestForecastOfAPrecisePlan(t *testing.T) {
	p := &profile.Profile{Metric: "prove_seconds", Scale: stats.ScaleLog, Runs: []profile.Run{{
		Pairs: 14, MeanA: 1, Components: []stats.Component{{Level: stats.UnitPair, SD: 0.0001, DF: 13}},
	}}}
	draw := stats.Draw{Pairs: 14, Processes: 7}
	if got := p.DetectablePercent(draw, 0.05, 0.01); got != 1 {
		t.Errorf("%g %%, want the margin", got)
	}
	if got := p.DetectablePercent(draw, 0.05, 0.00001); !(got > 0.001 && got < 0.1) {
		t.Errorf("%g %%, want what the scatter allows", got)
	}
}
