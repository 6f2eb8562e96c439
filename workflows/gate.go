package workflows

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"

	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/stats"
	"github.com/chiasmus/chiasmus/workflows/api"
)

// checkName is the name of the check run, which a branch protection rule can require.
const checkName = "bench-gpu"

// Settings are the GitHub settings of the default branch's bench.yaml.
type Settings struct {
	// Prefix is the first word of a comment that addresses the harness.
	Prefix string
	// MaxPairs and MaxAnalyses cap the requests of comments; 0 means no cap.
	MaxPairs, MaxAnalyses int
	// Inconclusive is the conclusion of the check run of an undecided run: neutral or failure.
	Inconclusive string
	// Timeout bounds a run.
	Timeout time.Duration
	// RunsOn are the labels of the runner that measures.
	RunsOn []string
	// Workloads are the names of bench.yaml's workloads.
	Workloads []string
	// Pairs, Analyses and PreCheck are bench.yaml's plan, which applies if a comment does not override it.
	Pairs, Analyses, PreCheck int
	Sampling                  stats.Sampling
	Alpha, StageMargin        float64
	// File is that bench.yaml, by which results are judged.
	File *config.File
}

// A Controller acts on one repository, in one attempt of one workflow run.
type Controller struct {
	Client *api.Client
	// Author is the account of the token: markers count only in its comments.
	Author string
	// Server is the address of GitHub's web pages.
	Server string
	// RunID and RunAttempt identify the workflow run.
	RunID      int64
	RunAttempt int
	Settings   Settings
	// Checkout is where the gate looks up a base that a comment names.
	Checkout Ancestry
	// Label is the label that requests a run, or empty. Push is set if a push to the default branch requests one. Both
	// come from the workflow's file.
	Label string
	Push  bool
	// Summary receives Markdown for the page of the workflow run; nil means none.
	Summary io.Writer
	// Now is the clock; nil means the system's.
	Now func() time.Time
}

// A Decision is the gate's answer to an event.
type Decision struct {
	// Plan is set if the run is accepted; Carried are the baselines that it names.
	Plan    *Plan
	Carried []baseline.Baseline
	// Cancel lists workflow runs to stop.
	Cancel []int64
	// Reason says, for the log, why there is no plan and nothing to cancel.
	Reason string
}

// A refusal is a request of somebody with write permission that cannot be met; its text is posted.
type refusal struct{ text string }

func (refusal refusal) Error() string { return refusal.text }

func refuse(format string, values ...any) error { return refusal{fmt.Sprintf(format, values...)} }

// Gate decides on an event. Errors are failures of the controller; a refusal is a Decision with a Reason.
func (controller *Controller) Gate(ctx context.Context, event *Event) (Decision, error) {
	decision, err := controller.gate(ctx, event)
	if err != nil {
		return decision, err
	}
	switch plan := decision.Plan; {
	case plan != nil:
		err = controller.summarize("A run of %s against %s (%s), requested by %s.\n", code(plan.Head), code(plan.Base),
			code(plan.BaseDescription), code(plan.Requester))
	case decision.Cancel != nil:
		err = controller.summarize("Runs to cancel: %s.\n", code(fmt.Sprint(decision.Cancel)))
	default:
		err = controller.summarize("No run: %s\n", decision.Reason)
	}
	return decision, err
}

func (controller *Controller) gate(ctx context.Context, event *Event) (Decision, error) {
	switch event.Trigger {
	case LabelTrigger:
		return controller.gateLabel(ctx, event)
	case PushTrigger:
		return controller.gatePush(ctx, event)
	}
	if event.Action != "created" || !event.IsPull || !addressed(event.Body, controller.Settings.Prefix) {
		return Decision{Reason: "the event is not a new comment on a pull request that begins with " +
			controller.Settings.Prefix}, nil
	}
	repository, err := controller.Client.Repository(ctx)
	if err != nil {
		return Decision{}, err
	}
	if !strings.EqualFold(repository.GetFullName(), event.Repository) {
		return Decision{Reason: "the event belongs to another repository"}, nil
	}
	comment, err := controller.Client.Comment(ctx, event.CommentID)
	if api.Gone(err) {
		return Decision{Reason: "the comment of the event was deleted"}, nil
	}
	if err != nil {
		return Decision{}, err
	}
	request, reason, err := controller.authenticate(ctx, event, comment)
	if err != nil || reason != "" {
		return Decision{Reason: reason}, err
	}
	decision, err := controller.decide(ctx, repository, request)
	var refused refusal
	if errors.As(err, &refused) {
		return Decision{Reason: refused.text}, controller.explain(ctx, request, refused.text)
	}
	return decision, err
}

// A request is a comment whose author may request runs.
type request struct {
	comment   int64
	body      string
	requester string
	pull      int
	trigger   Trigger
}

// authenticate checks that the comment belongs to the event, is unedited, and was written by a person with write
// permission; otherwise it returns a reason. Somebody without permission gets a reaction and nothing else.
func (controller *Controller) authenticate(ctx context.Context, event *Event,
	comment *api.Comment) (request, string, error) {
	number, err := strconv.Atoi(path.Base(comment.GetIssueURL()))
	switch {
	case err != nil || number != event.PullNumber:
		return request{}, "the comment does not belong to the event's issue", nil
	case comment.GetBody() != event.Body || !comment.GetCreatedAt().Equal(comment.GetUpdatedAt()):
		return request{}, "the comment was edited: a new comment is needed", nil
	case !comment.ByPerson():
		return request{}, "the comment is not by a person", nil
	}
	login := comment.GetUser().GetLogin()
	allowed, err := controller.Client.CanWrite(ctx, login)
	if err != nil {
		return request{}, "", err
	}
	if !allowed {
		return request{}, code(login) + " has no write permission", controller.Client.React(ctx, comment.GetID(), "-1")
	}
	return request{comment: comment.GetID(), body: comment.GetBody(), requester: login, pull: number}, "", nil
}

func (controller *Controller) decide(ctx context.Context, repository *github.Repository,
	request request) (Decision, error) {
	command, err := parseCommand(request.body, controller.Settings.Prefix)
	if err != nil {
		return Decision{}, refuse("%s\n\n%s", code(err.Error()), fence(usage(controller.Settings.Prefix)))
	}
	pull, err := controller.Client.PullRequest(ctx, request.pull)
	if err != nil {
		return Decision{}, err
	}
	if command.Cancel {
		index, _, err := controller.readIndex(ctx, request.pull)
		if err != nil {
			return Decision{}, err
		}
		runs := index.unfinished()
		if len(runs) == 0 {
			return Decision{}, refuse("There is no run of this pull request to cancel.")
		}
		return Decision{Cancel: runs}, controller.Client.React(ctx, request.comment, "eyes")
	}
	return controller.start(ctx, repository, pull, request, command)
}

// start creates the run of a permitted request.
func (controller *Controller) start(ctx context.Context, repository *github.Repository, pull *github.PullRequest,
	request request, command parsedCommand) (Decision, error) {
	plan, err := controller.plan(ctx, repository, pull, request, command)
	if err != nil {
		return Decision{}, err
	}
	carried, err := controller.carry(ctx, plan)
	if err != nil {
		return Decision{}, err
	}
	return Decision{Plan: plan, Carried: carried}, controller.accept(ctx, plan)
}

// plan pins both revisions.
func (controller *Controller) plan(ctx context.Context, repository *github.Repository, pull *github.PullRequest,
	request request, command parsedCommand) (*Plan, error) {
	if pull.GetState() != "open" {
		return nil, refuse("This pull request is %s: only an open one is measured.", code(pull.GetState()))
	}
	head := pull.GetHead().GetSHA()
	// The repository of a deleted fork is null.
	fork := pull.GetHead().GetRepo() == nil || pull.GetHead().GetRepo().GetID() != repository.GetID()
	switch {
	case command.SHA != "" && command.SHA != head:
		return nil, refuse("%s is not this pull request's head, which is %s: review the commits again and name the one to "+
			"run.", short(command.SHA), code(head))
	case fork && command.SHA == "":
		return nil, refuse("This pull request comes from a fork, and its code runs on the GPU host: name the commit that "+
			"you have reviewed, with all 40 digits.\n\nIts head is now %s.", code(head))
	case fork && command.HeadConfig:
		return nil, refuse("`config=head` is not allowed for a pull request from a fork: its bench.yaml would decide which " +
			"commands run and how they are judged.")
	}
	if len(controller.Settings.RunsOn) == 0 {
		return nil, refuse("bench.yaml does not say where to measure: `github.runs_on` must name the labels of the GPU " +
			"runner.")
	}
	for _, name := range command.Workloads {
		if !command.HeadConfig && !controller.Settings.has(name) {
			return nil, refuse("bench.yaml has no workload %s, only %s.", code(name),
				code(strings.Join(controller.Settings.Workloads, ", ")))
		}
	}
	command.Workloads = controller.Settings.expand(command)
	if n := len(command.Workloads); n > maxWorkloads {
		return nil, refuse("The comment names %d workloads: at most %d are measured.", n, maxWorkloads)
	}
	base, description, err := controller.resolveBase(ctx, pull, command.Base, head)
	if err != nil {
		return nil, err
	}
	plan := &Plan{
		Schema:          planSchema,
		RepositoryID:    repository.GetID(),
		Repository:      repository.GetFullName(),
		PullRequest:     request.pull,
		CommentID:       request.comment,
		Trigger:         request.trigger,
		Requester:       request.requester,
		RunID:           controller.RunID,
		RunAttempt:      controller.RunAttempt,
		Base:            base,
		Head:            head,
		BaseDescription: description,
		Fork:            fork,
		Pairs:           command.Pairs,
		Analyses:        command.Analyses,
		PreCheck:        command.PreCheck,
		Workloads:       command.Workloads,
		HeadConfig:      command.HeadConfig,
		Inconclusive:    controller.Settings.Inconclusive,
		Deadline:        controller.Settings.Timeout.String(),
		Created:         controller.now(),
	}
	if limit := controller.Settings.MaxPairs; limit > 0 && plan.Pairs > limit {
		plan.Notes = append(plan.Notes, fmt.Sprintf("pairs=%d was requested; bench.yaml allows %d.", plan.Pairs, limit))
		plan.Pairs = limit - limit%2
	}
	if limit := controller.Settings.MaxAnalyses; limit > 0 && plan.Analyses > limit {
		plan.Notes = append(plan.Notes, fmt.Sprintf("analyses=%d was requested; bench.yaml allows %d.", plan.Analyses, limit))
		plan.Analyses = limit
	}
	if plan.HeadConfig {
		plan.Notes = append(plan.Notes,
			"Measured with this pull request's bench.yaml, not the default branch's.")
		return plan, nil
	}
	// Refuse a request that can never get a verdict here, not on the GPU host after its turn in the queue.
	if err := controller.Settings.plan(plan).Upholds(controller.Settings.measured(plan)); err != nil {
		return nil, refuse("This plan cannot reach a verdict: %s.", code(err.Error()))
	}
	return plan, nil
}

// resolveBase pins the base. The default is the merge base with the target branch. A named base must be reachable from
// a branch or tag of this repository, because the API also knows the commits of forks.
func (controller *Controller) resolveBase(ctx context.Context, pull *github.PullRequest, named,
	head string) (sha, description string, err error) {
	if named == "" {
		target := pull.GetBase().GetRef()
		// Use the name: the SHA that the pull request gives for its target dates from the last push to the pull request.
		mergeBase, ok, err := controller.Client.MergeBase(ctx, target, head)
		if err != nil {
			return "", "", err
		}
		if !ok || !commitPattern.MatchString(mergeBase) {
			return "", "", refuse("This pull request shares no history with %s: name a base with `base=REF`.", code(target))
		}
		return mergeBase, "merge base with " + target, nil
	}
	sha, ok, err := controller.Checkout.Resolve(ctx, named)
	if errors.Is(err, errAmbiguous) {
		return "", "", refuse("The base %s: %s.", code(named), err)
	}
	if err != nil {
		return "", "", err
	}
	if !ok {
		return "", "", refuse("The base %s is not reachable from a branch or tag of this repository.", code(named))
	}
	return sha, named, nil
}

// accept creates the run's comment and check run on GitHub. If the gate is repeated, it finds each of them again.
func (controller *Controller) accept(ctx context.Context, plan *Plan) error {
	if plan.Trigger == CommentTrigger {
		if err := controller.Client.React(ctx, plan.CommentID, "eyes"); err != nil {
			return err
		}
	}
	check, err := controller.Client.CreateCheckRun(ctx, checkName, plan.Head, plan.externalID(), queuedTitle,
		plan.queuedSummary(0))
	if err != nil {
		return err
	}
	plan.CheckRunID = check.GetID()
	if plan.Trigger == PushTrigger { // a push has only a check run
		return nil
	}
	plan.ProgressCommentID, err = controller.updateIndex(ctx, plan, queued, 0)
	if err != nil { // no later job completes the check run
		ended := controller.Client.CompleteCheckRun(ctx, plan.CheckRunID, checkName, "cancelled",
			"The run could not be started", "See the log of the run.")
		return errors.Join(err, ended)
	}
	return nil
}

// explain answers somebody with write permission in a new comment, because an edit would notify nobody.
func (controller *Controller) explain(ctx context.Context, request request, text string) error {
	if request.trigger == CommentTrigger {
		if err := controller.Client.React(ctx, request.comment, "confused"); err != nil {
			return err
		}
	}
	marker := fmt.Sprintf("%s%d -->", refusalPrefix, request.comment)
	body := fmt.Sprintf("%s\n%s, no run was started.\n\n%s\n", marker, mention(request.requester), text)
	_, err := controller.Client.PostOnce(ctx, request.pull, controller.Author, marker, body)
	return err
}

func (controller *Controller) now() time.Time {
	if controller.Now != nil {
		return controller.Now().UTC()
	}
	return time.Now().UTC().Truncate(time.Second)
}
