package measure_test

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/longtest"
)

// warmups counts the warm-up proofs of each arm.
func warmups(load *report.Workload) map[schedule.Arm]int {
	count := map[schedule.Arm]int{}
	for _, s := range load.Samples {
		if s.Kind == evidence.WarmUp {
			count[s.Arm]++
		}
	}
	return count
}

// Sessions that are slow at first make more warm-up proofs at every start, until their times are flat. Flat sessions
// make only the proofs of one check. Sessions that never become flat make the plan's maximum, and the report says so.
// Both arms make equal numbers, whichever of them drifts.
func TestWarmUp(t *testing.T) {
	longtest.Only(t)
	w := newWorld(t, strings.Replace(worldConfig, "{settle: 0, pairs: 8, seed: 7, launches: 1}",
		"{settle: 8, pairs: 6, seed: 7, launches: 6}", 1))
	const host = "seconds=0.002 noise=0.001 "
	w.commit("flat", host)
	w.commit("slow", host+"cold=6")
	w.commit("never", host+"cold=60 chill=2")
	for _, test := range []struct {
		head   string
		want   int
		event  string
		warned bool
	}{
		{"flat", 4 + 5, "", false},
		{"slow", 8 + 5*5, "times drifted until 8 warm-up proofs of each arm were made: every start makes 4 more than " +
			"plan.warmup", false},
		{"never", 8 + 5, "", true},
	} {
		r := w.compare(w.options("flat.."+test.head), failure.ExitOK, failure.ExitRegression)
		load := &r.Workloads[0]
		if made := warmups(load); made[schedule.Base] != test.want || made[schedule.Head] != test.want {
			t.Errorf("%s: %v, want %d", test.head, made, test.want)
		}
		if load.ProofsMade != load.ProofsPlanned {
			t.Errorf("%s: %d proofs, %d planned", test.head, load.ProofsMade, load.ProofsPlanned)
		}
		told, warned := test.event == "", false
		for _, e := range r.Events {
			told = told || strings.Contains(e.Text, test.event)
		}
		for _, warning := range load.Warnings {
			warned = warned || warning.Kind == "warm-up" &&
				strings.Contains(warning.Text,
					"after 8 warm-up proofs of each arm, the maximum of plan.settle, the prove_seconds of head moved")
		}
		if !told || warned != test.warned {
			t.Errorf("%s: %v, %v", test.head, r.Events, load.Warnings)
		}
	}
}
