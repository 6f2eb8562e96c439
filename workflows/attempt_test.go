package workflows

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/workflows/internal/githubtest"
)

// again publishes in a later attempt of the same workflow run, in which the measuring job started.
func (world *world) again(plan *Plan, attempt int, job string) error {
	controller := world.controller("publish")
	controller.RunAttempt = attempt
	return controller.Publish(context.Background(), plan, job)
}

func (world *world) measuredAt(started time.Time) {
	world.Jobs = []*githubtest.Job{{ID: 1, Run: 77, Name: "measure", Status: "completed", Conclusion: "success",
		Runner: "gpu-1", Started: started}}
}

// A second attempt of the failed jobs publishes the measurement that the first attempt failed to publish, for any
// failure.
func TestSecondAttempt(t *testing.T) {
	for name, test := range map[string]struct {
		job  string
		left func(world *world, plan *Plan)
		want string
	}{
		"nothing":     {"failure", func(*world, *Plan) {}, "left no result"},
		"a cancelled": {"cancelled", func(*world, *Plan) {}, "before a runner took it"},
		"an error": {"success", func(world *world, plan *Plan) {
			failed := resultOf(plan, nil)
			failed.Error = "no GPU"
			world.uploadResult(plan, failed)
		}, "no GPU"},
		"an invalid file": {"success", func(world *world, plan *Plan) { world.upload(plan, []byte("no zip file")) },
			"was refused"},
	} {
		t.Run(name, func(t *testing.T) {
			world, plan := accepted(t, "/bench-gpu")
			test.left(world, plan)
			for _, artifact := range world.Artifacts {
				artifact.Created = plan.Created.Add(time.Minute)
			}
			if err := world.publish(plan, test.job); err != nil {
				t.Fatal(err)
			}
			if first := world.verdicts(); len(first) != 1 || !strings.Contains(first[0], test.want) {
				t.Fatalf("the first attempt: %q", first)
			}
			world.measuredAt(plan.Created.Add(time.Hour))
			world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 0.9)))
			good := world.Artifacts[len(world.Artifacts)-1]
			good.Created, good.Unlisted = plan.Created.Add(2*time.Hour), 3 // the lists have only the first attempt's
			for range 2 {
				if err := world.again(plan, 2, "success"); err != nil {
					t.Fatal(err)
				}
			}
			verdicts := world.verdicts()
			if len(verdicts) != 2 || !strings.Contains(verdicts[1], "@maintainer") ||
				!strings.Contains(verdicts[1], "improvement") {
				t.Errorf("verdicts %q", verdicts)
			}
			if world.CheckRuns[0].Conclusion != "success" || world.states()[77] != improvement {
				t.Errorf("conclusion %s, index %v", world.CheckRuns[0].Conclusion, world.states())
			}
			// A verdict is final: no later result changes it.
			world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 1.1)))
			world.Artifacts[len(world.Artifacts)-1].Created = plan.Created.Add(3 * time.Hour)
			if err := world.again(plan, 3, "success"); !errors.Is(err, errReplayed) ||
				world.CheckRuns[0].Conclusion != "success" || len(world.verdicts()) != 2 {
				t.Errorf("a third attempt: %v, conclusion %s", err, world.CheckRuns[0].Conclusion)
			}
		})
	}
}

// Within one attempt a second result is refused, even if the first one gave no verdict.
func TestSecondResultOfOneAttempt(t *testing.T) {
	world, plan := accepted(t, "/bench-gpu")
	if err := world.publish(plan, "failure"); err != nil {
		t.Fatal(err)
	}
	world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 0.9)))
	if err := world.publish(plan, "success"); !errors.Is(err, errReplayed) {
		t.Error(err)
	}
}

// After a measurement, a temporary error is not final: publish waits, or the job fails and can be run again.
func TestPublishWaits(t *testing.T) {
	const list = "GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts"
	const download = "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}"
	for name, test := range map[string]struct {
		job    string
		change func(world *world)
	}{
		"listed late":               {"success", func(world *world) { world.Artifacts[0].Unlisted = 40 }},
		"listed late after failure": {"failure", func(world *world) { world.Artifacts[0].Unlisted = 5 }},
		"renamed":                   {"success", func(world *world) { world.rename() }},
		"a secondary limit": {"success",
			func(world *world) { world.Faults = []*githubtest.Fault{{Call: list, Status: 429, RetryAfter: 1}} }},
		"a secondary limit at the download": {"success", func(world *world) {
			world.Faults = []*githubtest.Fault{{Call: download, Status: 403, RetryAfter: 1}}
		}},
		"a primary limit at the download": {"success", func(world *world) {
			world.Faults = []*githubtest.Fault{{Call: download, Status: 403, Reset: 2 * time.Second}}
		}},
		"a primary limit by 429": {"success", func(world *world) {
			world.Faults = []*githubtest.Fault{{Call: download, Status: 429, Reset: 2 * time.Second}}
		}},
		"an address that has expired": {"success", func(world *world) { world.Artifacts[0].StoreFails = 2 }},
		"a dropped download": {"success",
			func(world *world) { world.Faults = []*githubtest.Fault{{Call: download, Drop: true}} }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			world, plan := accepted(t, "/bench-gpu")
			world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 1.1)))
			test.change(world)
			if err := world.publish(plan, test.job); err != nil {
				t.Fatal(err)
			}
			if verdicts := world.verdicts(); len(verdicts) != 1 || !strings.Contains(verdicts[0], "regression") {
				t.Errorf("verdicts %q", verdicts)
			}
		})
	}
	for name, test := range map[string]func(world *world){
		"never listed": func(world *world) { world.Artifacts[0].Unlisted = 1000 },
		"gateway": func(world *world) {
			world.Faults = slices.Repeat([]*githubtest.Fault{{Call: download, Status: 502}}, 6)
		},
		"no permission for now": func(world *world) {
			world.Faults = []*githubtest.Fault{{Call: download, Status: 403}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			world, plan := accepted(t, "/bench-gpu")
			world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 1.1)))
			test(world)
			if err := world.publish(plan, "success"); err == nil || errors.Is(err, errReplayed) {
				t.Errorf("error %v", err)
			}
			if len(world.verdicts()) != 0 || world.CheckRuns[0].Status == "completed" {
				t.Errorf("it was accepted as final: %q", world.verdicts())
			}
			world.Faults, world.Artifacts[0].Unlisted = nil, 0
			if err := world.again(plan, 2, "success"); err != nil || len(world.verdicts()) != 1 {
				t.Errorf("the second attempt: %v", err)
			}
		})
	}
}

// rename renames the repository. Calls to the old name are redirected.
func (world *world) rename() {
	world.Lock.Lock()
	defer world.Lock.Unlock()
	world.FormerName, world.Repository.FullName = world.Repository.FullName, "chiasmus/renamed"
}

func TestPublishRefusesUnknownEnds(t *testing.T) {
	world, plan := accepted(t, "/bench-gpu")
	if err := world.publish(plan, ""); err == nil || !strings.Contains(fmt.Sprint(err), "cancelled or skipped") {
		t.Error(err)
	}
}

// The page of the run shows the decision, and how the run ended.
func TestSummaries(t *testing.T) {
	world := newWorld(t)
	page := func(token string, act func(controller *Controller) error) string {
		t.Helper()
		var out strings.Builder
		controller := world.controller(token)
		controller.Summary = &out
		if err := act(controller); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	var plan *Plan
	gate := func(author, comment string) string {
		return page("gate", func(controller *Controller) error {
			decision, err := controller.Gate(context.Background(), world.say(author, comment))
			plan = cmp.Or(decision.Plan, plan)
			return err
		})
	}
	for _, test := range [][2]string{
		{gate("maintainer", "/bench-gpu"), world.change}, {gate("reader", "/bench-gpu"), "no write permission"},
		{gate("maintainer", "/bench-gpu nonsense"), "unknown word"}, {gate("maintainer", "/bench-gpu cancel"), "77"},
	} {
		if !strings.Contains(test[0], test[1]) {
			t.Errorf("%q does not say %q", test[0], test[1])
		}
	}
	world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 0.9)))
	if text := page("publish",
		func(controller *Controller) error {
			return controller.Publish(context.Background(), plan, "success")
		}); !strings.Contains(text, "improvement") {
		t.Errorf("the verdict's page: %q", text)
	}
}

// A plan with another hash is not the gate's, and a plan that is too large is refused.
func TestPlanIsBounded(t *testing.T) {
	_, plan := accepted(t, "/bench-gpu")
	if _, err := DecodePlan(append(plan.Encode(), bytes.Repeat([]byte(" "), maxPlan)...)); err == nil ||
		!strings.Contains(err.Error(), "at most") {
		t.Error(err)
	}
	names := make([]string, maxWorkloads)
	for i := range names {
		names[i] = fmt.Sprintf("%064d", i)
	}
	plan.Workloads, plan.BaseDescription = names, strings.Repeat("b", 200)
	if _, err := DecodePlan(plan.Encode()); err != nil {
		t.Errorf("the largest plan: %v", err)
	}
}
