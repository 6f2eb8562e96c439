package workflows

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v60/github"

	"github.com/chiasmus/chiasmus/workflows/internal/githubtest"
)

// Concurrent gates and publishes of one pull request keep each other's lines, from the first comment on.
func TestIndexKeepsEveryLine(t *testing.T) {
	world := newWorld(t)
	const runs = 5
	var events []*Event
	for range runs {
		events = append(events, world.say("maintainer", "/bench-gpu"))
	}
	world.Delay = 2 * time.Millisecond // so that calls of several controllers interleave
	plans := make([]*Plan, runs)
	together(runs, func(i int) {
		controller := world.controller("gate")
		controller.RunID = int64(100 + i)
		decision, err := controller.Gate(context.Background(), events[i])
		if err != nil {
			t.Error(err)
		}
		plans[i] = decision.Plan
	})
	if got := world.states(); !cmp.Equal(got, map[int64]runState{
		100: queued,
		101: queued,
		102: queued,
		103: queued,
		104: queued,
	}) {
		t.Fatalf("after the gates: %v", got)
	}
	if len(world.bodies()) != 1 {
		t.Fatalf("%d comments, want one index", len(world.bodies()))
	}
	for _, plan := range plans[:3] {
		world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 0.9)))
	}
	late := []*Event{world.say("owner", "/bench-gpu"), world.say("owner", "/bench-gpu")}
	together(5, func(i int) { // three publishes and two more gates
		if i < 3 {
			controller := world.controller("publish")
			controller.RunID = plans[i].RunID
			if err := controller.Publish(context.Background(), plans[i], "success"); err != nil {
				t.Error(err)
			}
			return
		}
		controller := world.controller("gate")
		controller.RunID = int64(200 + i)
		if _, err := controller.Gate(context.Background(), late[i-3]); err != nil {
			t.Error(err)
		}
	})
	want := map[int64]runState{
		100: improvement,
		101: improvement,
		102: improvement,
		103: queued,
		104: queued,
		203: queued,
		204: queued,
	}
	if got := world.states(); !cmp.Equal(got, want) {
		t.Errorf("after the publishes: %v", got)
	}
	if len(world.PullReactions) != 0 {
		t.Errorf("the lock is left: %v", world.PullReactions)
	}
}

func together(n int, run func(i int)) {
	var group sync.WaitGroup
	for i := range n {
		group.Add(1)
		go func() {
			defer group.Done()
			run(i)
		}()
	}
	group.Wait()
}

// states are the runs of the index, which is the first comment of the controller.
func (world *world) states() map[int64]runState {
	world.t.Helper()
	states := map[int64]runState{}
	for _, body := range world.bodies() {
		if strings.HasPrefix(body, progressMarker) {
			for _, run := range decodeIndex(body).Runs {
				states[run.RunID] = run.State
			}
			return states
		}
	}
	return states
}

// A lock that its holder abandoned is broken once it has been unchanged for its lease.
func TestIndexLockIsBroken(t *testing.T) {
	world := newWorld(t)
	world.instant = true
	world.PullReactions = []githubtest.PullReaction{{ID: 1, Number: worldPull, Content: "rocket"}}
	if decision := world.gate(world.say("maintainer", "/bench-gpu")); decision.Plan == nil {
		t.Fatal(decision.Reason)
	}
	var waited time.Duration
	for _, wait := range world.waits {
		waited += wait
	}
	if waited < world.lease || len(world.PullReactions) != 0 {
		t.Errorf("waited %s, left %v", waited, world.PullReactions)
	}
}

// A token that may not react to the pull request still writes.
func TestIndexWithoutLock(t *testing.T) {
	world := newWorld(t)
	world.Faults = []*githubtest.Fault{{Call: "POST /repos/{owner}/{repo}/issues/{issue_number}/reactions", Status: 403}}
	if decision := world.gate(world.say("maintainer", "/bench-gpu")); decision.Plan == nil || len(world.states()) != 1 {
		t.Errorf("%+v, %v", decision, world.states())
	}
}

// All workflows share the controller's account. A comment of another workflow is not an index, even if it starts with
// the marker and repeats the index verbatim.
func TestIndexOfOthers(t *testing.T) {
	stolen := runIndex{Runs: []indexedRun{{RunID: 31337, CheckRun: 1001, State: queued}}}
	forged := stolen.render("", "", 1, "")
	t.Run("forged", func(t *testing.T) {
		world := newWorld(t)
		for _, author := range []string{world.Bot, "reader"} {
			world.AddComment(worldPull, author, forged)
			world.AddComment(worldPull, author, "Coverage of `"+forged+"`")
		}
		if decision := world.gate(world.say("maintainer", "/bench-gpu cancel")); decision.Cancel != nil {
			t.Errorf("a stranger's run is cancelled: %v", decision.Cancel)
		}
		world.gate(world.say("maintainer", "/bench-gpu"))
		for _, comment := range world.Comments[:4] {
			if !strings.Contains(comment.Body, forged) {
				t.Errorf("another workflow's comment was edited: %q", comment.Body)
			}
		}
		if decision := world.gate(world.say("owner", "/bench-gpu cancel")); !cmp.Equal(decision.Cancel, []int64{77}) {
			t.Errorf("cancel %v", decision.Cancel)
		}
	})
	t.Run("copied", func(t *testing.T) {
		world, plan := accepted(t, "/bench-gpu")
		genuine := world.bodies()[0]
		copied := world.AddComment(worldPull, world.Bot, genuine)
		// The same holds if it precedes the genuine index.
		world.Comments = append([]*githubtest.Comment{copied}, world.Comments[:len(world.Comments)-1]...)
		world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 0.9)))
		if err := world.publish(plan, "success"); err != nil {
			t.Fatal(err)
		}
		if decision := world.gate(world.say("owner", "/bench-gpu cancel")); decision.Cancel != nil {
			t.Errorf("the copy is believed: %v", decision.Cancel)
		}
		if copied.Body != genuine {
			t.Error("the copy was edited")
		}
	})
	t.Run("a line that names another check run", func(t *testing.T) {
		world, plan := accepted(t, "/bench-gpu")
		index := decodeIndex(world.bodies()[0])
		index.Runs[0].RunID = 31337
		world.Comments = append([]*githubtest.Comment{world.AddComment(worldPull, world.Bot, index.render("", "", 1, ""))},
			world.Comments[:len(world.Comments)-1]...)
		if decision := world.gate(world.say("owner", "/bench-gpu cancel")); !cmp.Equal(decision.Cancel, []int64{plan.RunID}) {
			t.Errorf("cancel %v", decision.Cancel)
		}
	})
}

// A check run of another workflow whose summary repeats untrusted text does not count as evidence.
func TestIndexOfOtherChecks(t *testing.T) {
	for name, check := range map[string]githubtest.CheckRun{
		"another name":       {Name: "tests", ExternalID: "chiasmus/31337/0/0"},
		"another identifier": {Name: checkName, ExternalID: "tests"},
	} {
		world := newWorld(t)
		index := runIndex{Runs: []indexedRun{{RunID: 31337, CheckRun: 5, State: queued}}}
		comment := world.AddComment(worldPull, world.Bot, index.render("", "", 1, ""))
		check.ID, check.Status, check.Summary = 5, "queued", trailer{progress: comment.ID}.String()
		world.CheckRuns = []*githubtest.CheckRun{&check}
		if decision := world.gate(world.say("maintainer", "/bench-gpu cancel")); decision.Cancel != nil {
			t.Errorf("%s: a stranger's run is cancelled: %v", name, decision.Cancel)
		}
	}
}

// A writer that is delayed for longer than its lock's lease starts again with a new lock, and finds its own comment.
func TestIndexAfterALostLock(t *testing.T) {
	world := newWorld(t)
	world.lease = 4 * time.Second // half of it is the section's time limit, which the next section must not reach
	world.Faults = []*githubtest.Fault{{Call: "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", Status: 502}}
	world.onWait = func(ctx context.Context) {
		world.onWait = nil
		<-ctx.Done() // the section's time limit
	}
	if decision := world.gate(world.say("maintainer", "/bench-gpu")); decision.Plan == nil {
		t.Fatal(decision.Reason)
	}
	if len(world.bodies()) != 1 || len(world.states()) != 1 || len(world.PullReactions) != 0 {
		t.Errorf("comments %q, lock %v", world.bodies(), world.PullReactions)
	}
	if decision := world.gate(world.say("owner", "/bench-gpu cancel")); len(decision.Cancel) != 1 {
		t.Errorf("the index is not believed: %+v", decision)
	}
}

// A deleted index is recreated, and trusted again.
func TestIndexDeleted(t *testing.T) {
	world, plan := accepted(t, "/bench-gpu")
	world.removeComment(plan.ProgressCommentID)
	world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 0.9)))
	if err := world.publish(plan, "success"); err != nil {
		t.Fatal(err)
	}
	second := world.controller("gate")
	second.RunID = 78
	if _, err := second.Gate(context.Background(), world.say("owner", "/bench-gpu")); err != nil {
		t.Fatal(err)
	}
	var progress []string
	for _, body := range world.bodies() {
		if strings.HasPrefix(body, progressMarker) {
			progress = append(progress, body)
		}
	}
	if len(progress) != 1 || !cmp.Equal(progressStates(progress[0]), []string{"improvement", "queued"}) {
		t.Errorf("progress %q", progress)
	}
}

func progressStates(body string) []string {
	var states []string
	for _, run := range decodeIndex(body).Runs {
		states = append(states, string(run.State))
	}
	return states
}

func (world *world) removeComment(id int64) {
	world.Lock.Lock()
	defer world.Lock.Unlock()
	var kept []*githubtest.Comment
	for _, comment := range world.Comments {
		if comment.ID != id {
			kept = append(kept, comment)
		}
	}
	world.Comments = kept
}

// The requesting comment may be deleted at any time: between the event and the gate, during the gate, and before the
// end.
func TestDeletedComment(t *testing.T) {
	world := newWorld(t)
	event := world.say("maintainer", "/bench-gpu")
	world.removeComment(event.CommentID)
	if decision := world.gate(event); decision.Plan != nil || !strings.Contains(decision.Reason, "deleted") {
		t.Errorf("%+v", decision)
	}
	for _, body := range []string{"/bench-gpu", "/bench-gpu nonsense", "/bench-gpu cancel"} {
		for _, author := range []string{"maintainer", "reader"} {
			world := newWorld(t)
			event := world.say(author, body)
			world.Before = func(call string) {
				if strings.Contains(call, "/permission") {
					world.Comments = nil
				}
			}
			if _, err := world.controller("gate").Gate(context.Background(), event); err != nil {
				t.Errorf("%s by %s: %v", body, author, err)
			}
		}
	}
	world, plan := accepted(t, "/bench-gpu")
	world.removeComment(plan.CommentID)
	world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 0.9)))
	if err := world.publish(plan, "success"); err != nil || len(world.verdicts()) != 1 {
		t.Errorf("%v, verdicts %q", err, world.verdicts())
	}
}

// After a lost response, the client searches for the comment that the call may have created until the lists are up to
// date, before it posts the comment again.
func TestPostsAreFoundAgain(t *testing.T) {
	for _, fault := range []githubtest.Fault{{Status: 502, Act: true}, {Drop: true, Act: true}} {
		for _, call := range []string{"POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
			"POST /repos/{owner}/{repo}/check-runs"} {
			for lag := range 4 {
				world := newWorld(t)
				one := fault
				one.Call, world.ListLag = call, lag
				world.Faults = []*githubtest.Fault{&one}
				if decision := world.gate(world.say("maintainer", "/bench-gpu")); decision.Plan == nil {
					t.Fatal(decision.Reason)
				}
				// After the third search it is posted again, whatever the lists contain.
				if want := 1 + lag/3; len(world.CheckRuns)+len(world.bodies()) != 1+want {
					t.Errorf("%+v, lag %d: %d check runs, %d comments", one, lag, len(world.CheckRuns), len(world.bodies()))
				}
			}
		}
	}
	// The last attempt may have succeeded.
	world := newWorld(t)
	for i := range 6 {
		world.Faults = append(world.Faults, &githubtest.Fault{
			Call:   "POST /repos/{owner}/{repo}/check-runs",
			Status: 502,
			Act:    i == 5,
		})
	}
	if decision, err := world.controller("gate").Gate(context.Background(),
		world.say("maintainer", "/bench-gpu")); err != nil || decision.Plan == nil || len(world.CheckRuns) != 1 {
		t.Errorf("%v, %d check runs", err, len(world.CheckRuns))
	}
}

// A comment by an app is not a person's, whatever its name.
func TestAppsComment(t *testing.T) {
	world := newWorld(t)
	event := world.say("maintainer", "/bench-gpu")
	world.Comments[0].App = "some-app"
	if decision := world.gate(event); decision.Plan != nil || !strings.Contains(decision.Reason, "person") ||
		len(world.CheckRuns) != 0 {
		t.Errorf("%+v", decision)
	}
}

func TestTrailer(t *testing.T) {
	whole := trailer{progress: 12, attempt: 3, digest: "none-failure-3", decided: true}
	for text, want := range map[string]trailer{
		whole.String():                 whole,
		"a log\n\n" + whole.String():   whole,
		whole.String() + "\n":          whole,
		whole.String() + "\nand a log": {},
		fmt.Sprint(trailer{progress: 1}) + "\n" + whole.String(): whole,
		"": {},
	} {
		check := &github.CheckRun{Output: &github.CheckRunOutput{Summary: &text}}
		if got := trailerOf(check); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}
