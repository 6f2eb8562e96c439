package workflows

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rhysd/actionlint"
	"gopkg.in/yaml.v3"

	"github.com/chiasmus/chiasmus/workflows/internal/githubtest"
)

// labelled sets the label as the given account and returns the event.
func (world *world) labelled(actor string) *Event {
	world.t.Helper()
	world.Lock.Lock()
	pull := world.Pulls[worldPull]
	world.LabelPull(pull, actor, DefaultLabel)
	head := pull.HeadSHA
	world.Lock.Unlock()
	return world.parsed(map[string]any{
		"action":       "labeled",
		"label":        map[string]any{"name": DefaultLabel},
		"pull_request": map[string]any{"number": worldPull, "head": map[string]any{"sha": head}},
		"sender":       map[string]any{"login": actor},
		"repository":   map[string]any{"full_name": worldRepository},
	})
}

func (world *world) pushed(ref, before, after string) *Event {
	world.t.Helper()
	return world.parsed(map[string]any{"ref": ref, "before": before, "after": after, "deleted": false,
		"sender": map[string]any{"login": "maintainer"}, "repository": map[string]any{"full_name": worldRepository}})
}

func (world *world) parsed(payload map[string]any) *Event {
	world.t.Helper()
	data, err := json.Marshal(payload)
	if err != nil {
		world.t.Fatal(err)
	}
	event, err := ParseEvent(data)
	if err != nil {
		world.t.Fatal(err)
	}
	return event
}

// triggered is a gate whose workflow has all triggers.
func (world *world) triggered(event *Event) Decision {
	world.t.Helper()
	controller := world.controller("gate")
	controller.Label, controller.Push = DefaultLabel, true
	decision, err := controller.Gate(context.Background(), event)
	if err != nil {
		world.t.Fatal(err)
	}
	return decision
}

func TestLabelAccepted(t *testing.T) {
	world := newWorld(t)
	event := world.labelled("maintainer")
	decision := world.triggered(event)
	if decision.Plan == nil {
		t.Fatalf("refused: %s", decision.Reason)
	}
	plan := decision.Plan
	if plan.Trigger != LabelTrigger || plan.Head != world.change || plan.Base != world.first ||
		plan.Requester != "maintainer" || plan.PullRequest != worldPull {
		t.Errorf("plan %+v", plan)
	}
	if len(world.Pulls[worldPull].Labels) != 0 {
		t.Error("the label is still set: a later push would look requested")
	}
	world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 2)))
	if err := world.controller("publish").Publish(context.Background(), plan, "success"); err != nil {
		t.Fatal(err)
	}
	bodies := world.bodies()
	if len(bodies) != 2 || !strings.Contains(bodies[1], "regression") || world.CheckRuns[0].Conclusion != "failure" {
		t.Errorf("comments %q, check run %+v", bodies, world.CheckRuns[0])
	}
	if len(world.Reactions) != 0 {
		t.Errorf("reactions to a comment that is none: %v", world.Reactions)
	}
}

// A label on untrusted code starts no run, but is removed, too.
func TestLabelRefused(t *testing.T) {
	for name, test := range map[string]struct {
		actor  string
		change func(world *world, event *Event)
		want   string // of the comment with the reason; empty for no comment
		stays  bool   // whether the label stays
	}{
		"a pull request from a fork": {actor: "maintainer", want: "comes from a fork",
			change: func(world *world, _ *Event) { world.Pulls[worldPull].HeadRepository = 99 }},
		"a fork that was deleted": {actor: "maintainer", want: "comes from a fork",
			change: func(world *world, _ *Event) { world.Pulls[worldPull].HeadRepository = 0 }},
		"a user who may triage and not write": {actor: "reader"},
		"a stranger":                          {actor: "nobody"},
		"a push after the label": {actor: "maintainer", want: "set it again",
			change: func(world *world, _ *Event) { world.Pulls[worldPull].HeadSHA = world.main }},
		"another target since": {actor: "maintainer", want: "targets `change`",
			change: func(world *world, _ *Event) { world.Pulls[worldPull].BaseRef = "change" }},
		"an event that names another person": {actor: "reader",
			change: func(_ *world, event *Event) { event.Sender = "maintainer" }},
		"a label of a maintainer's that a reader set again": {actor: "maintainer",
			change: func(world *world, _ *Event) { world.LabelPull(world.Pulls[worldPull], "reader", DefaultLabel) },
			stays:  true},
		"an event of a label that another maintainer has set since": {actor: "maintainer",
			change: func(world *world, _ *Event) { world.LabelPull(world.Pulls[worldPull], "owner", DefaultLabel) },
			stays:  true},
		"an app in a person's name": {actor: "maintainer",
			change: func(world *world, _ *Event) { world.Pulls[worldPull].Labelled[0].App = "helper" }},
		"a bot": {actor: "maintainer",
			change: func(world *world, _ *Event) { world.Pulls[worldPull].Labelled[0].Kind = "Bot" }},
		"another label": {actor: "maintainer", stays: true,
			change: func(_ *world, event *Event) { event.Label = "bug" }},
		"a label that is taken off": {actor: "maintainer", stays: true,
			change: func(_ *world, event *Event) { event.Action = "unlabeled" }},
		"an event of another repository": {actor: "maintainer", stays: true,
			change: func(_ *world, event *Event) { event.Repository = "somebody/else" }},
		"a closed pull request": {actor: "maintainer", want: "only an open one",
			change: func(world *world, _ *Event) { world.Pulls[worldPull].State = "closed" }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			world := newWorld(t)
			event := world.labelled(test.actor)
			if test.change != nil {
				test.change(world, event)
			}
			decision := world.triggered(event)
			if decision.Plan != nil || decision.Reason == "" || len(world.CheckRuns) != 0 {
				t.Errorf("accepted: %+v", decision)
			}
			bodies := world.bodies()
			if test.want == "" && len(bodies) != 0 || test.want != "" && (len(bodies) != 1 || !strings.Contains(bodies[0],
				test.want)) {
				t.Errorf("comments %q, want %q", bodies, test.want)
			}
			if stays := len(world.Pulls[worldPull].Labels) > 0; stays != test.stays {
				t.Errorf("the label stays: %v, want %v", stays, test.stays)
			}
		})
	}
	world := newWorld(t)
	if decision := world.gate(world.labelled("maintainer")); decision.Plan != nil {
		t.Error("a workflow without the trigger accepts a label")
	}
}

func TestPushAccepted(t *testing.T) {
	world := newWorld(t)
	decision := world.triggered(world.pushed("refs/heads/main", world.first, world.main))
	if decision.Plan == nil {
		t.Fatalf("refused: %s", decision.Reason)
	}
	plan := decision.Plan
	if plan.Trigger != PushTrigger || plan.Base != world.first || plan.Head != world.main || plan.PullRequest != 0 {
		t.Errorf("plan %+v", plan)
	}
	decoded, err := DecodePlan(plan.Encode())
	if err != nil || decoded.Hash() != plan.Hash() {
		t.Errorf("a plan that travels: %v", err)
	}
	world.uploadResult(plan, resultOf(plan, madeUpReport(t, plan, 2)))
	// A push has no pull request, so neither job needs to write to one.
	world.Tokens["publish"] = githubtest.Permissions{"contents": "read", "checks": "write", "actions": "read"}
	for range 2 {
		if err := world.controller("publish").Publish(context.Background(), plan, "success"); err != nil {
			t.Fatal(err)
		}
	}
	run := world.CheckRuns[0]
	if len(world.CheckRuns) != 1 || run.SHA != world.main || run.Conclusion != "failure" ||
		!strings.Contains(run.Summary, "previous commit of main") || len(world.bodies()) != 0 {
		t.Errorf("check run %+v, comments %q", run, world.bodies())
	}
}

func TestPushRefused(t *testing.T) {
	none := strings.Repeat("0", 40)
	for name, test := range map[string]struct {
		event func(world *world) *Event
		want  string
	}{
		"another branch": {func(world *world) *Event {
			return world.pushed("refs/heads/change", world.first, world.change)
		}, "not to the default branch"},
		"a tag": {func(world *world) *Event { return world.pushed("refs/tags/main", world.first, world.main) },
			"not to the default branch"},
		"a branch that says it is the default one": {func(world *world) *Event {
			return world.pushed("refs/heads/main", world.first, world.change)
		}, "is not on"},
		"a commit of a fork": {func(world *world) *Event {
			return world.pushed("refs/heads/main", world.first, world.foreign)
		}, "is not on"},
		"a rewritten branch": {func(world *world) *Event {
			return world.pushed("refs/heads/main", world.change, world.main)
		}, "rewritten"},
		"a new branch": {func(world *world) *Event { return world.pushed("refs/heads/main", none, world.main) },
			"no previous commit"},
		"a deleted branch": {func(world *world) *Event { return world.pushed("refs/heads/main", world.main, none) },
			"no previous commit"},
		"no commit": {func(world *world) *Event { return world.pushed("refs/heads/main", "main", world.main) },
			"full commits"},
		"another repository": {func(world *world) *Event {
			event := world.pushed("refs/heads/main", world.first, world.main)
			event.Repository = "somebody/else"
			return event
		}, "another repository"},
	} {
		world := newWorld(t)
		if decision := world.triggered(test.event(world)); decision.Plan != nil ||
			!strings.Contains(decision.Reason, test.want) || len(world.CheckRuns) != 0 {
			t.Errorf("%s: %+v, want %q", name, decision, test.want)
		}
	}
	world := newWorld(t)
	if decision := world.gate(world.pushed("refs/heads/main", world.first, world.main)); decision.Plan != nil {
		t.Error("a workflow without the trigger accepts a push")
	}
}

// Everything that init writes for all triggers: actionlint, the rules of the two planes, the permissions.
func TestGeneratedWorkflows(t *testing.T) {
	files, err := workflows(InitialiseOptions{Commit: someCommit, Repository: ActionsRepository, Label: "bench it",
		Push: true, Branch: "trunk", Nightly: true}, DefaultPrefix)
	if err != nil || len(files) != 4 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	permissions := map[string]map[string]map[string]string{}
	for name, text := range files {
		linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		found, err := linter.Lint(name, []byte(text), nil)
		if err != nil || len(found) > 0 {
			t.Errorf("actionlint: %v %v", found, err)
		}
		problems, err := checkWorkflow([]byte(text))
		if err != nil || len(problems) > 0 {
			t.Errorf("%s: %q %v", name, problems, err)
		}
		for _, left := range []string{"REPOSITORY/", "@COMMIT", "pull_request.head", "head_ref"} {
			if strings.Contains(text, left) {
				t.Errorf("%s holds %q", name, left)
			}
		}
		var file workflowFile
		if err := yaml.Unmarshal([]byte(text), &file); err != nil {
			t.Fatal(err)
		}
		permissions[name] = map[string]map[string]string{}
		for job, definition := range file.Jobs {
			got := map[string]string{}
			if err := definition.Permissions.Decode(&got); err != nil {
				t.Fatal(err)
			}
			permissions[name][job] = got
		}
	}
	for name, gate := range map[string]map[string]string{
		labelFile: {"contents": "read", "pull-requests": "write", "checks": "write"},
		pushFile:  {"contents": "read", "checks": "write"},
	} {
		publish := map[string]string{"actions": "read"}
		for scope, level := range gate {
			publish[scope] = level
		}
		want := map[string]map[string]string{"gate": gate, "fetch": {"contents": "read"}, "dependencies": {},
			"measure": {}, "publish": publish}
		if diff := cmp.Diff(want, permissions[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for text, want := range map[string]string{
		"label: 'bench it'":                           files[labelFile],
		"github.event.label.name == 'bench it'":       files[labelFile],
		"types: [labeled]":                            files[labelFile],
		"branches: ['trunk']":                         files[pushFile],
		"push: 'true'":                                files[pushFile],
		"/.github/actions/nightly-plan@" + someCommit: files[nightlyFile],
	} {
		if !strings.Contains(want, text) {
			t.Errorf("%q is missing:\n%s", text, want)
		}
	}
	// A workflow that connects the planes is a problem.
	measure := "    steps:\n      - uses: " + ActionsRepository + "/.github/actions/measure"
	for old, new := range map[string]string{
		"types: [labeled]":                "types: [labeled, synchronize]",
		"    permissions: {}\n" + measure: "    permissions: {contents: write}\n" + measure,
	} {
		mutated := strings.Replace(files[labelFile], old, new, 1)
		problems, err := checkWorkflow([]byte(mutated))
		if mutated == files[labelFile] || err != nil || len(problems) == 0 {
			t.Errorf("with %q: no problem, %v", new, err)
		}
	}
	if problems, err := checkNeighbour([]byte(files[labelFile])); err != nil || len(problems) == 0 {
		t.Errorf("as another workflow, a label's is a problem: %q %v", problems, err)
	}
	for name, options := range map[string]InitialiseOptions{
		"a label that leaves its string": {Label: "x' || true || '"},
		"a label of two lines":           {Label: "x\ny"},
		"a branch that leaves its list":  {Push: true, Branch: "main', '*"},
		"no branch":                      {Push: true},
	} {
		if _, err := workflows(options, DefaultPrefix); err == nil {
			t.Errorf("%s is written", name)
		}
	}
}

// The composite actions of nights obey the same rules.
func TestNightlyActions(t *testing.T) {
	for _, name := range []string{"nightly-plan", "nightly-measure", "nightly-publish", "dependencies"} {
		data, err := os.ReadFile("../.github/actions/" + name + "/action.yml")
		if err != nil {
			t.Fatal(err)
		}
		var action struct {
			Runs struct {
				Steps []struct {
					Uses string `yaml:"uses"`
					Run  string `yaml:"run"`
				}
			}
		}
		if err := yaml.Unmarshal(data, &action); err != nil || len(action.Runs.Steps) == 0 {
			t.Fatalf("%s: %v", name, err)
		}
		for _, step := range action.Runs.Steps {
			for _, problem := range checkStep(step.Uses, step.Run) {
				t.Errorf("%s: %s", name, problem)
			}
		}
		for _, problem := range checkVersions(data) {
			t.Errorf("%s: %s", name, problem)
		}
		if strange := strangeWords(string(data)); name == "nightly-measure" && len(strange) > 0 {
			t.Errorf("the executor's action may be given a token: %q", strange)
		}
	}
}
