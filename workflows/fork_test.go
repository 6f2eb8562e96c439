package workflows

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/internal/hosttest"
)

// If this host cannot isolate, the commits of a request are not built, started or even unpacked, whoever wrote
// the comment. The executor checks this itself; publish also rejects such a result, but that would be too
// late for the host.
func TestNothingIsMeasuredUnisolated(t *testing.T) {
	for name, one := range map[string]struct {
		fork bool
		host func(t *testing.T)
		says string // the reason; empty: the request runs
	}{
		"fork, no bubblewrap":   {true, withoutBubblewrap, "install the package bubblewrap"},
		"branch, no bubblewrap": {false, withoutBubblewrap, "install the package bubblewrap"},
		"fork, not allowed":     {true, bubblewrap("echo no permission; exit 1"), "no permission"},
		"branch, not allowed":   {false, bubblewrap("echo no permission; exit 1"), "no permission"},
		"fork, isolation":       {true, bubblewrap("exit 0"), ""},
		"branch, isolation":     {false, bubblewrap("exit 0"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			plan := &Plan{Schema: planSchema, Deadline: "1h", Fork: one.fork}
			bundle, out := emptyBundle(t, plan), filepath.Join(t.TempDir(), "out")
			one.host(t)
			ran := false
			err := Measure(context.Background(), plan, MeasureOptions{Bundle: bundle, Out: out,
				Compare: func(_ context.Context, options harness.Options) (*report.Report, error) {
					ran = true
					if !options.Isolate {
						t.Error("compared without isolation")
					}
					if !options.RandomSeed {
						t.Error("compared with seeds that head can know")
					}
					return nil, errors.New("that is enough")
				}})
			if err != nil {
				t.Fatal(err)
			}
			if ran != (one.says == "") {
				t.Errorf("run: %t", ran)
			}
			if _, err := os.Stat(filepath.Join(out, "repository")); !ran && err == nil {
				t.Error("its commits were unpacked")
			}
			data, err := os.ReadFile(filepath.Join(out, ResultFile))
			if err != nil {
				t.Fatal(err)
			}
			result, err := checkResult(data, plan, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, says := range []string{"cannot isolate", one.says, "bubblewrap", "runner --check"} {
				if said := strings.Contains(result.Error, says); !ran && !said || ran && said && says != "" {
					t.Errorf("the result says %q; does it say %q: %t", result.Error, says, said)
				}
			}
		})
	}
}

func withoutBubblewrap(t *testing.T) { hosttest.Without(t, "bwrap") }

func bubblewrap(script string) func(t *testing.T) {
	return func(t *testing.T) { hosttest.With(t, "bwrap", script) }
}

// emptyBundle is a bundle of the plan's commits, which are in a new repository.
func emptyBundle(t *testing.T, plan *Plan) string {
	t.Helper()
	world := newWorld(t)
	config := filepath.Join(t.TempDir(), "bench.yaml")
	if err := os.WriteFile(config, []byte(demoBench), 0o600); err != nil {
		t.Fatal(err)
	}
	plan.Base, plan.Head = world.first, world.change
	folder := filepath.Join(t.TempDir(), "bundle")
	if err := Fetch(context.Background(), plan.Commits(),
		FetchOptions{Repository: world.GitDir, Config: config, Local: true}, folder); err != nil {
		t.Fatal(err)
	}
	return folder
}

// All 40 digits of the commit that a comment names decide the head.
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
