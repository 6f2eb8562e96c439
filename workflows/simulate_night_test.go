package workflows

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/git"
)

// nightRepository creates a repository whose branch nights has one line of history.
func nightRepository(t *testing.T) string {
	t.Helper()
	directory := t.TempDir()
	run := func(arguments ...string) {
		t.Helper()
		if _, err := git.Desk.Run(context.Background(), git.Call{Dir: directory,
			Args: append([]string{"-c", "user.name=T", "-c", "user.email=t@example.org"}, arguments...)}); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(directory, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q", "-b", "nights")
	write("history/2025.jsonl", "{\"a\":1}\n")
	run("add", ".")
	run("commit", "-q", "-m", "history")
	run("checkout", "-q", "--orphan", "main")
	run("rm", "-q", "-r", "-f", ".")
	write("bench.yaml", `version: 1
build: {command: [make], artifacts: [prover]}
workloads: [{name: demo, process: ["{prover}", "{proof}"], verify: [test, -s, "{proof}"]}]
nightly: {history: "branch:nights"}
github: {runs_on: [gpu]}
`)
	run("add", ".")
	run("commit", "-q", "-m", "prover")
	return directory
}

// The steps of a simulated night have the arguments of the workflow's actions, and the permissions of its jobs.
func TestNightStepsAreTheWorkflows(t *testing.T) {
	flag := regexp.MustCompile(`--[a-z-]+`)
	directory := nightRepository(t)
	for _, test := range []struct{ fails, measured string }{
		{"", "success"}, {"dependencies", "skipped"}, {"measure", "failure"},
	} {
		var jobs []string
		err := SimulateNight(context.Background(), SimulateOptions{Repository: directory, Head: "main", Out: &bytes.Buffer{}},
			func(_ context.Context, step NightStep) error {
				jobs = append(jobs, step.Job)
				action := step.Job
				if action != "dependencies" {
					action = "nightly-" + action
				}
				text, err := os.ReadFile("../.github/actions/" + action + "/action.yml")
				if err != nil {
					t.Fatal(err)
				}
				_, command, ok := strings.Cut(string(text), "harness-$(uname -m)\" nightly")
				if !ok {
					command = string(text)
				}
				arguments := strings.Join(step.Arguments, " ")
				want := flag.FindAllString(command[strings.LastIndex(command, "run: |")+1:], -1)
				want = slices.DeleteFunc(want, func(name string) bool { return name == "--no-install-recommends" })
				got := flag.FindAllString(arguments, -1)
				slices.Sort(want)
				slices.Sort(got)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: flags (-action +simulation):\n%s", step.Job, diff)
				}
				if step.Job == "publish" && !strings.Contains(arguments, "--measured "+test.measured+" ") {
					t.Errorf("%s fails: publish gets %s", test.fails, arguments)
				}
				if step.Token != map[string]string{"plan": "plan", "publish": "publish"}[step.Job] {
					t.Errorf("%s has the token %q", step.Job, step.Token)
				}
				if step.Job == test.fails {
					return errors.New("it fails")
				}
				return nil
			})
		want := []string{"plan", "dependencies", "measure", "publish"}
		if test.fails == "dependencies" {
			want = []string{"plan", "dependencies", "publish"}
		}
		if err != nil || !slices.Equal(jobs, want) {
			t.Errorf("%q fails: jobs %v, error %v", test.fails, jobs, err)
		}
	}
	var file workflowFile
	if err := yaml.Unmarshal(workflowFiles(t)["nightly.yml"], &file); err != nil {
		t.Fatal(err)
	}
	for _, job := range []string{"plan", "publish"} {
		permissions := map[string]string{}
		definition := file.Jobs[job]
		if err := definition.Permissions.Decode(&permissions); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(permissions, plainNames(nightPermissions[job])); diff != "" {
			t.Errorf("%s: permissions (-workflow +simulation):\n%s", job, diff)
		}
	}
}

// The history starts with the repository's branch. Its old lines are not printed.
func TestNightReadsTheHistory(t *testing.T) {
	options := SimulateOptions{Repository: nightRepository(t), Head: "main"}
	files, err := options.filesOf(context.Background(), "nights")
	if err != nil || cmp.Diff(files, map[string][]byte{"history/2025.jsonl": []byte("{\"a\":1}\n")}) != "" {
		t.Fatalf("history %q, error %v", files, err)
	}
	if files, err := options.filesOf(context.Background(), "none"); err != nil || files != nil {
		t.Errorf("no branch: %q, %v", files, err)
	}
	server, err := options.server(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	var out bytes.Buffer
	options.Out = &out
	server.Files["nights"] = map[string][]byte{"history/2025.jsonl": []byte("{\"a\":1}\n{\"b\":2}\n"),
		BaselinesFile: []byte("{}\n{}\n")}
	want := "\n======== baselines on nights:baselines.jsonl: 2\n" +
		"\n======== history line on nights:history/2025.jsonl\n{\"b\":2}\n\n======== no issue\n"
	(&simulatedNight{options: &options, server: server}).show("nights", files)
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// A failed plan, an unknown revision and an interrupt end the night before anything is published.
func TestNightStops(t *testing.T) {
	directory := nightRepository(t)
	stop := make(chan struct{})
	close(stop)
	options := SimulateOptions{Repository: directory, Head: "main", Out: &bytes.Buffer{}}
	stopped, nowhere, base := options, options, options
	stopped.Measure.Controls.Stop, nowhere.Head, base.Base = stop, "nowhere", "nowhere"
	for _, test := range []struct {
		options SimulateOptions
		fails   string
		want    string
	}{
		{options, "plan", "it fails"},
		{stopped, "", "interrupted: nothing is published"},
		{nowhere, "", `"nowhere" is not a branch or commit`},
		{base, "", `"nowhere" is not a branch or commit`},
	} {
		err := SimulateNight(context.Background(), test.options, func(_ context.Context, step NightStep) error {
			if step.Job == "publish" {
				t.Errorf("%s: it publishes", test.want)
			}
			if step.Job == test.fails {
				return &failure.UsageError{Err: errors.New("it fails")}
			}
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}
