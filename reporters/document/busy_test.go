package document_test

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
)

// On a busy host the report has an estimate without a verdict, names the disturbing processes, and says what to do. A
// workload next to one that could not be measured has its estimate, too.
func TestABusyHostShowsANumber(t *testing.T) {
	r := fixture.Complete()
	r.State, r.ExitCode = report.Failed, failure.ExitUnfit
	r.Failure = &failure.Failure{Step: failure.StepEnvironment, Workload: r.Workloads[0].Name, Cause: "not decided: busy"}
	w := &r.Workloads[0]
	w.Busy = &report.Busy{
		Pairs: 14, Disturbed: 9, Dropped: 9, Stats: w.Stats, Causes: map[string]int{"others": 11, "steal": 2},
		Culprits: []environment.Culprit{{PID: 4711, Name: "fire\x1bfox", Share: 0.31}},
		Advice:   []string{"close it", "b", "c", "d"},
	}
	w.Busy.Stats.Verdict, w.Stats = "", nil
	d := document.New(r)
	first, second := d.Headlines[1], d.Headlines[2]
	if first.Status.Word != "not decided" || !strings.Contains(first.Sentence, "machine busy (9 of 14 pairs disturbed)") ||
		!strings.Contains(first.Sentence, "95 % CI") || strings.Contains(first.Sentence, "not yet known") ||
		len(first.Findings) != 3 || first.Findings[0] != "to do: close it" {
		t.Errorf("the busy workload: %+v", first)
	}
	if second.Status.Word != "not decided" || !strings.Contains(second.Sentence, "machine busy in another workload") ||
		!strings.Contains(second.Sentence, "95 % CI") {
		t.Errorf("the other workload: %+v", second)
	}
	lead := d.Answer.Lead
	if lead.Status.Word != "not decided" || lead.Sentence != "2 workloads: 2 not decided" || len(lead.Findings) < 5 ||
		!strings.HasPrefix(lead.Findings[0], "keccak-16k: not decided: machine busy (9 of 14") {
		t.Errorf("the answer: %+v", lead)
	}
	got := texts(d)
	for _, want := range []string{"other processes on the CPUs", "4711", "fire\ufffdfox", "31.0 %", "d"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
}
