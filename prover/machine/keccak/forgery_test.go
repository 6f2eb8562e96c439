package keccak

import (
	"errors"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Each forgery fails the check that it names and no other.
func TestForgeries(t *testing.T) {
	fillers := mustProgram(t).Fillers()
	m := fillers.Machine
	pool := parallel.New(0)
	forgeries, err := Forgeries(3)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range forgeries {
		t.Run(f.Rule, func(t *testing.T) {
			t.Parallel()
			public := f.Execution.Public()
			if err := m.CheckStated(public); (err != nil) != (f.Check == "public values") {
				t.Fatalf("public values: %v", err)
			}
			traces, err := fillers.Traces(pool, f.Execution)
			if err != nil {
				t.Fatal(err)
			}
			broken := map[string]bool{}
			for _, instance := range traces {
				for _, v := range instance.Table.Violations(instance.Trace, public.Values, nil, 0) {
					broken[v.Constraint] = true
				}
			}
			var imbalance *air.Imbalance
			if err := air.CheckBuses(traces, public.Values, nil); errors.As(err, &imbalance) {
				broken["bus "+imbalance.Bus] = true
			}
			if f.Check == "public values" {
				broken[f.Check] = true
			}
			if len(broken) != 1 || !broken[f.Check] {
				t.Errorf("broken: %v, want %q alone", broken, f.Check)
			}
		})
	}
}
