package workflows

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/workflows/api"
)

// A Health is the answer to one question of the doctor.
type Health string

// Fine needs no action, Wrong stops a run or makes it unsafe, and Unknown could not be checked with this token.
const (
	Fine    Health = "ok"
	Wrong   Health = "wrong"
	Unknown Health = "unknown"
)

// A Finding is one answer.
type Finding struct {
	Health Health
	What   string
	// Do is the remedy; empty for Fine.
	Do string
}

// workflowPath is the path of the workflow in a repository.
const workflowPath = ".github/workflows/bench-gpu.yml"

// Diagnose checks whether a comment in the repository would get a verdict without exposing the token or the GPU host.
// It changes nothing.
func Diagnose(ctx context.Context, client *api.Client) ([]Finding, error) {
	repository, err := client.Repository(ctx)
	if err != nil {
		return nil, err
	}
	doctor := &doctor{client: client, public: !repository.GetPrivate()}
	doctor.say(Fine, fmt.Sprintf("the repository is %s, its default branch is %s", repository.GetFullName(),
		repository.GetDefaultBranch()), "")
	labels := doctor.files(ctx, repository.GetDefaultBranch())
	doctor.neighbours(ctx, repository.GetDefaultBranch())
	doctor.policy(ctx)
	doctor.runners(ctx, labels)
	if doctor.public && repository.GetOwner().GetType() == "User" {
		doctor.say(Wrong, "this is a public repository of a personal account: such an account has no runner groups",
			"run each job on a fresh machine (docs/guide/github.md, Public repositories of a personal account), "+
				"or move the repository to an organization; a persistent runner cannot be made safe here, and "+
				"`harness github runner` refuses to be one")
	}
	return doctor.findings, nil
}

type doctor struct {
	client   *api.Client
	public   bool
	findings []Finding
}

func (doctor *doctor) say(health Health, what, do string) {
	doctor.findings = append(doctor.findings, Finding{health, what, do})
}

// files checks the default branch's files and returns the labels of the runner that they ask for.
func (doctor *doctor) files(ctx context.Context, branch string) []string {
	workflow, err := doctor.client.ReadFile(ctx, branch, workflowPath)
	switch {
	case err != nil:
		doctor.say(Unknown, "the workflow could not be read: "+err.Error(), "give the token contents read")
	case workflow.SHA == "":
		doctor.say(Wrong, fmt.Sprintf("%s is not on %s", workflowPath, branch),
			"run `harness github init` and merge what it writes: comments use only workflows of the default branch")
	default:
		problems, err := checkWorkflow(workflow.Content)
		if err != nil {
			problems = []string{err.Error()}
		}
		for _, problem := range problems {
			doctor.say(Wrong, workflowPath+": "+problem, "restore it with `harness github init --force`")
		}
		if len(problems) == 0 {
			doctor.say(Fine, workflowPath+" keeps the token away from the code of pull requests", "")
		}
	}
	doctor.triggers(ctx, branch)
	bench, err := doctor.client.ReadFile(ctx, branch, config.FileName)
	switch {
	case err != nil:
		doctor.say(Unknown, "bench.yaml could not be read: "+err.Error(), "give the token contents read")
		return nil
	case bench.SHA == "":
		doctor.say(Wrong, fmt.Sprintf("bench.yaml is not on %s", branch),
			"run `harness github init` and merge what it writes")
		return nil
	}
	file, err := config.Parse(config.FileName, bench.Content)
	if err != nil {
		doctor.say(Wrong, err.Error(), "fix bench.yaml on the default branch")
		return nil
	}
	doctor.say(Fine, fmt.Sprintf("bench.yaml has the workloads %s", strings.Join(file.Names(), ", ")), "")
	if word := file.GitHub.Comment; workflow.SHA != "" && !strings.Contains(string(workflow.Content), "'"+word+"'") {
		doctor.say(Wrong, fmt.Sprintf("comments begin with %s according to bench.yaml, but %s does not let them through",
			word, workflowPath),
			"write the workflow again with `harness github init --force`")
	}
	if len(file.GitHub.RunsOn) == 0 {
		doctor.say(Wrong, "bench.yaml does not say where to measure", "set github.runs_on to the labels of the GPU runner")
	}
	return file.GitHub.RunsOn
}

// triggers checks the workflows of labels and of pushes, if they exist.
func (doctor *doctor) triggers(ctx context.Context, branch string) {
	for _, name := range []string{labelFile, pushFile} {
		workflow, err := doctor.client.ReadFile(ctx, branch, name)
		if err != nil {
			doctor.say(Unknown, name+" could not be read: "+err.Error(), "give the token contents read")
		}
		if err != nil || workflow.SHA == "" {
			continue
		}
		problems, err := checkWorkflow(workflow.Content)
		if err != nil {
			problems = []string{err.Error()}
		}
		for _, problem := range problems {
			doctor.say(Wrong, name+": "+problem, "restore it with `harness github init --force` and the flags of its triggers")
		}
		if len(problems) == 0 {
			doctor.say(Fine, name+" keeps the token away from the measured code", "")
		}
	}
}

// neighbours checks every other workflow of the default branch: each may ask for the GPU host's labels.
func (doctor *doctor) neighbours(ctx context.Context, branch string) {
	folder := path.Dir(workflowPath)
	names, err := doctor.client.ListFiles(ctx, branch, folder)
	if err != nil {
		doctor.say(Unknown, "the workflows could not be listed: "+err.Error(), "give the token contents read")
		return
	}
	checked, wrong := 0, 0
	for _, name := range names {
		extension := path.Ext(name)
		file := path.Join(folder, name)
		if slices.Contains([]string{workflowPath, labelFile, pushFile}, file) || extension != ".yml" && extension != ".yaml" {
			continue
		}
		source, err := doctor.client.ReadFile(ctx, branch, file)
		var problems []string
		if err == nil {
			problems, err = checkNeighbour(source.Content)
		}
		if err != nil {
			problems = []string{err.Error()}
		}
		for _, problem := range problems {
			doctor.say(Wrong, file+": "+problem,
				"keep its jobs on GitHub's machines, or write them so that this check can see what they may do on the GPU "+
					"host: docs/guide/github.md, \"Other workflows\"")
		}
		checked, wrong = checked+1, wrong+len(problems)
	}
	if checked > 0 && wrong == 0 {
		doctor.say(Fine, fmt.Sprintf("%s besides: none can reach the GPU host with a token or a stranger's code",
			plural.Of(checked, "workflow")), "")
	}
}

func (doctor *doctor) policy(ctx context.Context) {
	enabled, approval, err := doctor.client.ActionsPolicy(ctx)
	if err != nil {
		doctor.say(Unknown, "the Actions policy could not be read: "+err.Error(),
			"use a token with administration read")
		return
	}
	if !enabled {
		doctor.say(Wrong, "workflows are disabled", "enable them: Settings, Actions, General")
	}
	if doctor.public && approval != "all_external_contributors" {
		doctor.say(Wrong, fmt.Sprintf("outside contributors' workflows run without approval (%s)", approval),
			"Settings, Actions, General: require approval for all external contributors, or a pull request can put its own "+
				"workflow on the GPU runner")
		return
	}
	if doctor.public {
		doctor.say(Fine, "workflows of outside contributors wait for an approval", "")
	}
}

func (doctor *doctor) runners(ctx context.Context, labels []string) {
	if len(labels) == 0 {
		return
	}
	runners, err := doctor.client.Runners(ctx)
	if err != nil {
		doctor.say(Unknown, "the runners could not be listed: "+err.Error(),
			"use a token with administration read; an organization's runners are listed only in its settings")
		return
	}
	online := 0
	for _, runner := range runners {
		if !hasLabels(runner, labels) {
			continue
		}
		if runner.Status == "online" {
			online++
		}
		if runner.Ephemeral == nil || !*runner.Ephemeral {
			doctor.say(Wrong, fmt.Sprintf("runner %q is persistent: a job can access what an earlier job left behind",
				runner.Name),
				"register it with --ephemeral, on a fresh machine for each job")
		}
	}
	if online == 0 {
		doctor.say(Wrong, fmt.Sprintf("no runner with the labels %s is online here", strings.Join(labels, ", ")),
			"start one, or give the repository access to the organization's runner group")
		return
	}
	doctor.say(Fine, fmt.Sprintf("%s with the labels %s online", plural.Of(online, "runner"), strings.Join(labels, ", ")),
		"")
}

func hasLabels(runner api.Runner, labels []string) bool {
	for _, label := range labels {
		if !slices.ContainsFunc(runner.Labels, func(has struct {
			Name string `json:"name"`
		}) bool {
			return strings.EqualFold(has.Name, label)
		}) {
			return false
		}
	}
	return true
}
