package plan

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
)

// The plan of the issue: 14 pairs, 3 workloads, 3 analyses. The plan that the error suggests is sufficient.
func TestWhatWouldUphold(t *testing.T) {
	plan := Plan{Pairs: 14, Analyses: 3, Alpha: 0.05}
	err := plan.Upholds(3)
	if err == nil {
		t.Fatal("accepted")
	}
	t.Log(err)
	for _, want := range []string{"14 pairs with 3 analyses", "3 workloads", "take pairs: ", "or analyses: ", "at most "} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	var pairs, analyses, fewer int
	at := strings.Index(err.Error(), "take pairs: ")
	_, err = fmt.Sscanf(err.Error()[at:], "take pairs: %d, or analyses: %d, or at most %d", &pairs, &analyses, &fewer)
	if err != nil {
		t.Fatal(err)
	}
	for _, would := range []struct {
		plan      Plan
		workloads int
	}{{Plan{Pairs: pairs, Analyses: 3, Alpha: 0.05}, 3}, {Plan{Pairs: 14, Analyses: analyses, Alpha: 0.05}, 3}, {plan,
		fewer}} {
		if err := would.plan.Upholds(would.workloads); err != nil {
			t.Error(err)
		}
	}
}

// Compare refuses such a plan as a configuration error before it builds or measures anything, and accepts the same plan
// for one workload.
func TestAPlanThatUpholdsNothing(t *testing.T) {
	one := "\n  - {name: %s, session: [\"{p}\"], verify: [\"{p}\", \"{proof}\"]}"
	file, err := config.Parse("bench.yaml", []byte("version: 1\nbuild: {command: [make], artifacts: [p]}\nworkloads:"+
		fmt.Sprintf(one, "a")+fmt.Sprintf(one, "b")+fmt.Sprintf(one, "c")+"\nplan: {pairs: 14, looks: 3}\n"))
	if err != nil {
		t.Fatal(err)
	}
	d := &Decision{File: file, Kind: KindCompare, Config: "bench.yaml", Workloads: []string{"a", "b", "c"}}
	err = d.planFor(Options{})
	var usage *failure.UsageError
	if !errors.As(err, &usage) || failure.Code(err) != failure.ExitUsage ||
		!strings.Contains(err.Error(), "cannot uphold") {
		t.Errorf("three workloads: %v", err)
	}
	if d.Workloads = d.Workloads[:1]; d.planFor(Options{}) != nil {
		t.Errorf("one workload: %v", err)
	}
}
