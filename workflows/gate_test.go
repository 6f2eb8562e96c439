package workflows

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chiasmus/chiasmus/workflows/internal/githubtest"
)

func TestGateAccepts(t *testing.T) {
	world := newWorld(t)
	event := world.say("maintainer", "/bench-gpu looks=2 tier=1 workload=keccak,quick pairs=20\n\nplease")
	decision := world.gate(event)
	if decision.Plan == nil {
		t.Fatalf("refused: %s", decision.Reason)
	}
	plan := decision.Plan
	if plan.Base != world.first || plan.Head != world.change {
		t.Errorf("pinned %s..%s, want %s..%s", plan.Base, plan.Head, world.first, world.change)
	}
	if plan.Pairs != 20 || plan.Analyses != 2 || plan.PreCheck != 1 || !cmp.Equal(plan.Workloads, []string{"keccak",
		"quick"}) || plan.Requester != "maintainer" || plan.Fork {
		t.Errorf("plan %+v", plan)
	}
	if len(world.CheckRuns) != 1 || world.CheckRuns[0].SHA != world.change || world.CheckRuns[0].Status != "queued" ||
		plan.CheckRunID != world.CheckRuns[0].ID {
		t.Errorf("check runs %+v", world.CheckRuns)
	}
	if bodies := world.bodies(); len(bodies) != 1 || !strings.Contains(bodies[0], progressMarker) ||
		!strings.Contains(bodies[0], "⏳ queued") {
		t.Errorf("comments %q", bodies)
	}
	if got := world.reactions(event.CommentID); got != "[eyes]" {
		t.Errorf("reactions %s", got)
	}
	decoded, err := DecodePlan(plan.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if decoded.Hash() != plan.Hash() {
		t.Error("a plan that travels has another hash")
	}
}

// A gate that is run again after a single failure at any point creates nothing twice.
func TestGateRepeats(t *testing.T) {
	for _, fault := range []githubtest.Fault{
		{Call: "POST", Status: 502},
		{Call: "POST", Drop: true},
		{Call: "POST", Drop: true, Act: true},
		{Call: "POST", Status: 500, Act: true},
		{Call: "POST", Status: 429, RetryAfter: 1},
		{Call: "POST", Status: 403, RetryAfter: 1},
		{Call: "GET", Drop: true},
		{Call: "GET", Status: 503},
	} {
		for skip := range 4 {
			t.Run(fmt.Sprintf("%+v after %d", fault, skip), func(t *testing.T) {
				t.Parallel()
				world := newWorld(t)
				one := fault
				one.Skip = skip
				world.Faults = []*githubtest.Fault{&one}
				world.instant = fault.RetryAfter == 0 // a lock whose creation seemed to fail is broken after a minute
				event := world.say("maintainer", "/bench-gpu")
				world.PageSize = 1
				for range 2 {
					if decision := world.gate(event); decision.Plan == nil {
						t.Fatalf("%+v: refused: %s", one, decision.Reason)
					}
				}
				if len(world.CheckRuns) != 1 || len(world.bodies()) != 1 {
					t.Errorf("%+v: %d check runs, %d comments, want one of each", one, len(world.CheckRuns), len(world.bodies()))
				}
				if fault.RetryAfter > 0 && len(world.waits) > 0 && world.waits[0].Seconds() < float64(fault.RetryAfter) {
					t.Errorf("%+v: waited %s", one, world.waits[0])
				}
			})
		}
	}
}

// A commenter without permission gets at most a reaction: no run, no text.
func TestGateIgnores(t *testing.T) {
	for name, test := range map[string]struct {
		author, body string
		change       func(world *world, event *Event)
		reaction     string
	}{
		"a reader without write permission": {author: "reader", body: "/bench-gpu", reaction: "[-1]"},
		// The server reports the association OWNER for every user.
		"a user with a false association": {author: "nobody", body: "/bench-gpu", reaction: "[-1]"},
		"a reader asks for usage":         {author: "reader", body: "/bench-gpu nonsense", reaction: "[-1]"},
		"a bot": {author: "maintainer", body: "/bench-gpu", reaction: "[]",
			change: func(world *world, event *Event) { world.Comments[0].Kind = "Bot" }},
		"an edited comment": {author: "maintainer", body: "/bench-gpu", reaction: "[]",
			change: func(world *world, event *Event) { world.Comments[0].Updated = world.Comments[0].Updated.Add(1e9) }},
		"an event with another body": {author: "maintainer", body: "thanks", reaction: "[]",
			change: func(world *world, event *Event) { event.Body = "/bench-gpu" }},
		"an event of a comment that is not there": {author: "maintainer", body: "/bench-gpu", reaction: "[]",
			change: func(world *world, event *Event) { event.CommentID = 999999 }},
		"an event that names another pull request": {author: "maintainer", body: "/bench-gpu", reaction: "[]",
			change: func(world *world, event *Event) { event.PullNumber = 8 }},
		"an event that names a lower pull request than the comment's": {author: "maintainer", body: "/bench-gpu",
			reaction: "[]",
			change: func(world *world, event *Event) {
				event.PullNumber = 6
				world.Pulls[6] = world.Pulls[worldPull]
			}},
		"an event of another repository": {author: "maintainer", body: "/bench-gpu", reaction: "[]",
			change: func(world *world, event *Event) { event.Repository = "somebody/else" }},
		"an edit": {author: "maintainer", body: "/bench-gpu", reaction: "[]",
			change: func(world *world, event *Event) { event.Action = "edited" }},
		"a comment on an issue": {author: "maintainer", body: "/bench-gpu", reaction: "[]",
			change: func(world *world, event *Event) { event.IsPull = false }},
		"a comment that speaks of the command": {author: "maintainer", body: "try /bench-gpu", reaction: "[]"},
		"a longer word":                        {author: "maintainer", body: "/bench-gpus", reaction: "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			world := newWorld(t)
			event := world.say(test.author, test.body)
			if test.change != nil {
				test.change(world, event)
			}
			decision := world.gate(event)
			if decision.Plan != nil || decision.Cancel != nil {
				t.Errorf("accepted: %+v", decision)
			}
			if len(world.CheckRuns) != 0 || len(world.bodies()) != 0 {
				t.Errorf("it commented: %q", world.bodies())
			}
			if got := world.reactions(world.Comments[0].ID); got != test.reaction {
				t.Errorf("reactions %s, want %s", got, test.reaction)
			}
		})
	}
}

// A maintainer's request that cannot be met is answered in one comment that gives the reason.
func TestGateRefuses(t *testing.T) {
	fork := func(world *world) { world.Pulls[worldPull].HeadRepository = 99 }
	for name, test := range map[string]struct {
		body   func(world *world) string
		change func(world *world)
		want   string
	}{
		"an unknown word": {body: func(*world) string { return "/bench-gpu faster" },
			want: `unknown word "faster"`},
		"an unknown option": {body: func(*world) string { return "/bench-gpu speed=9" },
			want: `unknown option "speed"`},
		"shell in an option": {body: func(*world) string { return "/bench-gpu base=$(touch${IFS}x)" },
			want: "a branch, tag or commit is needed"},
		"an option of git": {body: func(*world) string { return "/bench-gpu base=--upload-pack=x" },
			want: "a branch, tag or commit is needed"},
		"a range": {body: func(*world) string { return "/bench-gpu base=main..change" },
			want: "a branch, tag or commit is needed"},
		"odd pairs": {body: func(*world) string { return "/bench-gpu pairs=7" },
			want: "an even number"},
		"an option given twice": {body: func(*world) string { return "/bench-gpu pairs=8 pairs=10" },
			want: "pairs is given twice"},
		"a workload that is not there": {body: func(*world) string { return "/bench-gpu workload=other" },
			want: "no workload `other`"},
		"Markdown in a word": {body: func(*world) string { return "/bench-gpu <img/src=x> `@team`" },
			want: "unknown option"},
		"a short SHA": {body: func(world *world) string {
			return "/bench-gpu " + world.change[:12]
		}, want: "not a full commit"},
		"a SHA that differs in its last digit": {body: func(world *world) string {
			return "/bench-gpu " + otherDigit(world.change, 39)
		}, want: "is not this pull request's head"},
		"a fork's SHA that differs after 7 digits": {body: func(world *world) string {
			return "/bench-gpu " + otherDigit(world.change, 7)
		}, change: fork, want: "is not this pull request's head"},
		"a repository without a GPU runner": {body: func(*world) string { return "/bench-gpu" },
			want: "does not say where to measure", change: func(world *world) {
				world.settings = func(settings *Settings) { settings.RunsOn = nil }
			}},
		"another SHA": {body: func(world *world) string { return "/bench-gpu " + world.main },
			want: "is not this pull request's head"},
		"a fork without SHA": {body: func(*world) string { return "/bench-gpu" }, change: fork,
			want: "comes from a fork"},
		"a deleted fork without SHA": {body: func(*world) string { return "/bench-gpu" }, want: "comes from a fork",
			change: func(world *world) { world.Pulls[worldPull].HeadRepository = 0 }},
		"a fork's own bench.yaml": {body: func(world *world) string {
			return "/bench-gpu config=head " + world.change
		}, change: fork, want: "not allowed for a pull request from a fork"},
		"a base of a stranger": {body: func(world *world) string { return "/bench-gpu base=" + world.foreign },
			want: "not reachable"},
		"a base that is not there": {body: func(*world) string { return "/bench-gpu base=nowhere" },
			want: "not reachable"},
		"too many workloads": {body: func(*world) string {
			return "/bench-gpu workload=a" + strings.Repeat(",a", 64)
		}, want: "at most 64"},
		"a workload named twice": {body: func(*world) string { return "/bench-gpu workload=quick,keccak,quick" },
			want: "is named twice"},
		"too few pairs": {body: func(*world) string { return "/bench-gpu pairs=4" },
			want: "cannot reach a verdict"},
		"too many analyses": {body: func(*world) string { return "/bench-gpu pairs=6 looks=4" },
			want: "cannot reach a verdict"},
		"too few pairs for so many workloads": {body: func(*world) string {
			return "/bench-gpu pairs=6 workload=quick,keccak"
		}, want: "cannot uphold a change in any of 2 workloads"},
		"a closed pull request": {body: func(*world) string { return "/bench-gpu" }, want: "only an open one",
			change: func(world *world) { world.Pulls[worldPull].State = "closed" }},
		"nothing to cancel": {body: func(*world) string { return "/bench-gpu cancel" },
			want: "no run of this pull request"},
	} {
		t.Run(name, func(t *testing.T) {
			world := newWorld(t)
			if test.change != nil {
				test.change(world)
			}
			for range 2 { // the second refusal is a new comment, because an edit notifies no user
				event := world.say("maintainer", test.body(world))
				if decision := world.gate(event); decision.Plan != nil || decision.Cancel != nil {
					t.Fatalf("accepted: %+v", decision)
				}
				if got := world.reactions(event.CommentID); got != "[confused]" {
					t.Errorf("reactions %s", got)
				}
			}
			bodies := world.bodies()
			if len(bodies) != 2 {
				t.Fatalf("comments %q, want two", bodies)
			}
			for _, body := range bodies {
				if !strings.Contains(body, test.want) || !strings.HasPrefix(body, refusalPrefix) ||
					!strings.Contains(body, "@maintainer") {
					t.Errorf("comment %q, want one to @maintainer with %q", body, test.want)
				}
			}
			if strings.Contains(strings.ReplaceAll(bodies[0], "@maintainer", ""), "@team") && !strings.Contains(bodies[0], "`") {
				t.Errorf("a mention was not escaped: %q", bodies[0])
			}
			if len(world.CheckRuns) != 0 {
				t.Error("a check run was made")
			}
		})
	}
}

// otherDigit changes one digit of a SHA.
func otherDigit(sha string, at int) string {
	digit := "0"
	if sha[at] == '0' {
		digit = "1"
	}
	return sha[:at] + digit + sha[at+1:]
}

func TestGateForkWithSHA(t *testing.T) {
	world := newWorld(t)
	world.Pulls[worldPull].HeadRepository = 0
	decision := world.gate(world.say("owner", "/bench-gpu "+world.change+" pairs=60 looks=9 base=main"))
	if decision.Plan == nil {
		t.Fatalf("refused: %s", decision.Reason)
	}
	if plan := decision.Plan; !plan.Fork || plan.Base != world.main || plan.Pairs != 40 || plan.Analyses != 4 ||
		len(plan.Notes) != 2 {
		t.Errorf("plan %+v", plan)
	}
}

// The head is the commit that the API returns when the gate runs, not the commit that the author of the comment saw.
func TestGateHeadMoves(t *testing.T) {
	world := newWorld(t)
	event := world.say("maintainer", "/bench-gpu "+world.change)
	world.Before = func(call string) {
		if strings.Contains(call, "/permission") {
			world.Pulls[worldPull].HeadSHA = world.foreign
		}
	}
	if decision := world.gate(event); decision.Plan != nil {
		t.Errorf("accepted %s", decision.Plan.Head)
	}
}

// The merge base is computed with the current target branch. The SHA that the pull request gives may be older than
// commits that were merged into head since.
func TestGateMergeBase(t *testing.T) {
	world := newWorld(t)
	world.git(world.GitDir, "checkout", "-q", "change")
	world.git(world.GitDir, "merge", "-q", "-X", "ours", "-m", "merge", "main")
	pull := world.Pulls[worldPull]
	pull.HeadSHA, pull.BaseSHA = world.git(world.GitDir, "rev-parse", "HEAD"), world.first
	if plan := world.gate(world.say("maintainer", "/bench-gpu")).Plan; plan.Base != world.main {
		t.Errorf("base %s, want %s", plan.Base, world.main)
	}
}

// A branch name may look like a path, even like an address of the API.
func TestGateBaseWithPath(t *testing.T) {
	world := newWorld(t)
	for _, branch := range []string{"release/1.0", "change-2/status"} {
		world.git(world.GitDir, "branch", branch, world.main)
		world.Branches = append(world.Branches, branch)
		if decision := world.gate(world.say("maintainer", "/bench-gpu base="+branch)); decision.Plan == nil ||
			decision.Plan.Base != world.main {
			t.Errorf("%s: %+v", branch, decision)
		}
	}
}

// A gate that cannot continue ends its check run, because no other job would.
func TestGateEndsWhatItBegan(t *testing.T) {
	world := newWorld(t)
	world.Faults = []*githubtest.Fault{{Call: "POST /repos/{owner}/{repo}/issues/{issue_number}/comments", Status: 410}}
	if _, err := world.controller("gate").Gate(context.Background(), world.say("maintainer", "/bench-gpu")); err == nil {
		t.Fatal("no error")
	}
	if len(world.CheckRuns) != 1 || world.CheckRuns[0].Status != "completed" ||
		world.CheckRuns[0].Conclusion != "cancelled" {
		t.Errorf("check runs %+v", world.CheckRuns)
	}
}

func TestCancel(t *testing.T) {
	world := newWorld(t)
	world.gate(world.say("maintainer", "/bench-gpu"))
	decision := world.gate(world.say("owner", "/bench-gpu cancel"))
	if !cmp.Equal(decision.Cancel, []int64{77}) {
		t.Fatalf("cancel %v", decision.Cancel)
	}
	if err := world.controller("cancel").Client.CancelRun(context.Background(), 77); err != nil {
		t.Fatal(err)
	}
	world.Faults = []*githubtest.Fault{{Call: "POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel", Status: 404}}
	if err := world.controller("cancel").Client.CancelRun(context.Background(), 12); err != nil {
		t.Errorf("a run that is gone: %v", err)
	}
	if err := world.controller("gate").Client.CancelRun(context.Background(), 77); err == nil {
		t.Error("the gate's token may cancel runs: its job has no such permission")
	}
	if !cmp.Equal(world.Cancelled, []int64{77}) {
		t.Errorf("cancelled %v", world.Cancelled)
	}
}
