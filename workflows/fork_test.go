package workflows

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
)

// The code of a fork is never run where this host cannot isolate: not built, not started, not even unpacked. The check is
// the executor's own; that publish refuses such a result comes too late for the host.
func TestForkIsNeverMeasuredUnisolated(t *testing.T) {
	commit := strings.Repeat("a", 40)
	plan := &Plan{Schema: PlanSchema, Base: strings.Repeat("b", 40), Head: commit, Deadline: "1h"}
	for name, one := range map[string]struct {
		fork, isolates, run bool
	}{
		"fork, no isolation":    {fork: true, isolates: false, run: false},
		"fork, isolation":       {fork: true, isolates: true, run: true},
		"no fork, no isolation": {fork: false, isolates: false, run: true},
	} {
		t.Run(name, func(t *testing.T) {
			plan := *plan
			plan.Fork = one.fork
			bundle, out := emptyBundle(t, &plan), filepath.Join(t.TempDir(), "out")
			ran := false
			err := Measure(context.Background(), &plan, MeasureOptions{Bundle: bundle, Out: out,
				Isolated: func(context.Context) error {
					if one.isolates {
						return nil
					}
					return errors.New("no user namespaces")
				},
				Compare: func(_ context.Context, options harness.Options) (*harness.Report, error) {
					ran = true
					if options.Isolate != one.isolates {
						t.Errorf("compared with isolation %t", options.Isolate)
					}
					return nil, errors.New("that is enough")
				}})
			if err != nil {
				t.Fatal(err)
			}
			if ran != one.run {
				t.Errorf("run: %t, want %t", ran, one.run)
			}
			if _, err := os.Stat(filepath.Join(out, "repository")); !one.run && err == nil {
				t.Error("its commits were unpacked")
			}
			data, err := os.ReadFile(filepath.Join(out, ResultFile))
			if err != nil {
				t.Fatal(err)
			}
			if said := strings.Contains(string(data), "cannot isolate"); said == one.run {
				t.Errorf("the result: %s", data)
			}
		})
	}
}

// emptyBundle is a bundle of the plan's commits, which are those of a new repository.
func emptyBundle(t *testing.T, plan *Plan) string {
	t.Helper()
	world := newWorld(t)
	config := filepath.Join(t.TempDir(), "bench.yaml")
	if err := os.WriteFile(config, []byte(demoBench), 0o600); err != nil {
		t.Fatal(err)
	}
	plan.Base, plan.Head = world.first, world.change
	folder := filepath.Join(t.TempDir(), "bundle")
	if err := Fetch(context.Background(), plan.Commits(), FetchOptions{Repository: world.GitDir, Config: config, Local: true}, folder); err != nil {
		t.Fatal(err)
	}
	return folder
}

// The commit that a comment names is the head in every one of its 40 digits.
func TestForkCommitIsComparedWhole(t *testing.T) {
	world := newWorld(t)
	world.Pulls[worldPull].HeadRepository = 0
	for digit := range 40 {
		named := []byte(world.change)
		if named[digit]++; named[digit] == '9'+1 || named[digit] == 'f'+1 {
			named[digit] = '0'
		}
		if decision := world.gate(world.say("owner", "/bench-gpu "+string(named))); decision.Plan != nil {
			t.Errorf("digit %d of %s differs, and it was accepted for %s", digit+1, named, decision.Plan.Head)
		}
	}
	for _, length := range []int{7, 12, 39} {
		if decision := world.gate(world.say("owner", "/bench-gpu "+world.change[:length])); decision.Plan != nil {
			t.Errorf("accepted %d digits", length)
		}
	}
}
