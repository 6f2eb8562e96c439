package workflows

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/git"
	"github.com/chiasmus/chiasmus/workflows/api"
	"github.com/chiasmus/chiasmus/workflows/internal/githubfake"
)

// SimulateOptions specify a simulation.
type SimulateOptions struct {
	// Repository is a local git repository with a bench.yaml.
	Repository string
	// Base and Head are the target branch and the pull request's branch.
	Base, Head string
	// Comment is the text of a comment by somebody with write permission. Event, a recorded event file, overrides it:
	// its comment and author are used, and the author has the permission of Permission.
	Comment    string
	Event      []byte
	Permission string
	// Trigger starts the run instead of a comment: somebody with Permission sets the label Label, or the branch Head,
	// which then is the default branch, is pushed from the commit Base.
	Trigger Trigger
	Label   string
	// Fork is set if the pull request comes from a fork.
	Fork bool
	// Out receives what would be posted.
	Out io.Writer
	// Measure specifies how to measure; Simulate sets its Bundle, Dependencies and Out.
	Measure MeasureOptions
}

const simulatedRun = 1

// Simulate runs gate, fetch, measure and publish against a fake GitHub on the loopback interface, and prints what would
// be posted. The repository, the builds, the proofs and the verdict are real.
func Simulate(ctx context.Context, options SimulateOptions) error {
	file, err := config.Load(filepath.Join(options.Repository, config.FileName))
	if err != nil {
		return err
	}
	server, event, err := simulatedServer(ctx, &options)
	if err != nil {
		return err
	}
	defer server.Close()
	controller := func(token string) (*Controller, error) {
		client, err := api.New(server.URL(), server.Repository.FullName, token, api.Retry{})
		return &Controller{
			Client:     client,
			Author:     server.Bot,
			Server:     "https://github.com",
			RunID:      simulatedRun,
			RunAttempt: 1,
			Settings:   SettingsOf(file),
			Label:      options.Label,
			Push:       options.Trigger == PushTrigger,
			Checkout:   Ancestry{Directory: options.Repository, Local: true},
		}, err
	}
	gate, err := controller("gate")
	if err != nil {
		return err
	}
	decision, err := gate.Gate(ctx, event)
	if err != nil {
		return err
	}
	if decision.Plan == nil {
		fmt.Fprintf(options.Out, "no run: %s\n", decision.Reason)
		return show(options.Out, server)
	}
	if err := simulateMeasure(ctx, decision.Plan, &options, server, file); err != nil {
		return err
	}
	publisher, err := controller("publish")
	if err != nil {
		return err
	}
	if err := publisher.Publish(ctx, decision.Plan, "success"); err != nil {
		return err
	}
	return show(options.Out, server)
}

func simulatedServer(ctx context.Context, options *SimulateOptions) (*githubfake.Server, *Event, error) {
	var commits [2]string
	for i, name := range []string{options.Base, options.Head} {
		var err error
		if commits[i], err = options.commit(ctx, name); err != nil {
			return nil, nil, err
		}
	}
	branch := options.Base
	if options.Trigger == PushTrigger {
		branch = options.Head
	} else if _, err := options.ask(ctx, "show-ref", "--verify", "-q", "refs/heads/"+branch); err != nil {
		return nil, nil, fmt.Errorf("--base %s: %s has no such branch, and a pull request's target is one; "+
			"`base=REF` in a comment names another revision", branch, options.Repository)
	}
	const number = 1
	pull := &githubfake.Pull{
		Number:         number,
		State:          "open",
		BaseRef:        options.Base,
		BaseSHA:        commits[0],
		HeadRef:        options.Head,
		HeadSHA:        commits[1],
		HeadRepository: 1,
	}
	if options.Fork {
		pull.HeadRepository = 2
	}
	server, err := options.server(ctx, branch)
	if err != nil {
		return nil, nil, err
	}
	server.Pulls[number] = pull
	server.Tokens["gate"] = githubfake.Permissions{"contents": "read", "pull_requests": "write", "checks": "write"}
	server.Tokens["publish"] = githubfake.Permissions{
		"contents":      "read",
		"pull_requests": "write",
		"checks":        "write",
		"actions":       "read",
	}
	switch options.Trigger {
	case LabelTrigger:
		server.LabelPull(pull, "you", options.Label)
		return server, &Event{Trigger: LabelTrigger, Action: "labeled", PullNumber: number, IsPull: true,
			Repository: server.Repository.FullName, Label: options.Label, HeadSHA: commits[1], Sender: "you"}, nil
	case PushTrigger:
		return server, &Event{Trigger: PushTrigger, Repository: server.Repository.FullName, Sender: "you",
			Ref: "refs/heads/" + branch, Before: commits[0], After: commits[1]}, nil
	}
	body := options.Comment
	if options.Event != nil {
		recorded, err := ParseEvent(options.Event)
		if err != nil {
			server.Close()
			return nil, nil, err
		}
		body = recorded.Body
	}
	comment := server.AddComment(number, "you", body)
	return server, &Event{
		Action:     "created",
		CommentID:  comment.ID,
		Body:       body,
		PullNumber: number,
		IsPull:     true,
		Repository: server.Repository.FullName,
	}, nil
}

// ask asks git in the repository.
func (options *SimulateOptions) ask(ctx context.Context, arguments ...string) (string, error) {
	return git.Desk.Run(ctx, git.Call{Dir: options.Repository, Args: arguments})
}

// commit resolves a branch or commit of the repository.
func (options *SimulateOptions) commit(ctx context.Context, name string) (string, error) {
	sha, err := options.ask(ctx, "rev-parse", "--verify", "-q", "--end-of-options", name+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("%q is not a branch or commit of %s", name, options.Repository)
	}
	return sha, nil
}

// server starts a fake GitHub with the repository and its branches.
func (options *SimulateOptions) server(ctx context.Context, defaultBranch string) (*githubfake.Server, error) {
	branches, err := options.ask(ctx, "for-each-ref", "--format=%(refname:short)", "refs/heads")
	if err != nil {
		return nil, err
	}
	return githubfake.New(githubfake.State{
		Repository: githubfake.Repository{
			ID:            1,
			FullName:      "local/" + filepath.Base(absolute(options.Repository)),
			DefaultBranch: defaultBranch,
		},
		GitDir:     options.Repository,
		Branches:   strings.Fields(branches),
		Permission: map[string]string{"you": options.Permission},
	}, nil)
}

func absolute(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}

func simulateMeasure(ctx context.Context, plan *Plan, options *SimulateOptions, server *githubfake.Server,
	file *config.File) error {
	work, err := os.MkdirTemp("", "chiasmus-simulate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	bundle, out := filepath.Join(work, "bundle"), filepath.Join(work, "out")
	if err := Fetch(ctx, plan.Commits(), FetchOptions{
		Repository:   absolute(options.Repository),
		Config:       file.Path,
		ConfigCommit: plan.ConfigCommit(),
		Local:        true,
	}, bundle); err != nil {
		return err
	}
	log := options.Measure.Log
	if log == nil {
		log = io.Discard
	}
	dependencies := filepath.Join(work, "dependencies")
	digests, err := FetchDependencies(ctx, FetchOnlyOptions{Bundle: bundle, Out: dependencies, Log: log})
	if err != nil {
		return err
	}
	plan.Dependencies = digests
	options.Measure.Bundle, options.Measure.Dependencies, options.Measure.Out = bundle, dependencies, out
	if err := Measure(ctx, plan, options.Measure); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(out, ResultFile))
	if err != nil {
		return err
	}
	return upload(server, data)
}

// upload adds the artifact with the result of the measuring job.
func upload(server *githubfake.Server, data []byte) error {
	var archive bytes.Buffer
	writer := zip.NewWriter(&archive)
	entry, err := writer.Create(ResultFile)
	if err != nil {
		return err
	}
	if _, err := entry.Write(data); err != nil {
		return err
	}
	if err := writer.Close(); err != nil {
		return err
	}
	server.Lock.Lock()
	defer server.Lock.Unlock()
	server.Artifacts = append(server.Artifacts, &githubfake.Artifact{
		ID:      1,
		Run:     simulatedRun,
		Name:    ResultArtifact,
		Archive: archive.Bytes(),
	})
	return nil
}

// show prints everything that the controller wrote.
func show(out io.Writer, server *githubfake.Server) error {
	server.Lock.Lock()
	defer server.Lock.Unlock()
	for _, comment := range server.Comments {
		if comment.Author == server.Bot {
			fmt.Fprintf(out, "\n======== comment\n%s", comment.Body)
		}
	}
	for _, run := range server.CheckRuns {
		fmt.Fprintf(out, "\n======== check run %s on %s: %s %s\n%s\n", run.Name, run.SHA, run.Status, run.Conclusion,
			run.Title)
		if len(server.Comments) == 0 { // a push has no comments
			fmt.Fprintln(out, run.Summary)
		}
	}
	var reactions []string
	for _, reaction := range server.Reactions {
		reactions = append(reactions, reaction.Content)
	}
	fmt.Fprintf(out, "\n======== reactions: %s\n", strings.Join(reactions, " "))
	return nil
}
