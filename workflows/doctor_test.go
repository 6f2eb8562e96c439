package workflows

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/workflows/internal/githubtest"
)

const someCommit = "0123456789012345678901234567890123456789"

func TestInitialise(t *testing.T) {
	for build, files := range map[string]map[string]string{
		"Makefile":   {"Makefile": ""},
		"Cargo.toml": {"Cargo.toml": "[package]\nname = \"prover\"\n", "src/main.rs": "fn main() {}\n"},
		"go.mod":     {"go.mod": "module example.org/prover\n", "main.go": "package main\n\nfunc main() {}\n"},
	} {
		directory := t.TempDir()
		os.Mkdir(filepath.Join(directory, ".git"), 0o755)
		os.Mkdir(filepath.Join(directory, "src"), 0o755)
		for name, text := range files {
			os.WriteFile(filepath.Join(directory, name), []byte(text), 0o600)
		}
		written, err := Initialise(InitialiseOptions{Directory: directory, Commit: someCommit})
		if err != nil || len(written) != 2 {
			t.Fatal(written, err)
		}
		workflow, err := os.ReadFile(filepath.Join(directory, workflowPath))
		if err != nil {
			t.Fatal(err)
		}
		problems, err := checkWorkflow(workflow)
		if err != nil || len(problems) > 0 {
			t.Errorf("what init writes is not safe: %q %v", problems, err)
		}
		if strings.Contains(string(workflow), "@COMMIT") || strings.Contains(string(workflow), " REPOSITORY/") {
			t.Error("a placeholder is left")
		}
		bench, err := os.ReadFile(filepath.Join(directory, "bench.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(bench), "\n"); lines > 30 {
			t.Errorf("bench.yaml has %d lines", lines)
		}
		if _, err := config.Parse("bench.yaml", bench); err != nil {
			t.Errorf("%s: %v\n%s", build, err, bench)
		}
		if written, err := Initialise(InitialiseOptions{Directory: directory, Commit: someCommit}); err != nil ||
			len(written) != 0 {
			t.Errorf("a second init of the same files wrote %q: %v", written, err)
		}
		os.WriteFile(filepath.Join(directory, workflowPath), []byte("name: mine\n"), 0o600)
		if _, err := Initialise(InitialiseOptions{Directory: directory, Commit: someCommit}); err == nil ||
			!strings.Contains(err.Error(), "--force") {
			t.Errorf("an init over a workflow that differs: %v", err)
		}
		if written, err := Initialise(InitialiseOptions{Directory: directory, Commit: someCommit, Force: true}); err != nil ||
			len(written) != 1 {
			t.Errorf("a forced init wrote %q: %v", written, err)
		}
	}
	if _, err := Initialise(InitialiseOptions{Directory: t.TempDir(), Commit: someCommit}); err == nil {
		t.Error("a folder that is no repository")
	}
	if _, err := Initialise(InitialiseOptions{Directory: t.TempDir(), Commit: "main"}); err == nil {
		t.Error("a branch pins nothing")
	}
}

// The workflow reacts to the command word that bench.yaml names.
func TestInitialiseWithOtherWord(t *testing.T) {
	directory := t.TempDir()
	os.Mkdir(filepath.Join(directory, ".git"), 0o755)
	bench := filepath.Join(directory, "bench.yaml")
	os.WriteFile(bench, []byte(demoConfig+"github: {comment: /measure}\n"), 0o600)
	if _, err := Initialise(InitialiseOptions{Directory: directory, Commit: someCommit}); err != nil {
		t.Fatal(err)
	}
	workflow, err := os.ReadFile(filepath.Join(directory, workflowPath))
	if err != nil || !strings.Contains(string(workflow), "startsWith(github.event.comment.body, '/measure')") {
		t.Errorf("%v\n%s", err, workflow)
	}
	os.WriteFile(bench, []byte("version: 9\n"), 0o600)
	if _, err := Initialise(InitialiseOptions{Directory: directory, Commit: someCommit, Force: true}); err == nil {
		t.Error("a broken bench.yaml")
	}
}

func TestDiagnose(t *testing.T) {
	healthy := func(world *world) {
		directory := t.TempDir()
		os.Mkdir(filepath.Join(directory, ".git"), 0o755)
		if _, err := Initialise(InitialiseOptions{Directory: directory, Commit: someCommit}); err != nil {
			t.Fatal(err)
		}
		world.Files["main"] = map[string][]byte{}
		for _, name := range []string{workflowPath, "bench.yaml"} {
			data, err := os.ReadFile(filepath.Join(directory, name))
			if err != nil {
				t.Fatal(err)
			}
			world.Files["main"][name] = data
		}
		world.ApprovalPolicy = "all_external_contributors"
		world.Runners = []githubtest.Runner{{Name: "gpu-1", Online: true, Ephemeral: true,
			Labels: []string{"self-hosted", "GPU"}}}
		world.Tokens["admin"] = githubtest.Permissions{"contents": "read", "administration": "read"}
	}
	for name, test := range map[string]struct {
		change func(world *world)
		token  string
		want   []string
	}{
		"healthy": {func(*world) {}, "admin", nil},
		"no workflow": {func(world *world) { delete(world.Files["main"], workflowPath) }, "admin",
			[]string{"is not on main"}},
		"no bench.yaml": {func(world *world) { delete(world.Files["main"], "bench.yaml") }, "admin",
			[]string{"bench.yaml is not on"}},
		"a broken bench.yaml": {func(world *world) { world.Files["main"]["bench.yaml"] = []byte("version: 9\n") }, "admin",
			[]string{"bench.yaml:1"}},
		"a workflow that leaks": {func(world *world) {
			world.Files["main"][workflowPath] = []byte(strings.Replace(string(world.Files["main"][workflowPath]),
				"    permissions: {}\n", "    permissions: write-all\n", 1))
		}, "admin", []string{"has permissions"}},
		"another word": {func(world *world) {
			world.Files["main"]["bench.yaml"] = append(world.Files["main"]["bench.yaml"], "  comment: /measure\n"...)
		}, "admin", []string{"does not let them through"}},
		"another workflow on the GPU's labels": {func(world *world) {
			world.Files["main"][".github/workflows/other.yaml"] = []byte("on: [pull_request_target, workflow_run]\njobs:\n  " +
				"a:\n    runs-on: [self-hosted, gpu]\n    permissions: {}\n    steps: [{run: make}]\n")
			world.Files["main"][".github/workflows/hosted.yml"] = []byte("on: pull_request_target\njobs:\n  a:\n    runs-on: " +
				"ubuntu-latest\n    steps: [{run: make}]\n")
			world.Files["main"][".github/workflows/README.md"] = []byte("no workflow")
		}, "admin", []string{"other.yaml: job a: pull_request_target", "other.yaml: job a: workflow_run"}},
		"another workflow that cannot be read": {func(world *world) {
			world.Files["main"][".github/workflows/other.yml"] = []byte("\tno: yaml")
		}, "admin", []string{"other.yml: the workflow is not valid YAML"}},
		"no approval": {func(world *world) { world.ApprovalPolicy = "first_time_contributors" }, "admin",
			[]string{"without approval"}},
		"a persistent runner": {func(world *world) { world.Runners[0].Ephemeral = false }, "admin",
			[]string{"is persistent"}},
		"no runner online": {func(world *world) { world.Runners[0].Online = false }, "admin", []string{"no runner"}},
		"a runner of other labels": {func(world *world) { world.Runners[0].Labels = []string{"self-hosted"} }, "admin",
			[]string{"no runner"}},
		"a token without permission": {func(*world) {}, "gate",
			[]string{"Actions policy could not be read", "runners could not be listed"}},
	} {
		t.Run(name, func(t *testing.T) {
			world := newWorld(t)
			healthy(world)
			test.change(world)
			findings, err := Diagnose(context.Background(), world.controller(test.token).Client)
			if err != nil {
				t.Fatal(err)
			}
			var troubles []string
			for _, finding := range findings {
				if finding.Health != Fine {
					troubles = append(troubles, finding.What)
					if finding.Do == "" {
						t.Errorf("%q has no remedy", finding.What)
					}
				}
			}
			if len(troubles) != len(test.want) {
				t.Fatalf("troubles %q, want %q", troubles, test.want)
			}
			for i, want := range test.want {
				if !strings.Contains(troubles[i], want) {
					t.Errorf("trouble %q, want %q", troubles[i], want)
				}
			}
		})
	}
}

// init uses the make target named build, if there is one: make without a target may only list targets.
func TestInitialiseAsksMakeForItsBuild(t *testing.T) {
	for makefile, want := range map[string]string{
		"":                                     "command: [make]\n",
		"help: ## list\n\nbuild: ## it\n\tgo":  "command: [make, build]\n",
		"build:\n":                             "command: [make, build]\n",
		"all: build\nbuild := x\nrebuild:\n":   "command: [make]\n",
		"build:=x\n":                           "command: [make]\n",
		"x:\n\tcc # as build: says\nbuilds:\n": "command: [make]\n",
	} {
		directory := t.TempDir()
		if err := os.WriteFile(filepath.Join(directory, "Makefile"), []byte(makefile), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := firstConfig(directory); err != nil || !strings.Contains(got, want) {
			t.Errorf("for the Makefile %q it says\n%s\nwant %q", makefile, got, want)
		}
	}
}
