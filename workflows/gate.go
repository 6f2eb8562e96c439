package workflows

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"

	"github.com/chiasmus/chiasmus/stats"
	"github.com/chiasmus/chiasmus/workflows/api"
)

// CheckName is the name of the check run: a branch protection rule can demand it.
const CheckName = "bench-gpu"

// Settings are what the default branch's bench.yaml says of the GitHub side.
type Settings struct {
	// Prefix is the first word of a comment that addresses the harness.
	Prefix string
	// MaxPairs and MaxLooks cap what a comment may ask for.
	MaxPairs, MaxLooks int
	// Inconclusive is neutral or failure: the check run's conclusion of an undecided run.
	Inconclusive string
	// Timeout bounds a run.
	Timeout time.Duration
	// RunsOn holds the labels of the runner that measures.
	RunsOn []string
	// Workloads are the names that bench.yaml has.
	Workloads []string
	// Pairs, Looks and Alpha are its plan, for what a comment leaves open.
	Pairs, Looks int
	Alpha        float64
}

// A Controller acts on one repository, in one attempt of one workflow run.
type Controller struct {
	Client *api.Client
	// Author is the account that the token belongs to: only its comments carry markers.
	Author string
	// Server is GitHub's address for people.
	Server string
	// RunID and RunAttempt are the workflow run's own.
	RunID      int64
	RunAttempt int
	Settings   Settings
	// Now is the clock; nil means the system's.
	Now func() time.Time
}

// A Decision is what the gate made of an event.
type Decision struct {
	// Plan is set when the run is accepted.
	Plan *Plan
	// Cancel lists workflow runs to stop.
	Cancel []int64
	// Reason says, for the log, why there is neither.
	Reason string
}

// A refusal is a request of somebody with write permission that cannot be met; its text is posted.
type refusal struct{ text string }

func (refusal refusal) Error() string { return refusal.text }

func refuse(format string, values ...any) error { return refusal{fmt.Sprintf(format, values...)} }

// Gate decides on an event. Errors are failures of the controller; a refusal is a Decision with a Reason.
func (controller *Controller) Gate(ctx context.Context, event *Event) (Decision, error) {
	if event.Action != "created" || !event.IsPull || !Addressed(event.Body, controller.Settings.Prefix) {
		return Decision{Reason: "the event is no new comment on a pull request that begins with " + controller.Settings.Prefix}, nil
	}
	repository, err := controller.Client.Repository(ctx)
	if err != nil {
		return Decision{}, err
	}
	if !strings.EqualFold(repository.GetFullName(), event.Repository) {
		return Decision{Reason: "the event is of another repository"}, nil
	}
	comment, err := controller.Client.Comment(ctx, event.CommentID)
	if api.NotFound(err) {
		return Decision{Reason: "the comment of the event does not exist"}, nil
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

// A request is a comment whose author may ask.
type request struct {
	comment   int64
	body      string
	requester string
	pull      int
}

// authenticate checks that the comment is the one of the event, as it was first written, by a person with write
// permission. reason says why not. Whoever has no permission gets a reaction and nothing else.
func (controller *Controller) authenticate(ctx context.Context, event *Event, comment *github.IssueComment) (request, string, error) {
	number, err := strconv.Atoi(path.Base(comment.GetIssueURL()))
	switch {
	case err != nil || number != event.PullNumber:
		return request{}, "the comment belongs to another issue than the event says", nil
	case comment.GetBody() != event.Body || !comment.GetCreatedAt().Equal(comment.GetUpdatedAt()):
		return request{}, "the comment was edited: a new comment is needed", nil
	case comment.GetUser().GetType() != "User":
		return request{}, "the comment is not by a person", nil
	}
	login := comment.GetUser().GetLogin()
	allowed, err := controller.Client.CanWrite(ctx, login)
	if err != nil {
		return request{}, "", err
	}
	if !allowed {
		return request{}, login + " has no write permission", controller.Client.React(ctx, comment.GetID(), "-1")
	}
	return request{comment: comment.GetID(), body: comment.GetBody(), requester: login, pull: number}, "", nil
}

func (controller *Controller) decide(ctx context.Context, repository *github.Repository, request request) (Decision, error) {
	command, err := ParseCommand(request.body, controller.Settings.Prefix)
	if err != nil {
		return Decision{}, refuse("%s\n\n%s", code(err.Error()), fence(Usage(controller.Settings.Prefix)))
	}
	pull, err := controller.Client.PullRequest(ctx, request.pull)
	if err != nil {
		return Decision{}, err
	}
	index, _, err := controller.readIndex(ctx, request.pull)
	if err != nil {
		return Decision{}, err
	}
	if command.Cancel {
		runs := index.unfinished()
		if len(runs) == 0 {
			return Decision{}, refuse("There is no run of this pull request to cancel.")
		}
		return Decision{Cancel: runs}, controller.Client.React(ctx, request.comment, "eyes")
	}
	plan, err := controller.plan(ctx, repository, pull, request, command)
	if err != nil {
		return Decision{}, err
	}
	return Decision{Plan: plan}, controller.accept(ctx, plan)
}

// plan pins both revisions.
func (controller *Controller) plan(ctx context.Context, repository *github.Repository, pull *github.PullRequest, request request, command Command) (*Plan, error) {
	if pull.GetState() != "open" {
		return nil, refuse("This pull request is %s: only an open one is measured.", code(pull.GetState()))
	}
	head := pull.GetHead().GetSHA()
	// The repository of a deleted fork is null.
	fork := pull.GetHead().GetRepo() == nil || pull.GetHead().GetRepo().GetID() != repository.GetID()
	switch {
	case command.SHA != "" && command.SHA != head:
		return nil, refuse("%s is not this pull request's head, which is %s: look at the commits again and name the one to run.", short(command.SHA), code(head))
	case fork && command.SHA == "":
		return nil, refuse("This pull request comes from a fork: its code runs on the GPU host, so name the commit that you have read, all 40 digits.\n\nIts head is now %s.", code(head))
	case fork && command.HeadConfig:
		return nil, refuse("`config=head` is not for a pull request from a fork: its bench.yaml would say which commands run and how they are judged.")
	}
	for _, name := range command.Workloads {
		if !command.HeadConfig && !slices.Contains(controller.Settings.Workloads, name) {
			return nil, refuse("There is no workload %s in bench.yaml: it has %s.", code(name), code(strings.Join(controller.Settings.Workloads, ", ")))
		}
	}
	base, description, err := controller.resolveBase(ctx, repository, pull, command.Base, head)
	if err != nil {
		return nil, err
	}
	plan := &Plan{
		Schema: PlanSchema, RepositoryID: repository.GetID(), Repository: repository.GetFullName(), PullRequest: request.pull,
		CommentID: request.comment, Requester: request.requester, RunID: controller.RunID, RunAttempt: controller.RunAttempt,
		Base: base, Head: head, BaseDescription: description, Fork: fork, Pairs: command.Pairs, Looks: command.Looks,
		Workloads: command.Workloads, HeadConfig: command.HeadConfig, Inconclusive: controller.Settings.Inconclusive,
		Deadline: controller.Settings.Timeout.String(), Created: controller.now(),
	}
	if limit := controller.Settings.MaxPairs; limit > 0 && plan.Pairs > limit {
		plan.Notes = append(plan.Notes, fmt.Sprintf("pairs=%d was asked for; bench.yaml allows %d.", plan.Pairs, limit))
		plan.Pairs = limit - limit%2
	}
	if limit := controller.Settings.MaxLooks; limit > 0 && plan.Looks > limit {
		plan.Notes = append(plan.Notes, fmt.Sprintf("looks=%d was asked for; bench.yaml allows %d.", plan.Looks, limit))
		plan.Looks = limit
	}
	if plan.HeadConfig {
		plan.Notes = append(plan.Notes, "Measured as the bench.yaml of this pull request says, not that of the default branch.")
		return plan, nil
	}
	// What can never have a verdict is refused here, not on the GPU host after its turn in the queue.
	settings := controller.Settings
	if _, err := stats.NewDesign(cmp.Or(plan.Pairs, settings.Pairs), cmp.Or(plan.Looks, settings.Looks), settings.Alpha); err != nil {
		return nil, refuse("This plan cannot reach a verdict: %s.", code(err.Error()))
	}
	return plan, nil
}

// resolveBase pins the base. The default is the merge base with the target branch; a named one must be reachable
// from a branch or tag of this repository, since the API also knows the commits of strangers' forks.
func (controller *Controller) resolveBase(ctx context.Context, repository *github.Repository, pull *github.PullRequest, named, head string) (sha, description string, err error) {
	if named == "" {
		target := pull.GetBase().GetRef()
		// By name: the SHA that the pull request gives for its target is that of the last push to it.
		comparison, ok, err := controller.Client.Compare(ctx, target, head)
		if err != nil {
			return "", "", err
		}
		if !ok || !commitPattern.MatchString(comparison.MergeBase) {
			return "", "", refuse("This pull request shares no history with %s: name a base with `base=REF`.", code(target))
		}
		return comparison.MergeBase, "merge base with " + target, nil
	}
	sha, ok, err := controller.Client.Commit(ctx, named)
	if err != nil {
		return "", "", err
	}
	if ok && commitPattern.MatchString(sha) {
		reachable, err := controller.Client.Reachable(ctx, sha, repository.GetDefaultBranch())
		if err != nil {
			return "", "", err
		}
		if reachable {
			return sha, named, nil
		}
	}
	return "", "", refuse("The base %s is not reachable from a branch or tag of this repository.", code(named))
}

// accept makes everything that a run has on GitHub. Each write is found again when the gate is repeated.
func (controller *Controller) accept(ctx context.Context, plan *Plan) error {
	if err := controller.Client.React(ctx, plan.CommentID, "eyes"); err != nil {
		return err
	}
	check, err := controller.Client.CreateCheckRun(ctx, CheckName, plan.Head, plan.externalID(), "Waiting for the GPU host",
		fmt.Sprintf("%s against %s (%s).", short(plan.Head), short(plan.Base), code(plan.BaseDescription)))
	if err != nil {
		return err
	}
	plan.CheckRunID = check.GetID()
	plan.ProgressCommentID, err = controller.updateIndex(ctx, plan.PullRequest, plan.entry(Queued, 0))
	if err != nil { // no other job will end it
		ended := controller.Client.CompleteCheckRun(ctx, plan.CheckRunID, CheckName, "cancelled", "The run could not be started", "The log of the run says why.")
		return errors.Join(err, ended)
	}
	return nil
}

// explain answers somebody with write permission. All refusals of a pull request share one comment, edited.
func (controller *Controller) explain(ctx context.Context, request request, text string) error {
	if err := controller.Client.React(ctx, request.comment, "confused"); err != nil {
		return err
	}
	body := fmt.Sprintf("%s\n%s, no run was started.\n\n%s\n", refusalMarker, mention(request.requester), text)
	comment, err := controller.Client.PostOnce(ctx, request.pull, controller.Author, refusalMarker, body)
	if err != nil || comment.GetBody() == body {
		return err
	}
	return controller.Client.EditComment(ctx, comment.GetID(), body)
}

func (controller *Controller) readIndex(ctx context.Context, pull int) (Index, *github.IssueComment, error) {
	comment, err := controller.Client.FindComment(ctx, pull, controller.Author, progressMarker)
	if err != nil || comment == nil {
		return Index{}, nil, err
	}
	return decodeIndex(comment.GetBody()), comment, nil
}

// updateIndex puts an entry into the progress comment, which it makes where there is none, and returns its identifier.
func (controller *Controller) updateIndex(ctx context.Context, pull int, run IndexedRun) (int64, error) {
	index, comment, err := controller.readIndex(ctx, pull)
	if err != nil {
		return 0, err
	}
	index.put(run)
	body := index.render(controller.Server, controller.Client.Name(), pull, controller.Settings.Prefix)
	if comment == nil {
		comment, err = controller.Client.PostOnce(ctx, pull, controller.Author, progressMarker, body)
		if err != nil {
			return 0, err
		}
	}
	if comment.GetBody() == body {
		return comment.GetID(), nil
	}
	return comment.GetID(), controller.Client.EditComment(ctx, comment.GetID(), body)
}

func (controller *Controller) now() time.Time {
	if controller.Now != nil {
		return controller.Now().UTC()
	}
	return time.Now().UTC().Truncate(time.Second)
}

// entry is the plan's line in the index.
func (plan *Plan) entry(state RunState, verdict int64) IndexedRun {
	return IndexedRun{RunID: plan.RunID, Attempt: plan.RunAttempt, CommentID: plan.CommentID, Base: plan.Base, Head: plan.Head,
		Requester: plan.Requester, State: state, Verdict: verdict, Created: plan.Created}
}
