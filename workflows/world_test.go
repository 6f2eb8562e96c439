package workflows

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/workflows/api"
	"github.com/chiasmus/chiasmus/workflows/internal/githubtest"
)

// The permissions of the jobs, as bench-gpu.yml gives them. TestWorkflowPermissions compares the two.
var (
	askPermissions     = githubtest.Permissions{"pull_requests": "write"}
	gatePermissions    = githubtest.Permissions{"contents": "read", "pull_requests": "write", "checks": "write"}
	publishPermissions = githubtest.Permissions{
		"contents":      "read",
		"pull_requests": "write",
		"checks":        "write",
		"actions":       "read",
	}
	cancelPermissions = githubtest.Permissions{"actions": "write"}
)

// worldNow is the controllers' clock.
var worldNow = time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)

const (
	worldRepository = "chiasmus/demo"
	worldID         = 4242
	worldPull       = 7
)

// A world is a fake GitHub with one pull request over a real git repository: main has two commits, and the branch
// "change" starts at the first of them. foreign is a commit of a fork that no branch or tag of the repository reaches.
type world struct {
	*githubtest.Server
	bench                        *config.File
	t                            *testing.T
	first, main, change, foreign string
	waiting                      sync.Mutex
	waits                        []time.Duration
	onWait                       func(ctx context.Context) // called before every wait
	settings                     func(*Settings)           // changes bench.yaml's settings
	lease                        time.Duration             // of the lock
	instant                      bool                      // waits take no time
}

// original is the repository that every world copies, because creating its commits takes a dozen runs of git.
var original = sync.OnceValue(func() (made struct {
	directory string
	commits   map[string]string
	err       error
}) {
	made.directory, made.err = os.MkdirTemp("", "chiasmus-world-")
	made.commits = map[string]string{}
	git := func(arguments ...string) string {
		if made.err != nil {
			return ""
		}
		command := exec.Command("git",
			append([]string{"-C", made.directory, "-c", "user.name=Test", "-c", "user.email=test@example.org", "-c",
				"commit.gpgsign=false", "-c", "init.templateDir="}, arguments...)...)
		output, err := command.CombinedOutput()
		if err != nil {
			made.err = fmt.Errorf("git %s: %w: %s", strings.Join(arguments, " "), err, output)
		}
		return strings.TrimSpace(string(output))
	}
	commit := func(name, content string) {
		if err := os.WriteFile(filepath.Join(made.directory, "file"), []byte(content), 0o600); err != nil && made.err == nil {
			made.err = err
		}
		git("add", ".")
		git("commit", "-q", "-m", name)
		made.commits[name] = git("rev-parse", "HEAD")
	}
	git("init", "-q", "-b", "main")
	commit("first", "one")
	git("checkout", "-q", "-b", "change")
	commit("change", "two")
	git("checkout", "-q", "--detach", "main")
	commit("foreign", "three")
	git("checkout", "-q", "main")
	commit("main", "four")
	return made
})

// forgetOriginal removes it.
func forgetOriginal() {
	if made := original(); made.directory != "" {
		os.RemoveAll(made.directory)
	}
}

// worldBench is the default branch's bench.yaml, by which results are judged.
const worldBench = `version: 1
build: {command: [make], artifacts: [prover]}
workloads:
  - name: keccak
    process: ["{prover}", "{proof}", "{seed}"]
    verify: ["{prover}", "{proof}"]
  - name: quick
    process: ["{prover}", "{proof}", "{seed}"]
    verify: ["{prover}", "{proof}"]
    default: false
plan: {settle: 0, pairs: 14, equivalence: 1%}
`

func parseBench(t *testing.T, text string) *config.File {
	t.Helper()
	file, err := config.Parse(config.FileName, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// benchOf is the bench.yaml that applies to a plan.
func (world *world) benchOf(plan *Plan) *config.File {
	world.t.Helper()
	if commit := plan.ConfigCommit(); commit != "" {
		return parseBench(world.t, string(world.Files[commit][config.FileName]))
	}
	return world.bench
}

func newWorld(t *testing.T) *world {
	t.Helper()
	made := original()
	if made.err != nil {
		t.Fatal(made.err)
	}
	directory := t.TempDir()
	if err := os.CopyFS(directory, os.DirFS(made.directory)); err != nil {
		t.Fatal(err)
	}
	world := &world{
		t:       t,
		bench:   parseBench(t, worldBench),
		lease:   time.Minute,
		first:   made.commits["first"],
		main:    made.commits["main"],
		change:  made.commits["change"],
		foreign: made.commits["foreign"],
	}
	server, err := githubtest.New(githubtest.State{
		Repository: githubtest.Repository{ID: worldID, FullName: worldRepository, DefaultBranch: "main"},
		GitDir:     directory, Branches: []string{"main", "change"},
		Permission: map[string]string{"maintainer": "write", "owner": "admin", "reader": "read"},
		Pulls: map[int]*githubtest.Pull{worldPull: {Number: worldPull, State: "open", BaseRef: "main", BaseSHA: world.main,
			HeadRef: "change", HeadSHA: world.change, HeadRepository: worldID}},
	})
	if err != nil {
		t.Fatal(err)
	}
	world.Server = server
	server.Tokens["gate"], server.Tokens["publish"], server.Tokens["cancel"] = gatePermissions, publishPermissions,
		cancelPermissions
	t.Cleanup(func() {
		server.Close()
		for _, violation := range server.Violations() {
			t.Errorf("GitHub's description is broken: %s", violation)
		}
	})
	return world
}

func (world *world) git(directory string, arguments ...string) string {
	world.t.Helper()
	command := exec.Command("git",
		append([]string{"-C", directory, "-c", "user.name=Test", "-c", "user.email=test@example.org", "-c",
			"commit.gpgsign=false"}, arguments...)...)
	output, err := command.CombinedOutput()
	if err != nil {
		world.t.Fatalf("git %s: %v\n%s", strings.Join(arguments, " "), err, output)
	}
	return strings.TrimSpace(string(output))
}

func (world *world) commit(directory, message, content string) string {
	world.t.Helper()
	if err := os.WriteFile(filepath.Join(directory, "file"), []byte(content), 0o600); err != nil {
		world.t.Fatal(err)
	}
	world.git(directory, "add", ".")
	world.git(directory, "commit", "-q", "-m", message)
	return world.git(directory, "rev-parse", "HEAD")
}

// controller acts with the named token, in workflow run 77, with short waits.
func (world *world) controller(token string) *Controller {
	world.t.Helper()
	client, err := api.New(world.URL(), worldRepository, token, api.Retry{
		First:   time.Millisecond,
		Lease:   world.lease,
		Longest: 2 * time.Hour,
		Sleep: func(ctx context.Context, wait time.Duration) error {
			world.waiting.Lock()
			world.waits = append(world.waits, wait)
			world.waiting.Unlock()
			if world.onWait != nil {
				world.onWait(ctx)
			}
			if !world.instant {
				time.Sleep(min(wait, 3*time.Second)) // go-github itself sends nothing while a limit lasts
			}
			return nil
		},
	})
	if err != nil {
		world.t.Fatal(err)
	}
	controller := &Controller{
		Client:     client,
		Author:     "github-actions[bot]",
		Server:     "https://github.example",
		RunID:      77,
		RunAttempt: 1,
		Settings: Settings{
			Prefix:       DefaultPrefix,
			MaxPairs:     40,
			MaxAnalyses:  4,
			Inconclusive: "neutral",
			Timeout:      2 * time.Hour,
			RunsOn:       []string{"self-hosted", "gpu"},
			Workloads:    []string{"keccak", "quick"},
			Pairs:        14,
			Analyses:     1,
			Alpha:        0.05,
			File:         world.bench,
		},
		Checkout: Ancestry{Directory: world.GitDir, Local: true},
		Now:      func() time.Time { return worldNow },
	}
	if world.settings != nil {
		world.settings(&controller.Settings)
	}
	return controller
}

// say writes a comment and returns its event.
func (world *world) say(author, body string) *Event {
	world.t.Helper()
	world.Lock.Lock()
	comment := world.AddComment(worldPull, author, body)
	world.Lock.Unlock()
	return world.event(comment.ID, body)
}

func (world *world) event(comment int64, body string) *Event {
	world.t.Helper()
	payload := map[string]any{
		"action":     "created",
		"issue":      map[string]any{"number": worldPull, "pull_request": map[string]any{}},
		"comment":    map[string]any{"id": comment, "body": body},
		"repository": map[string]any{"full_name": worldRepository},
	}
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

func (world *world) gate(event *Event) Decision {
	world.t.Helper()
	decision, err := world.controller("gate").Gate(context.Background(), event)
	if err != nil {
		world.t.Fatal(err)
	}
	return decision
}

// bodies lists the controller's comments.
func (world *world) bodies() []string {
	world.Lock.Lock()
	defer world.Lock.Unlock()
	var bodies []string
	for _, comment := range world.Comments {
		if comment.Author == world.Bot {
			bodies = append(bodies, comment.Body)
		}
	}
	return bodies
}

func (world *world) reactions(comment int64) string {
	world.Lock.Lock()
	defer world.Lock.Unlock()
	var contents []string
	for _, reaction := range world.Reactions {
		if reaction.Comment == comment {
			contents = append(contents, reaction.Content)
		}
	}
	return fmt.Sprint(contents)
}
